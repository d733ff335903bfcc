package import StoreDatabase
package import StoreHTTP
package import StoreModel
package import StoreService
package import StoreSigning

/// Everything that an operator and his tests can do by HTTP, in one environment: `/control/v1/…`.
///
/// The same routes are served twice: on the listener of the environment for whoever has an operator's token, and to the
/// commands of the operator, over the admin socket or in memory, under the name of the environment.
package struct ControlRoutes: Sendable {
    private let store: ControlStore

    package init(_ store: ControlStore) {
        self.store = store
    }

    /// For a listener: with an operator's token only.
    package var guarded: [Route] {
        let store = store
        return topics.flatMap { topic in
            topic.routes.map { route in
                route.guarded(by: "operatorToken", hasForm: OperatorTokens.isWellFormed) { token, request in
                    let entry = try await OperatorTokens.open(
                        with: token, at: store.now(), of: store.databases.catalogue)
                    guard let entry else { return false }
                    try topic.requireAccess(of: entry, to: request, in: store.environment)
                    return true
                }
            }
        }
    }

    /// For whoever owns the store anyway: `/sandbox/control/v1/…`.
    package var owned: [Route] { all.map { $0.mounted(under: "/\(store.environment.rawValue)") } }

    private var all: [Route] { topics.flatMap(\.routes) }

    /// The topics of the interface; a new one gets its line here.
    private var topics: [Topic] {
        var topics = [
            Topic(.catalogue, CatalogueRoutes(store).routes), Topic(.environment, ProvisioningRoutes(store).routes),
        ]
        if let sales = store.sales {
            topics.append(
                Topic(
                    .environment,
                    CustomerRoutes(sales).routes + DeviceControlRoutes(sales).routes + SaleRoutes(sales).routes))
        }
        return topics
    }

    /// Routes that the same tokens open.
    private struct Topic {
        // Closed: these are the two ways in which a token is limited.
        enum Subject {
            /// What both environments share: the role decides, and for what only production needs the environment too.
            case catalogue
            /// Customers, money and keys of one environment.
            case environment
        }

        let subject: Subject
        let routes: [Route]

        init(_ subject: Subject, _ routes: [Route]) {
            self.subject = subject
            self.routes = routes
        }

        func requireAccess(
            of token: OperatorTokens.Entry, to request: HTTPRequest, in environment: StoreEnvironment
        ) throws {
            let needed =
                switch subject {
                case .catalogue: CatalogueRoutes.isForProduction(request) ? StoreEnvironment.production : nil
                case .environment: environment
                }
            guard needed == nil || token.environment == needed else {
                throw APIError(
                    .notAllowed,
                    "This wants a token of \(needed ?? environment); the one that was shown is of \(token.environment).",
                    parameter: "Authorization")
            }
        }
    }
}

/// What the routes of the control interface stand on, of one environment.
package struct ControlStore: Sendable {
    package let environment: StoreEnvironment
    package let databases: StoreDatabases
    /// The numbers of the catalogue.
    package let catalogueNumbers: Numbers
    /// The environment at work; nil where nothing is sold, because nobody has opened it for that.
    package let sales: EnvironmentStore?
    /// Tells the time of the wall clock.
    package let now: @Sendable () -> Instant
    package let random = RandomBytes()
    /// What the environment signs with; nil where the process has no keys.
    package let profiles: ProfileIssuer?

    package init(
        _ environment: StoreEnvironment, _ databases: StoreDatabases, catalogueNumbers: Numbers,
        sales: EnvironmentStore? = nil, profiles: ProfileIssuer?, now: @escaping @Sendable () -> Instant
    ) {
        self.environment = environment
        self.databases = databases
        self.catalogueNumbers = catalogueNumbers
        self.sales = sales
        self.profiles = profiles
        self.now = now
    }
}

extension Route {
    /// The route for those only who show a token as Bearer.
    ///
    /// - Parameters:
    ///   - scheme: how the description of the interface calls the kind of token.
    ///   - hasForm: what has not the form of a token is refused before its body is read.
    ///   - isKnown: whether a token is let in; it throws what else is wrong with it.
    package func guarded(
        by scheme: String, hasForm: @escaping @Sendable (String) -> Bool,
        _ isKnown: @escaping @Sendable (String, HTTPRequest) async throws -> Bool
    ) -> Route {
        var route = self
        route.middleware.insert(TokenForm(hasForm: hasForm), at: 0)
        let handler = handler
        route.gate = { request in
            guard case .bearer(let token) = request.authorization, try await isKnown(token, request) else {
                throw TokenForm.refusal
            }
        }
        // A gate may wait, and so must the handler behind it.
        route.handler = .suspending { try await handler.answer($0) }
        route.documentation?.bearer = scheme
        route.documentation?.responses.append(.init(.unauthorized, "There is no token, or not a good one.", .error))
        if route.documentation?.responses.contains(where: { $0.status == .forbidden }) == false {
            route.documentation?.responses.append(.init(.forbidden, "The token is for something else.", .error))
        }
        return route
    }

    /// The route with something before its path.
    package func mounted(under prefix: String) -> Route {
        var route = self
        route.pattern = RoutePattern(prefix + pattern.text)
        return route
    }
}

/// Refuses requests without anything that could be a token.
private struct TokenForm: Middleware {
    let hasForm: @Sendable (String) -> Bool

    func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        guard case .bearer(let token) = request.authorization, hasForm(token) else { throw Self.refusal }
        return nil
    }

    static var refusal: APIError {
        APIError(
            .tokenInvalid, "This needs a token that is valid here, as Bearer.",
            parameter: "Authorization")
    }
}
