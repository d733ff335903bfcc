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

    /// The amount so many times, as for a quantity.
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
}
