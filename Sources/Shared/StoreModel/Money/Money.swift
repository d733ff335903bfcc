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

    /// An amount in minor units.
    public init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Zero, in a currency.
    public static func zero(_ currency: Currency) -> Money {
        Money(minorUnits: 0, currency: currency)
    }

    /// Whether the amount is zero.
    public var isZero: Bool { minorUnits == 0 }

    /// Whether the amount is negative.
    public var isNegative: Bool { minorUnits < 0 }
}

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
    /// The decimal digits: none if there are no minor units.
    var digits: Int { minorUnitDigits ?? 0 }
}

extension Money {
    /// The sum of two amounts of one currency.
    public static func + (augend: Money, addend: Money) throws(MoneyError) -> Money {
        try augend.requireSameCurrency(as: addend, for: "added to")
        return try augend.with(augend.minorUnits.addingReportingOverflow(addend.minorUnits), for: "the sum")
    }

    /// The difference of two amounts of one currency.
    public static func - (minuend: Money, subtrahend: Money) throws(MoneyError) -> Money {
        try minuend.requireSameCurrency(as: subtrahend, for: "reduced by")
        return try minuend.with(
            minuend.minorUnits.subtractingReportingOverflow(subtrahend.minorUnits), for: "the difference")
    }

    /// The amount multiplied, as for a quantity.
    public static func * (amount: Money, quantity: Int) throws(MoneyError) -> Money {
        try amount.with(amount.minorUnits.multipliedReportingOverflow(by: Int64(quantity)), for: "the product")
    }

    /// The amount with the opposite sign.
    public static prefix func - (amount: Money) throws(MoneyError) -> Money {
        try zero(amount.currency) - amount
    }

    /// Whether this is less than another amount of the same currency.
    public func isLess(than other: Money) throws(MoneyError) -> Bool {
        try requireSameCurrency(as: other, for: "compared with")
        return minorUnits < other.minorUnits
    }

    /// Splits the amount into a part of it and the rest.
    ///
    /// The part is rounded to the nearest minor unit, and an exact half to the even one, so that over many sales
    /// neither side gains. The rest is what remains: the two always sum to the whole. A negative amount splits as the
    /// positive one does, with both signs changed, so that a refund takes back exactly what the sale gave.
    public func split(at proportion: Proportion) -> (part: Money, rest: Money) {
        // No overflow: the product of two 64-bit numbers fits 128 bits, and the part is no larger than the whole.
        let product = Int128(minorUnits.magnitude) * Int128(proportion.numerator)
        let (floor, remainder) = product.quotientAndRemainder(dividingBy: Int128(proportion.denominator))
        let twice = remainder * 2
        let roundsUp = twice > proportion.denominator || (twice == proportion.denominator && floor % 2 == 1)
        let magnitude = floor + (roundsUp ? 1 : 0)
        let part = Int64(truncatingIfNeeded: isNegative ? -magnitude : magnitude)
        return (with(part), with(minorUnits - part))
    }

    private func with(_ minorUnits: Int64) -> Money {
        Money(minorUnits: minorUnits, currency: currency)
    }

    private func with(_ result: (partialValue: Int64, overflow: Bool), for name: String) throws(MoneyError) -> Money {
        guard !result.overflow else {
            throw MoneyError(code: .overflow, reason: "\(name) is too large an amount of \(currency)")
        }
        return with(result.partialValue)
    }

    private func requireSameCurrency(as other: Money, for verb: String) throws(MoneyError) {
        guard currency == other.currency else {
            throw MoneyError(
                code: .currencyMismatch, reason: "an amount of \(currency) cannot be \(verb) one of \(other.currency)")
        }
    }

    /// Reads a decimal number of the currency's main unit, "1.99".
    ///
    /// A minus sign may come first. Digits after the point may be fewer than the currency has, not more; there are no
    /// spaces, plus signs, separators of thousands, exponents or leading zeros.
    public init(decimal text: some StringProtocol, currency: Currency) throws(InvalidValue) {
        var reader = TextReader(text)
        let isNegative = reader.skip("-")
        guard let whole = reader.number() else { throw Self.malformed(text) }
        var minorUnits = Int128(whole)
        var digits = 0
        if reader.skip(".") {
            while let digit = reader.digit() {
                digits += 1
                guard digits <= currency.digits else { throw Self.tooManyDigits(text, currency) }
                minorUnits = minorUnits * 10 + Int128(digit)
            }
            guard digits > 0 else { throw Self.malformed(text) }
        }
        guard reader.isAtEnd, !(isNegative && minorUnits == 0) else { throw Self.malformed(text) }
        minorUnits *= Int128(Self.powerOfTen(currency.digits - digits))
        guard let exact = Int64(exactly: isNegative ? -minorUnits : minorUnits) else {
            throw InvalidValue(.outOfRange, subject: "amount", value: text, rule: "fits 64 bits in minor units")
        }
        self.init(minorUnits: exact, currency: currency)
    }

    /// The amount as a decimal number of the currency's main unit, with all its digits: "1.90", "120" for yen.
    public var decimalText: String {
        let digits = currency.digits
        guard digits > 0 else { return String(minorUnits) }
        let figures = String(minorUnits.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - figures.count)) + figures
        return (isNegative ? "-" : "") + padded.dropLast(digits) + "." + padded.suffix(digits)
    }

    private static func malformed(_ text: some StringProtocol) -> InvalidValue {
        InvalidValue(subject: "amount", value: text, rule: "is a plain decimal number such as 1.99")
    }

    private static func tooManyDigits(_ text: some StringProtocol, _ currency: Currency) -> InvalidValue {
        InvalidValue(
            .outOfRange, subject: "amount", value: text,
            rule: "has at most \(currency.digits) digits after the point in \(currency)")
    }
}

extension Money: CustomStringConvertible {
    /// The amount and its currency, `1.99 USD`, for logs; for display, use a formatter of the locale.
    public var description: String { "\(decimalText) \(currency)" }
}

/// Why an amount of money could not be computed.
public struct MoneyError: Error, Hashable, Sendable {
    /// The kinds of failure.
    public struct Code: Hashable, Sendable {
        /// The name of the code.
        public let name: String

        /// The result is larger than any amount can be.
        public static let overflow = Code(name: "overflow")
        /// The amounts are in different currencies.
        public static let currencyMismatch = Code(name: "currency_mismatch")
        /// The amount has no exact form in the unit asked for.
        public static let notRepresentable = Code(name: "not_representable")
    }

    /// What kind of failure it was.
    public let code: Code
    /// What was asked for and why it cannot be had; safe to log.
    public let reason: String
}

extension MoneyError: CustomStringConvertible {
    /// What was asked for and why it cannot be had.
    public var description: String { reason }
}
