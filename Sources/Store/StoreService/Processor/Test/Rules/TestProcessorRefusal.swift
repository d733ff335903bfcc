/// Why the test processor does not do what it is asked. Nothing has happened then.
package struct TestProcessorRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let keyReused = Code(rawValue: "key_reused")
        package static let keyInvalid = Code(rawValue: "key_invalid")
        package static let referenceUnknown = Code(rawValue: "reference_unknown")
        package static let amountInvalid = Code(rawValue: "amount_invalid")
        package static let amountTooLarge = Code(rawValue: "amount_too_large")
        package static let currencyOther = Code(rawValue: "currency_other")
        /// What it is about is not in a state for it: captured already, voided, waiting for its customer.
        package static let stateOther = Code(rawValue: "state_other")
        package static let scriptInvalid = Code(rawValue: "script_invalid")
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(message) (\(code.rawValue))" }
}
