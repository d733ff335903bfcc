import StoreCatalogue
import StoreHTTP
import StoreLog
import StoreModel
import StoreService

/// How the App Store Server API tells errors: a number and a message in JSON, and a text to those who are not let in.
///
/// What is exactly wrong goes to the log and the history of requests, and to the caller in `Till-Reason` where reasons are told.
struct ServerAPIErrors: ErrorForm {
    /// Whether callers are told the reason.
    let tellsReasons: Bool
    let log: Log
    let history: RequestHistory?
    let wall: @Sendable () -> Instant

    static let reasonField = "Till-Reason"
    private static let longestReason = 500

    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        var reason = error.message
        var response: HTTPResponse
        if error.status == .unauthorized {
            // The App Store names a type without a character set here.
            response = HTTPResponse(
                .unauthorized, Array("Unauthenticated\n\nRequest ID: \(request.id)\n".utf8), as: "text/plain")
        } else if error.code == Self.unknownPath {
            response = HTTPResponse(.notFound)
        } else {
            let code = Self.code(of: error)
            response = Self.response(code)
            if let exact = error.fields[Self.reasonField] { reason = exact }
        }
        response.fields["Cache-Control"] = "no-store"
        for field in error.fields.all where field.name != Self.reasonField && field.name != "WWW-Authenticate" {
            response.fields.add(field.name, field.name == "Retry-After" ? wait(field.value, error) : field.value)
        }
        note(reason, response.status, request)
        if tellsReasons { response.fields[Self.reasonField] = Self.visible(reason) }
        return response
    }

    /// When to ask again. The store's own refusals say in how many seconds; the App Store has an instant here, in milliseconds.
    private func wait(_ text: String, _ error: APIError) -> String {
        guard RefusalCode(rawValue: error.code) != nil, let seconds = Int64(text) else { return text }
        return String(wall().millisecondsSinceEpoch + seconds * 1000)
    }

    /// The code of what is asked for at no path of the interface.
    static let unknownPath = "path_unknown"

    /// The body of an error, whose type is exactly this: clients read no code out of one with a character set.
    private static func response(_ code: ServerAPIError.Code) -> HTTPResponse {
        var writer = AnswerWriter(reserving: 160)
        writer.object { writer in
            writer.number("errorCode", Int64(code.number))
            writer.text("errorMessage", code.message)
        }
        return HTTPResponse(HTTPStatus(rawValue: code.status), writer.bytes, as: "application/json")
    }

    /// The code for an error: its own, or that of its kind where it arose outside of the interface's own use cases.
    static func code(of error: APIError) -> ServerAPIError.Code {
        if let code = Int(error.code).flatMap(ServerAPIError.Code.init) { return code }
        switch error.code {
        case RefusalCode.transactionUnknown.rawValue: return .transactionNotFound
        case RefusalCode.storeUnavailable.rawValue, "abandoned": return .generalInternalRetryable
        default: break
        }
        switch error.status {
        case .tooManyRequests: return .rateLimitExceeded
        case let status where status.rawValue >= 500: return .generalInternal
        default: return .generalBadRequest
        }
    }

    /// Says why nothing came of a request that is answered as if something had.
    func add(_ reason: String, to response: inout HTTPResponse, for request: HTTPRequest) {
        history?.keep(reason: reason, of: request.id)
        if tellsReasons { response.fields[Self.reasonField] = Self.visible(APIError.sentence(reason)) }
    }

    private func note(_ reason: String, _ status: HTTPStatus, _ request: HTTPRequest) {
        log.info(
            "server_api.refused", "A request of a developer's server was refused with \(status.rawValue): \(reason)",
            ["request_id": .text(request.id), "status": .number(Int64(status.rawValue)), "reason": .text(reason)])
        history?.keep(reason: reason, of: request.id)
    }

    /// What a field of a header can have of a reason, which names what the caller sent.
    private static func visible(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(longestReason).map { (0x20...0x7E).contains($0.value) ? $0 : "?" }))
    }
}

extension APIError {
    /// An error of the App Store Server API: its number as the code, its reason in a field that ``ServerAPIErrors`` reads.
    init(_ error: ServerAPIError) {
        self.init(
            HTTPStatus(rawValue: error.code.status), code: String(error.code.number), error.code.message)
        fields[ServerAPIErrors.reasonField] = Self.sentence(error.reason)
    }

    /// That a token opens nothing.
    init(_ error: Unauthenticated) {
        self.init(.unauthorized, code: RefusalCode.tokenInvalid.rawValue, Self.sentence(error.reason))
    }
}
