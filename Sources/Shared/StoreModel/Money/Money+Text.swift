extension Money {
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
    /// The amount and its currency, `1.99 USD`, for logs; people are shown amounts by a formatter of their locale.
    public var description: String { "\(decimalText) \(currency)" }
}
