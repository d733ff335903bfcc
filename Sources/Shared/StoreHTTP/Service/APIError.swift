/// A refusal as the store's own interfaces tell it.
///
/// A handler throws it; the service shows it in the form of the route.
package struct APIError: Error, Hashable, Sendable {
    package var status: HTTPStatus
    /// The kind of error, of which there are few; clients decide by it whether to try again.
    package var type: Kind
    /// The exact reason, of which there are many.
    package var code: String
    /// What happened, why, and what to do, safe to log.
    package var message: String
    /// The field, header or part of the path it is about.
    package var parameter: String?
    /// Fields that the response carries besides, such as `Retry-After`.
    package var fields = HTTPFields()

    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let invalidRequest = Kind(rawValue: "invalid_request")
        package static let authentication = Kind(rawValue: "authentication")
        package static let permission = Kind(rawValue: "permission")
        package static let conflict = Kind(rawValue: "conflict")
        package static let rateLimit = Kind(rawValue: "rate_limit")
        package static let store = Kind(rawValue: "store")

        init(_ status: HTTPStatus) {
            self =
                switch status {
                case .unauthorized: .authentication
                case .forbidden: .permission
                case .conflict, .preconditionFailed: .conflict
                case .tooManyRequests: .rateLimit
                default: status.rawValue >= 500 ? .store : .invalidRequest
                }
        }
    }

    package init(_ status: HTTPStatus, code: String, _ message: String, parameter: String? = nil) {
        self.status = status
        type = Kind(status)
        self.code = code
        self.message = message
        self.parameter = parameter
    }
}
