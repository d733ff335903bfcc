package import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService
import StoreSigning

extension APIError {
    /// How a client is told of an error that is not a failure of the store: a refusal, a value that breaks the rule of its
    /// type, or a database that cannot do it at the moment; nil for all others.
    package static func explaining(_ error: any Error) -> APIError? {
        switch error {
        case let refusal as any Refusal: APIError(refusal)
        case let error as ServerAPIError: APIError(error)
        case let value as InvalidValue: APIError(value, parameter: value.subject)
        case is ProcessorError:
            unavailable(
                "The payment processor gives no answer at the moment; after a crash its former process may still be ending. "
                    + "Ask for the same again in a few seconds.")
        case let error as SigningError where error.code == .signerRevoked:
            unavailable("The store has no keys that count at the moment. Ask for the same again later.")
        default: StorageFailure(error).map(APIError.init)
        }
    }

    private init(_ failure: StorageFailure) {
        self =
            switch failure {
            case .textNotStorable: APIError(.valueInvalid, "no text of a request has the character U+0000")
            case .busy:
                Self.unavailable("The store cannot do this at the moment. Ask for the same again in a few seconds.")
            case .full: Self.unavailable("The store has no room left for this.")
            }
    }

    /// A refusal with the status that belongs to its code.
    package init(_ code: RefusalCode, _ message: String, parameter: String? = nil) {
        self.init(
            HTTPStatus(code), code: code.rawValue, Self.sentence(message, about: parameter), parameter: parameter)
        // Two kinds of 401: a client without a good token needs one, a customer who is not signed in has to sign in.
        if [.tokenMissing, .tokenInvalid].contains(code) { fields["WWW-Authenticate"] = "Bearer" }
    }

    /// What a use case refused.
    package init(_ refusal: any Refusal) {
        self.init(refusal.code, refusal.message, parameter: refusal.parameter)
        if let wait = refusal.retryAfter { fields["Retry-After"] = String(wait.components.seconds) }
    }

    /// A value of a request that breaks the rule of its type.
    package init(_ error: InvalidValue, parameter: String) {
        self.init(.valueInvalid, "the \(error.subject) \(error.rule)", parameter: parameter)
    }

    private static func unavailable(_ message: String) -> APIError {
        var told = APIError(.storeUnavailable, message)
        told.fields["Retry-After"] = "5"
        return told
    }
}
