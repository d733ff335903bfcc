import StoreHTTP
import StoreModel

extension BackendError.Code {
    /// The status of an answer with this code.
    var status: HTTPStatus { Self.statuses[self] ?? .internalError }

    private static let statuses: [Self: HTTPStatus] = [
        .malformedProof: .badRequest, .proofTooLarge: .contentTooLarge, .invalidValue: .badRequest,
        .wrongQuantity: .badRequest,
        .notSignedIn: .unauthorized, .notPaid: .paymentRequired,
        .untrustedProof: .forbidden, .wrongApp: .forbidden, .wrongEnvironment: .forbidden,
        .belongsToAnother: .forbidden, .revoked: .forbidden, .expired: .forbidden,
        .unknownApp: .notFound, .unknownProduct: .notFound, .unknownContent: .notFound, .unknownSubscription: .notFound,
        .unknownUser: .notFound,
        .nameTaken: .conflict, .balanceTooLow: .conflict, .keyReused: .conflict,
        .unknownTransaction: .notFound, .tooManyRequests: .tooManyRequests, .storeUnavailable: .unavailable,
        .storeKeyRefused: .unavailable, .contentUnavailable: .unavailable, .database: .unavailable,
        .databaseBusy: .unavailable, .outcomeUnknown: .unavailable,
    ]
}

extension APIError {
    /// How a client is told of an error of the backend; nil for a failure whose reason only the log has.
    static func explaining(backend error: any Error) -> APIError? {
        switch error {
        case let error as BackendError where [.database, .databaseBusy, .outcomeUnknown].contains(error.code):
            // What the engine says of itself is for the log.
            APIError(BackendError(error.code, "The database cannot do this at the moment. Ask for the same again."))
        case let error as BackendError where error.code == .storeUnavailable:
            // Where the store is, and how it fails, is for the log.
            APIError(
                BackendError(
                    error.code, "The store gives no answer at the moment. Ask for the same again.",
                    retryAfter: error.retryAfter))
        case let error as BackendError: APIError(error)
        case let error as InvalidValue:
            APIError(BackendError(.invalidValue, error.description, parameter: error.subject))
        default: nil
        }
    }

    /// An error of the backend, with the status of its code.
    init(_ error: BackendError) {
        self.init(
            error.code.status, code: error.code.rawValue, Self.sentence(error.message, about: error.parameter),
            parameter: error.parameter)
        if error.isRetryable || [.tooManyRequests, .unavailable].contains(status) {
            fields["Retry-After"] = String(error.retryAfter ?? BackendServerLimits.retrySeconds)
        }
        if error.code == .notSignedIn { fields["WWW-Authenticate"] = "Bearer" }
    }
}

extension Route {
    /// The route with its description.
    ///
    /// - Parameters:
    ///   - needsUser: whether it wants the token of a user.
    ///   - refusals: the codes with which it refuses, beside those that follow from what it takes.
    func described(
        _ id: String, _ summary: String, description: String? = nil, tag: String, needsUser: Bool = false,
        parameters: [OperationDocumentation.Parameter] = [], body: JSONSchema? = nil,
        answers: [OperationDocumentation.Response], refusals: [BackendError.Code] = []
    ) -> Route {
        var codes = refusals + [.invalidValue, .tooManyRequests, .database, .databaseBusy, .outcomeUnknown]
        if needsUser { codes.append(.notSignedIn) }
        var responses = answers
        if body != nil {
            responses += [
                .init(.contentTooLarge, "The body is too large.", .error),
                .init(.unsupportedMediaType, "The body does not say what it is, or is something else.", .error),
            ]
        }
        if !pattern.parameterNames.isEmpty, !codes.contains(where: { $0.status == .notFound }) {
            responses.append(.init(.notFound, "A part of the path has not the form of what it names.", .error))
        }
        let ofBody = body == nil ? [] : Self.bodyCodes.map { (status: HTTPStatus.badRequest, word: $0) }
        for code in codes.map({ (status: $0.status, word: $0.rawValue) }) + ofBody {
            let place = responses.firstIndex { $0.status == code.status } ?? responses.endIndex
            if place == responses.endIndex { responses.append(.init(code.status, Self.reason(code.status), .error)) }
            responses[place].add(code: code.word)
        }
        return documented(
            OperationDocumentation(
                id: id, summary: summary, description: description, tag: tag, parameters: parameters,
                body: body.map { .json($0.exact) }, responses: responses, bearer: needsUser ? "userToken" : nil))
    }

    /// What is said of a body in JSON that is not what the operation takes.
    private static let bodyCodes = ["json_malformed", "member_unknown", "value_invalid", "value_missing"]

    private static func reason(_ status: HTTPStatus) -> String { reasons[status.rawValue] ?? "It is refused." }

    private static let reasons = [
        400: "Something in the request is wrong; the error names it.", 401: "Nobody is signed in with this token.",
        402: "Nothing of this user pays for it; the app may offer it.",
        403: "It is refused, and will be if it is asked again unchanged.",
        404: "There is no such thing, or a part of the path has not the form of what it names.",
        409: "It contradicts what happened before.", 429: "It is too much; Retry-After says how long to wait.",
        503: "It cannot be done at the moment; Retry-After says when to ask again.",
    ]
}
