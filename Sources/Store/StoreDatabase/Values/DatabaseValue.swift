/// What a cell holds, in either engine.
@usableFromInline
package enum DatabaseValue: Hashable, Sendable {
    // Closed: these are the kinds of value that both engines share, but for floating-point numbers.
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// What kind of value this is, for messages.
    package var kind: String {
        switch self {
        case .null: "no value"
        case .integer: "a number"
        case .text: "a text"
        case .bytes: "bytes"
        }
    }
}
