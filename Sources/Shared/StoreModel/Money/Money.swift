/// An amount of money: a whole number of minor units of a currency.
///
/// Never a floating-point number. Where a computation has no exact result in range it throws a ``MoneyError`` instead
/// of rounding or trapping; the one place that rounds is ``split(at:)``, and its parts sum to the whole.
///
/// A currency without minor units, such as gold, is counted in whole units.
public struct Money: Codable, Hashable, Sendable {
    /// The amount in the smallest unit of the currency: cents for dollars, yen for yen.
    public let minorUnits: Int64
    /// The currency.
    public let currency: Currency

    /// An amount of so many minor units.
    public init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Nothing, in a currency.
    public static func zero(_ currency: Currency) -> Money {
        Money(minorUnits: 0, currency: currency)
    }

    /// Whether this is nothing at all.
    public var isZero: Bool { minorUnits == 0 }

    /// Whether this is less than nothing.
    public var isNegative: Bool { minorUnits < 0 }
}
