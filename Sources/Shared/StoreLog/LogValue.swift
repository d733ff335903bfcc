/// What a field of an entry says.
// Closed: a value of another kind would need its own form in both formats.
package enum LogValue: Hashable, Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self = .text(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .number(value) }
}

extension LogValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .flag(value) }
}
