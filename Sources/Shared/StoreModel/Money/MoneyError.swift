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
