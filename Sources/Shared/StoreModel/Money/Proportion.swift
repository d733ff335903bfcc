/// A part of a whole, from zero to one, as an exact fraction: a commission, a tax rate, a prorated refund.
///
/// Kept in lowest terms: 30/100 and 3/10 are equal.
public struct Proportion: Hashable, Sendable {
    /// The upper number, 0 to ``denominator``.
    public let numerator: Int64
    /// The lower number, at least 1.
    public let denominator: Int64

    /// A fraction between 0 and 1.
    public init(_ numerator: Int64, outOf denominator: Int64) throws(InvalidValue) {
        guard denominator > 0, (0...denominator).contains(numerator) else {
            throw InvalidValue(
                .outOfRange, subject: "proportion", value: "\(numerator)/\(denominator)", rule: "lies between 0 and 1")
        }
        let divisor = Self.greatestCommonDivisor(numerator, denominator)
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    /// A number of thousandths of a percent, as the App Store Server API counts: 50000 for a half.
    public init(percentMilliunits: Int64) throws(InvalidValue) {
        try self.init(percentMilliunits, outOf: 100_000)
    }

    /// The number of thousandths of a percent; nil if it is not whole.
    public var percentMilliunits: Int64? {
        let (quotient, remainder) = (Int128(numerator) * 100_000).quotientAndRemainder(dividingBy: Int128(denominator))
        return remainder == 0 ? Int64(truncatingIfNeeded: quotient) : nil
    }

    /// Euclid's algorithm; the second number is positive, so the result is too.
    private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
        var (dividend, divisor) = (first, second)
        while divisor != 0 {
            (dividend, divisor) = (divisor, dividend % divisor)
        }
        return dividend
    }
}

extension Proportion: CustomStringConvertible {
    /// The fraction, `3/10`.
    public var description: String { "\(numerator)/\(denominator)" }
}
