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
                var bare = route
                let handler = route.handler
                bare.handler = .suspending { request in
                    try await ControlAccess.$current.withValue(try await Self.access(to: request, store)) {
                        try await handler.answer(request)
                    }
                }
                return bare.guarded(by: "operatorToken", hasForm: OperatorTokens.isWellFormed) { token, request in
                    let entry = try await OperatorTokens.open(
                        with: token, at: store.now(), of: store.databases.catalogue)
                    guard let entry else { return false }
                    try topic.requireAccess(of: entry, to: request, in: store.environment)
                    try await ControlAccess(entry).requireTeam(of: request, in: store.databases.catalogue)
                    return true
                }
            }
        }
    }

    /// Who asks, once their token was let in.
    private static func access(to request: HTTPRequest, _ store: ControlStore) async throws -> ControlAccess {
        guard case .bearer(let token) = request.authorization,
            let entry = try await OperatorTokens.open(with: token, at: store.now(), of: store.databases.catalogue)
        else { throw TokenForm.refusal }
        return ControlAccess(entry)
    }

    /// For whoever owns the store anyway: `/sandbox/control/v1/…`.
    package var owned: [Route] { all.map { $0.mounted(under: "/\(store.environment.rawValue)") } }

    private var all: [Route] { topics.flatMap(\.routes) }

    /// The topics of the interface; a new one gets its line here.
    private var topics: [Topic] {
        let (catalogue, teams) = (CatalogueRoutes(store), TeamRoutes(store))
        var topics = [
            Topic(.catalogue, catalogue.routes), Topic(.secrets, catalogue.secretRoutes + catalogue.exportRoutes),
            Topic(.secrets, OfferKeyRoutes(store).routes),
            Topic(.secrets, ProvisioningRoutes(store).routes, isOfEnvironment: true),
            Topic(.catalogue, SubscriptionRoutes(store).routes + SubscriptionDeskRoutes.graceRoutes(store)),
            Topic(.catalogue, ContentRoutes(store).routes),
            Topic(.catalogue, ReviewRoutes(store).developerRoutes), Topic(.review, ReviewRoutes(store).reviewerRoutes),
            Topic(.members, teams.routes), Topic(.finance, teams.financeRoutes),
            Topic(.teams, teams.operatorRoutes + catalogue.primarySecretRoutes),
        ]
        if let sales = store.sales {
            let (reports, desk) = (ReportRoutes(store, sales), SubscriptionDeskRoutes(store, sales))
            topics.append(Topic(.customers, reports.routes, isOfEnvironment: true))
            topics.append(Topic(.catalogue, reports.appRoutes + desk.priceRoutes, isOfEnvironment: true))
            topics.append(Topic(.secrets, OfferCodeRoutes(sales).routes, isOfEnvironment: true))
            topics.append(
                Topic(
                    .customers,
                    CustomerRoutes(sales).routes + DeviceControlRoutes(sales).routes + SaleRoutes(sales).routes
                        + FamilyRoutes(sales).routes + AskToBuyRoutes(sales).routes + ClockRoutes(sales).routes
                        + SaleRoutes(sales).offerRoutes + RefundRoutes(sales).routes + desk.routes,
                    isOfEnvironment: true))
        }
        return topics
    }

    /// Routes that the same tokens open.
    private struct Topic {
        let work: OperatorWork
        /// Whether it is about customers, money or keys of one environment; the catalogue is of both.
        let isOfEnvironment: Bool
        let routes: [Route]

        init(_ work: OperatorWork, _ routes: [Route], isOfEnvironment: Bool = false) {
            self.work = work
            self.isOfEnvironment = isOfEnvironment
            self.routes = routes
        }

        func requireAccess(
            of token: OperatorTokens.Entry, to request: HTTPRequest, in environment: StoreEnvironment
        ) throws {
            let isForProduction = CatalogueRoutes.isForProduction(request) && token.role == .operator
            let needed = isOfEnvironment ? environment : isForProduction ? StoreEnvironment.production : nil
            guard needed == nil || token.environment == needed else {
                throw APIError(
                    .notAllowed,
                    "This wants a token of \(needed ?? environment); the one that was shown is of \(token.environment).",
                    parameter: "Authorization")
            }
            let isChange = ![.get, .head].contains(request.method)
            // Customers belong to the store, not to a team.
            guard token.role.may(work, change: isChange), work != .customers || token.team == nil else {
                throw APIError(
                    .notAllowed, "The role \(token.role.rawValue) does not include this.", parameter: "Authorization")
            }
            guard !CatalogueRoutes.isForProduction(request) || [.operator, .reviewer].contains(token.role) else {
                throw APIError(
                    .notAllowed, "The role \(token.role.rawValue) does not approve; submit the product for review.",
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
    /// Opens the store of pictures, once; nil where there is none.
    package let blobs: @Sendable () throws -> (any BlobStore)?
    /// How packages of hosted content are taken in.
    package let content: ContentIntake
    /// The newest requests of the listener; nil where none runs.
    package let history: RequestHistory?
    /// What texts of both environments are judged by.
    package let signers: @Sendable () -> [StoreEnvironment: EnvironmentSigners]

    package init(
        _ environment: StoreEnvironment, _ databases: StoreDatabases, catalogueNumbers: Numbers,
        sales: EnvironmentStore? = nil, profiles: ProfileIssuer?,
        blobs: @escaping @Sendable () throws -> (any BlobStore)? = { nil }, content: ContentIntake = ContentIntake(),
        history: RequestHistory? = nil,
        signers: @escaping @Sendable () -> [StoreEnvironment: EnvironmentSigners] = { [:] },
        now: @escaping @Sendable () -> Instant
    ) {
        self.history = history
        self.content = content
        self.signers = signers
        self.environment = environment
        self.databases = databases
        self.catalogueNumbers = catalogueNumbers
        self.sales = sales
        self.profiles = profiles
        self.blobs = blobs
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
