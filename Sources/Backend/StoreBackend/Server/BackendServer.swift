package import StoreHTTP
package import StoreLog
package import StoreModel

/// The developer's server, ready but for a listener: what a ``Backend`` does, as paths over HTTP.
///
/// ```swift
/// let server = BackendServer(backend, version: "1.0", log: log, sources: sources)
/// let listener = try HTTPListener(configuration, serving: server.service())
/// ```
package struct BackendServer: Sendable {
    /// Where the server takes time and chance from.
    package struct Sources: Sendable {
        /// The time that is written down.
        package var now: @Sendable () -> Instant
        /// Measures how long something takes; only differences count.
        package var nanoseconds: @Sendable () -> Int64
        /// Numbers that nobody can guess.
        package var random: @Sendable () -> UInt64

        /// Sources of time and chance.
        package init(
            now: @escaping @Sendable () -> Instant, nanoseconds: @escaping @Sendable () -> Int64,
            random: @escaping @Sendable () -> UInt64
        ) {
            self.now = now
            self.nanoseconds = nanoseconds
            self.random = random
        }
    }

    let backend: Backend
    let limits: BackendServerLimits
    let log: BackendServerLog
    let now: @Sendable () -> Instant
    let accounts: RateLimit?
    let proofs: RateLimit?
    let refusedProofs: RateLimit?
    private let requests: RateLimit?
    private let notifications: RateLimit?
    private let sources: Sources
    private let version: String

    /// - Parameters:
    ///   - backend: what does the work.
    ///   - version: of the program, for the description of the interface.
    ///   - log: gets a line for each request, and one for each step of a purchase.
    package init(
        _ backend: Backend, limits: BackendServerLimits = BackendServerLimits(), version: String, log: Log,
        sources: Sources
    ) {
        self.backend = backend
        self.limits = limits
        self.log = BackendServerLog(log)
        self.sources = sources
        self.version = version
        now = sources.now
        let countsLocal = limits.countsLocalRequests
        func ofAddress(_ perMinute: Int?) -> RateLimit? {
            perMinute.map { count in
                RateLimit(capacity: count, perMinute: count, clock: sources.nanoseconds) { request in
                    !countsLocal && request.peer.isOfThisMachine ? nil : request.peer.network
                }
            }
        }
        requests = ofAddress(limits.requestsPerMinute)
        notifications = ofAddress(limits.notificationsPerMinute)
        accounts = ofAddress(limits.accountsPerMinute)
        refusedProofs = ofAddress(limits.refusedProofsPerMinute)
        proofs = limits.proofsPerMinute.map { count in
            RateLimit(capacity: count, perMinute: count, clock: sources.nanoseconds) {
                $0.context[BackendUser.self].map { "\($0.id)" }
            }
        }
    }

    /// A service of these paths.
    ///
    /// - Parameters:
    ///   - others: paths of whoever listens, such as those that say whether it is well.
    ///   - proxies: those that are believed when they say who asks.
    ///   - counting: is told of each request that was answered.
    package func service(
        adding others: [Route] = [], proxies: ForwardedPeer? = nil,
        counting: @escaping @Sendable (RequestLog.Entry) -> Void = { _ in }
    ) -> HTTPService {
        self.service(of: described(others).routes, proxies: proxies, counting: counting)
    }

    /// A service of these routes, with what all of them have in common.
    func service(
        of routes: [Route], proxies: ForwardedPeer? = nil,
        counting: @escaping @Sendable (RequestLog.Entry) -> Void = { _ in }
    ) -> HTTPService {
        let log = log
        let middleware: [(any Middleware)?] = [
            proxies, RequestIdentity(random: sources.random),
            RequestLog(clock: sources.nanoseconds, hiding: .none) { entry in
                counting(entry)
                log.answered(entry)
            },
            SecurityHeaders.api,
            ConditionalRequests(random: sources.random), Compression(), RequestDecompression(),
        ]
        return HTTPService(
            routes, middleware: middleware.compactMap(\.self), errors: JSONErrorForm(),
            explain: APIError.explaining(backend:), report: log.failed)
    }

    /// All paths, and what the server says of them.
    func described(_ others: [Route]) -> (routes: [Route], document: OpenAPIDocument) {
        let own = [
            [productRoutes, userRoutes, purchaseRoutes, contentRoutes, balanceRoutes, subscriptionRoutes]
                .flatMap(\.self).map { limited($0, by: requests) },
            notificationRoutes.map { limited($0, by: notifications) },
        ].flatMap(\.self)
        func description(_ bytes: [UInt8]) -> Route {
            Route.get("/openapi.json") { _ in HTTPResponse(.ok, bytes, as: "application/json") }
                .documented(
                    OperationDocumentation(
                        id: "describe", summary: "This description, in OpenAPI.", tag: "operators",
                        responses: [
                            .init(
                                .ok, "The description.", .json(.object(["openapi": .string(), "paths": .object([])])))
                        ]))
        }
        let document = OpenAPIDocument(
            title: "A server of Till's StoreBackend", version: version,
            schemas: [APIError.schemaName: APIError.schema], routes: own + others + [description([])])
        return (own + others + [description(document.bytes)], document)
    }

    private func limited(_ route: Route, by limit: RateLimit?) -> Route {
        guard let limit else { return route }
        var route = route
        route.middleware.insert(limit, at: 0)
        return route
    }

    /// The route for users alone: who asks is known before a body is read.
    func forUsers(_ route: Route, limit: RateLimit? = nil) -> Route {
        var route = route
        route.gate = { request in
            guard case .bearer(let token)? = request.authorization else {
                throw BackendError(
                    .notSignedIn, "This needs the token of a user; sign in, and send it as Authorization: Bearer.")
            }
            request.context[BackendUser.self] = try await backend.user(withToken: token, at: now())
            _ = try limit?.begin(&request)
        }
        return route
    }

    /// Who asks, on a route for users.
    func user(of request: HTTPRequest) throws -> BackendUser {
        guard let user = request.context[BackendUser.self] else {
            throw BackendError(.notSignedIn, "This needs the token of a user.")
        }
        return user
    }
}

/// The parts of paths that the server reads.
enum BackendPaths {
    static let bundle = PathParameter<BundleID>("bundleId", rule: "the bundle id of an app")
    static let product = PathParameter<ProductID>("productId", rule: "the id of a product")
    static let contentVersion = PathParameter<String>("version", rule: "a version of the content") { $0 }
    static let balance = PathParameter<String>("name", rule: "the name of a balance") { $0 }
    static let subscription = PathParameter<TransactionID>(
        "originalTransactionId", rule: "the first transaction of a subscription")

    static let bundleSchema = JSONSchema.string(
        example: "com.example.app", pattern: #"^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$"#, lengths: 1...BundleID.longest)
    static let productSchema = JSONSchema.string(
        example: "com.example.app.credits5", pattern: "^[A-Za-z0-9._-]+$", lengths: 1...ProductID.longest)
    static let transactionSchema = JSONSchema.string(pattern: "^(0|[1-9][0-9]{0,18})$")
}
