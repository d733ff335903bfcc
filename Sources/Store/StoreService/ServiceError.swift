/// Why a use case refused.
package struct ServiceError: Error, Hashable, Sendable {
    /// The exact reason; more may be added.
    package struct Code: Hashable, Sendable {
        /// As it is told to clients.
        package let name: String

        package static let appUnknown = Code(name: "app_unknown")
        package static let codeUnknown = Code(name: "code_unknown")
        package static let credentialsWrong = Code(name: "credentials_wrong")
        package static let customerUnknown = Code(name: "customer_unknown")
        package static let cursorVoid = Code(name: "cursor_void")
        package static let deviceUnknown = Code(name: "device_unknown")
        package static let emailTaken = Code(name: "email_taken")
        package static let keyReused = Code(name: "key_reused")
        package static let methodUnknown = Code(name: "method_unknown")
        package static let noProcessor = Code(name: "no_processor")
        package static let notAllowed = Code(name: "not_allowed")
        package static let notPaid = Code(name: "not_paid")
        package static let notSignedIn = Code(name: "not_signed_in")
        package static let productUnavailable = Code(name: "product_unavailable")
        package static let purchaseUnknown = Code(name: "purchase_unknown")
        package static let registrationRefused = Code(name: "registration_refused")
        package static let quantityOutOfRange = Code(name: "quantity_out_of_range")
        package static let refundTooLarge = Code(name: "refund_too_large")
        package static let sandboxOnly = Code(name: "sandbox_only")
        package static let simulator = Code(name: "simulator")
        package static let storefrontUnknown = Code(name: "storefront_unknown")
        package static let tokenInvalid = Code(name: "token_invalid")
        package static let tooLate = Code(name: "too_late")
        package static let tooMany = Code(name: "too_many")
        package static let transactionUnknown = Code(name: "transaction_unknown")
        package static let valueInvalid = Code(name: "value_invalid")
        package static let valueMissing = Code(name: "value_missing")
        package static let alreadyRevoked = Code(name: "already_revoked")
    }

    package let code: Code
    /// One sentence that is safe to log and to show.
    package let message: String
    /// The field that it is about.
    package let parameter: String?

    package init(_ code: Code, _ message: String, parameter: String? = nil) {
        self.code = code
        self.message = message
        self.parameter = parameter
    }
}

extension ServiceError: CustomStringConvertible {
    package var description: String { message }
}
