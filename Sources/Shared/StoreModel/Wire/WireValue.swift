/// One of the named values of a field on the wire, open to values that come later.
///
/// A value that is not known here is kept as it came and written back unchanged: values of a newer store or server
/// survive a round trip. So switch over known values with a default, or check ``isKnown``.
public protocol WireValue: RawRepresentable, Codable, CustomStringConvertible, Hashable, Sendable
where RawValue: Codable & CustomStringConvertible & Hashable & Sendable {
    /// The values that this version knows.
    static var known: Set<Self> { get }

    /// Any value, known or not.
    init(rawValue: RawValue)
}

extension WireValue {
    /// Whether this version knows the value.
    public var isKnown: Bool { Self.known.contains(self) }

    /// The value as it is on the wire.
    public var description: String { rawValue.description }
}

/// A word of a closed list as it is on the wire, where it may be one that only a newer store knows.
package struct WireWord<Known: RawRepresentable & CaseIterable & Hashable & Sendable>: WireValue
where Known.RawValue == String {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package init(_ known: Known) {
        rawValue = known.rawValue
    }

    /// What it is; nil if this version does not know it.
    package var value: Known? { Known(rawValue: rawValue) }

    package static var known: Set<WireWord> { Set(Known.allCases.map(WireWord.init)) }
}

/// A currency as a payload names it, by its code; it may be one that this version does not know.
public struct CurrencyCode: WireValue {
    /// The code on the wire.
    public let rawValue: String

    /// Any code, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code of a currency.
    public init(_ currency: Currency) {
        rawValue = currency.code
    }

    /// The currency of the code; nil if this version does not know it.
    public var currency: Currency? { Currency(rawValue) }

    /// The codes that this version knows.
    public static let known = Set(Currency.all.map(CurrencyCode.init))
}
