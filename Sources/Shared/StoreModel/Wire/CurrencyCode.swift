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
