package import StoreHTTP
package import StoreModel
package import StoreService

extension APIError {
    /// What a use case refused, as HTTP tells it.
    package init(_ error: ServiceError) {
        let status: HTTPStatus =
            switch error.code {
            case .tokenInvalid, .credentialsWrong, .notSignedIn: .unauthorized
            case .notAllowed, .sandboxOnly, .simulator, .registrationRefused: .forbidden
            case .appUnknown, .codeUnknown, .customerUnknown, .deviceUnknown, .purchaseUnknown, .transactionUnknown,
                .productUnavailable, .methodUnknown:
                .notFound
            case .emailTaken, .keyReused, .tooLate, .notPaid, .alreadyRevoked, .refundTooLarge: .conflict
            case .cursorVoid: .gone
            case .tooMany: .tooManyRequests
            default: .badRequest
            }
        self.init(status, code: error.code.rawValue, Self.sentence(error.message), parameter: error.parameter)
        // What cannot be told apart by a status: who asks must sign in, not show another token.
        if error.code == .tokenInvalid { fields["WWW-Authenticate"] = "Bearer" }
    }

    /// A value of a request that breaks the rule of its type.
    package init(_ error: InvalidValue, parameter: String) {
        self.init(
            .badRequest, code: "value_invalid", Self.sentence("the \(error.subject) \(error.rule)"),
            parameter: parameter)
    }

    static func sentence(_ text: String) -> String {
        let end = [".", "?"].contains { text.hasSuffix($0) } ? "" : "."
        return text.prefix(1).uppercased() + text.dropFirst() + end
    }
}
