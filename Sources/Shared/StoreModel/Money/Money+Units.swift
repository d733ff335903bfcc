extension Money {
    /// An amount given in thousandths of the currency's main unit, as prices of the App Store Server API are: 1990
    /// for 1.99.
    ///
    /// Throws ``MoneyError/Code/notRepresentable`` where the currency has no such small unit (1995 thousandths of a
    /// dollar) and ``MoneyError/Code/overflow`` where the amount is too large.
    public init(milliunits: Int64, currency: Currency) throws(MoneyError) {
        guard let minorUnits = try Self.convert(milliunits, fromDigits: 3, toDigits: currency.digits) else {
            throw MoneyError(
                code: .notRepresentable,
                reason: "\(milliunits) milliunits are not a whole number of minor units of \(currency)")
        }
        self.init(minorUnits: minorUnits, currency: currency)
    }

    /// The amount in thousandths of the currency's main unit, as prices of the App Store Server API are: 1990 for 1.99.
    ///
    /// Throws ``MoneyError/Code/notRepresentable`` for an amount of a currency with four digits that is not whole
    /// thousandths, and ``MoneyError/Code/overflow`` where the number is too large.
    public func milliunits() throws(MoneyError) -> Int64 {
        guard let milliunits = try Self.convert(minorUnits, fromDigits: currency.digits, toDigits: 3) else {
            throw MoneyError(code: .notRepresentable, reason: "\(self) is not a whole number of milliunits")
        }
        return milliunits
    }

    /// Moves the decimal point; nil if digits that are not zero would be lost.
    private static func convert(
        _ amount: Int64, fromDigits source: Int, toDigits target: Int
    ) throws(MoneyError) -> Int64? {
        let factor = powerOfTen(abs(target - source))
        guard target >= source else { return amount % factor == 0 ? amount / factor : nil }
        let (product, overflow) = amount.multipliedReportingOverflow(by: factor)
        guard !overflow else { throw MoneyError(code: .overflow, reason: "\(amount) is too large to be converted") }
        return product
    }

    /// Ten to a small power; the exponents here are at most 4.
    static func powerOfTen(_ exponent: Int) -> Int64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

extension Currency {
    /// The digits to count with: none where there are no minor units.
    var digits: Int { minorUnitDigits ?? 0 }
}
