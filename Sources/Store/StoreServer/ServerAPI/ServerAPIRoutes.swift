import StoreCatalogue
package import StoreHTTP
package import StoreLog
import StoreModel
package import StoreService

/// The App Store Server API at the App Store's own paths: `/inApps/…`, for servers of developers.
///
/// A topic has its routes in a file of its own, each made by ``route(_:_:id:_:parameters:body:answer:errors:handle:)``: it knows
/// who asks, and throws a ``ServerAPIError`` for what is refused.
package struct ServerAPIRoutes: Sendable {
    let store: EnvironmentStore
    private let callers: ServerCallers
    let errors: ServerAPIErrors
    private let rates: ServerAPIRates

    /// - Parameters:
    ///   - rates: how often the servers of an app may ask.
    ///   - history: where it is kept why one was refused.
    ///   - tellsReasons: whether callers are told that too; nil where those of the sandbox are.
    package init(
        _ store: EnvironmentStore, rates: ServerAPIRates = ServerAPIRates(perSecond: 0), log: Log,
        history: RequestHistory? = nil, tellsReasons: Bool? = nil
    ) {
        self.store = store
        callers = ServerCallers(store)
        errors = ServerAPIErrors(
            tellsReasons: tellsReasons ?? (store.environment == .sandbox), log: log, history: history,
            wall: store.clocks.wall)
        self.rates = rates
    }

    package var routes: [Route] { readingRoutes + changing + notifying + limits + [unknown] }

    static let tag = "App Store Server API"
    static let token = "serverToken"

    /// An operation of the interface, for those who show a token of a key that opens this environment.
    ///
    /// - Parameters:
    ///   - errors: those that are its own; every operation has those of tokens, apps, rates and failures.
    ///   - answer: what a body of an answer looks like; nil for an answer without one.
    func route(
        _ method: HTTPMethod, _ pattern: RoutePattern, id: String, _ summary: String,
        parameters: [OperationDocumentation.Parameter] = [], body: JSONSchema? = nil, answer: JSONSchema?,
        status: HTTPStatus = .ok, errors codes: [ServerAPIError.Code],
        handle: @escaping @Sendable (ServerCall) async throws -> HTTPResponse
    ) -> Route {
        let takesBody = method != .get
        var route = Route(
            method, pattern, body: takesBody ? .collected(limit: Self.bodyBytes) : BodyPolicy.none,
            handler: .suspending { [store] request in
                guard let caller = request.context[ServerCaller.self] else {
                    throw APIError(.unauthorized, code: RefusalCode.tokenInvalid.rawValue, "Nobody is known to ask.")
                }
                return try await handle(ServerCall(request: request, caller: caller, store: store))
            }, errors: errors)
        route.gate = gate(id)
        let all = (codes + ServerAPIError.Code.common).sorted { $0.number < $1.number }
        let refusals = Dictionary(grouping: all, by: \.status).sorted { $0.key < $1.key }
        return route.documented(
            OperationDocumentation(
                id: id, summary: summary, tag: Self.tag, parameters: parameters, body: body.map { .json($0) },
                responses: [.init(status, "What was asked for.", answer.map { .json($0) })]
                    + refusals.map { status, codes in
                        .init(HTTPStatus(rawValue: status), Self.text(codes), .json(Self.errorSchema))
                    } + [.init(.unauthorized, "The token opens nothing.", .text("text/plain"))],
                bearer: Self.token))
    }

    /// Finds out who asks, and refuses what is too much.
    func gate(_ id: String) -> @Sendable (inout HTTPRequest) async throws -> Void {
        { [callers, rates, clocks = store.clocks] request in
            let caller = try await Self.caller(of: request, callers)
            try rates.require(caller, id, at: clocks.wall())
            request.context[ServerCaller.self] = caller
        }
    }

    static let bodyBytes = 64 * 1024

    private static let errorSchema = JSONSchema.object([
        "errorCode": .integer("Its first three digits are the status."), "errorMessage": .string(),
    ])

    private static func text(_ codes: [ServerAPIError.Code]) -> String {
        "Codes: " + codes.map { "`\($0.number)`" }.joined(separator: ", ") + "."
    }

    private static func caller(of request: HTTPRequest, _ callers: ServerCallers) async throws -> ServerCaller {
        guard case .bearer(let token) = request.authorization else {
            throw APIError(
                .unauthorized, code: RefusalCode.tokenMissing.rawValue,
                "There is no token: Authorization has to be Bearer and a JWT.")
        }
        do {
            return try await callers.caller(showing: token)
        } catch let error as Unauthenticated {
            throw APIError(error)
        }
    }

    /// What is at no path of the interface: 404 without a body.
    private var unknown: Route {
        Route(
            .any, "/inApps/{path…}", body: .collected(limit: Self.bodyBytes),
            handler: .immediate { request in
                throw APIError(
                    .notFound, code: ServerAPIErrors.unknownPath,
                    "The interface has no \(request.method.rawValue) at this path.")
            }, errors: errors)
    }
}

extension ServerAPIError.Code {
    /// What every operation may answer.
    static let common: [Self] = [
        .generalBadRequest, .invalidAppIdentifier, .appNotFound, .appNotFoundRetryable, .rateLimitExceeded,
        .generalInternal, .generalInternalRetryable,
    ]
}

/// A request of a developer's server, whose app is known.
struct ServerCall: Sendable {
    let request: HTTPRequest
    let caller: ServerCaller
    let store: EnvironmentStore

    /// What a change is done by.
    var cause: ChangeCause { store.cause(caller.actor, request: request.name) }
}

extension HTTPResponse {
    /// An answer of the App Store Server API, with exactly the type that its clients expect.
    static func serverAPI(_ bytes: [UInt8], status: HTTPStatus = .ok) -> HTTPResponse {
        var response = HTTPResponse(status, bytes, as: "application/json")
        response.fields["Cache-Control"] = "no-store"
        return response
    }
}
