package import StoreCatalogue
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
        topics.flatMap { topic in
            topic.routes.map { route in
                route.withExactBodies.exporting.guarded(by: "operatorToken", hasForm: OperatorTokens.isWellFormed) {
                    [store] token, request in
                    guard let actor = try await store.catalogue.actor(showing: token) else { return false }
                    try topic.right.require(actor, for: request)
                    request.context[Actor.self] = actor
                    try await store.editing(request).requireOwn(
                        team: request.parameters.text("teamId"),
                        app: request.parameters.text("bundleId").flatMap { BundleID($0) })
                    return true
                }
            }
        }
    }

    /// For whoever owns the store anyway: `/sandbox/control/v1/…`.
    package var owned: [Route] {
        topics.flatMap(\.routes).map {
            $0.withExactBodies.exporting.mounted(under: "/\(store.environment.rawValue)").asked(by: .owner)
        }
    }

    /// The topics of the interface; a new one gets its line here.
    private var topics: [Topic] {
        let (catalogue, teams) = (CatalogueRoutes(store), TeamRoutes(store))
        let (people, applications) = (PeopleRoutes(store), ApplicationRoutes(store))
        let own = Actor.Scope.environment(store.environment)
        var topics = [
            Topic(.catalogue, in: .both, catalogue.routes + ItemRoutes(store).routes + EditingRoutes(store).routes),
            Topic(.catalogue, in: .both, DraftRoutes(store).routes),
            Topic(.catalogue, in: .production, DraftRoutes(store).publication),
            Topic(.catalogue, in: own, FindRoutes(store: store).routes),
            Topic(
                .review, in: .production,
                catalogue.approvalRoutes + ReviewRoutes(store).reviewerRoutes + ReviewQueueRoutes(store).decisions),
            Topic(.review, in: .both, ReviewRoutes(store).queueRoutes + ReviewQueueRoutes(store).routes),
            Topic(.secrets, in: own, catalogue.secretRoutes + ProvisioningRoutes(store).routes),
            Topic(.secrets, in: own, APIKeyRoutes(store: store).routes),
            Topic(.secrets, in: .both, catalogue.exportRoutes + OfferKeyRoutes(store).routes),
            Topic(.secrets, in: .production, OfferKeyRoutes(store).changes),
            Topic(
                .catalogue, in: .both, SubscriptionRoutes(store).routes + SubscriptionChangeRoutes.graceRoutes(store)),
            Topic(.catalogue, in: .both, ContentRoutes(store).routes + ReviewRoutes(store).developerRoutes),
            Topic(.members, in: .both, people.teamRoutes + [applications.text]),
            Topic(.members, in: .production, people.teamChanges),
            Topic(.teams, in: .both, people.storeRoutes + [applications.list]),
            Topic(.teams, in: .production, people.storeChanges + applications.decisions + [applications.publication]),
            Topic(.members, in: .both, teams.routes), Topic(.members, in: .production, teams.memberRoutes),
            Topic(.finance, in: own, teams.proceedsRoutes + FinanceRoutes(store).routes),
            Topic(.finance, in: .production, teams.financeRoutes),
            Topic(.teams, in: .both, [teams.enrolment]), Topic(.teams, in: .production, teams.operatorRoutes),
            Topic(.teams, in: own, catalogue.primarySecretRoutes),
            Topic(.teams, in: .production, catalogue.searchRoutes + FeatureRoutes(store).routes),
        ]
        if let sales = store.sales, let system = store.system {
            let routes = SystemRoutes(store, sales, system)
            topics += [
                Topic(.teams, in: own, routes.routes), Topic(.teams, in: .production, routes.wholeRoutes),
            ]
            if let shelf = system.snapshots {
                topics.append(Topic(.teams, in: own, SnapshotRoutes(sales, shelf).routes))
            }
        }
        if let sales = store.sales {
            let (reports, changes) = (ReportRoutes(store, sales), SubscriptionChangeRoutes(store, sales))
            topics += [
                Topic(.customers, in: own, reports.routes + LedgerRoutes(sales).routes),
                Topic(.catalogue, in: own, reports.appRoutes + changes.priceRoutes),
                Topic(.secrets, in: own, OfferCodeRoutes(sales).routes),
                Topic(
                    .secrets, in: own,
                    NotificationRoutes(store, sales).routes + NotificationListenerRoutes(store, sales).routes),
                Topic(.customers, in: own, ExtensionRoutes(store, sales).routes),
                Topic(.customers, in: own, SaleRoutes(sales).routes + SaleRoutes(sales).offerRoutes),
                Topic(.customers, in: own, CustomerRoutes(sales).routes + DeviceControlRoutes(sales).routes),
                Topic(.customers, in: own, FamilyRoutes(sales).routes + AskToBuyRoutes(sales).routes),
                Topic(.customers, in: own, FaultRoutes(sales).routes),
                Topic(.review, in: own, CustomerReviewRoutes(sales).routes),
                Topic(.catalogue, in: own, CustomerReviewRoutes(sales).answers),
                Topic(.teams, in: own, PartnerRoutes(sales, blobs: store.blobs).routes),
                Topic(.customers, in: own, ClockRoutes(sales).routes + RefundRoutes(sales).routes + changes.routes),
            ]
        }
        return topics
    }

    /// Routes with the right that each of them wants.
    private struct Topic {
        let right: Right
        let routes: [Route]

        init(_ work: OperatorWork, in scope: Actor.Scope, _ routes: [Route]) {
            right = Right(work: work, scope: scope)
            self.routes = routes
        }
    }
}

/// What the routes of the control interface stand on, of one environment.
package struct ControlStore: Sendable {
    package let environment: StoreEnvironment
    package let catalogue: CatalogueStore
    /// What apps have earned in the environment; its books are read also where nothing is sold.
    package let proceeds: ProceedsReports
    /// The environment at work; nil where nothing is sold, because nobody has opened it for that.
    package let sales: EnvironmentStore?
    package let random = RandomBytes()
    /// What the environment signs with; nil where the process has no keys.
    package let profiles: ProfileIssuer?
    /// Where pictures and hosted content are.
    package let blobs: BlobSource
    /// How packages of hosted content are taken in.
    package let content: ContentIntake
    /// The newest requests of the listener; nil where none runs.
    package let history: RequestHistory?
    /// What texts of both environments are judged by.
    package let signers: @Sendable () -> [StoreEnvironment: EnvironmentSigners]
    /// The store as a program that runs; nil where none is looked after.
    package var system: StoreSystem?
    /// Where the sandbox is, which shows what waits for its approval; nil if it does not run.
    package var sandboxAddress: @Sendable () -> StoreAddress? = { nil }

    package init(
        _ environment: StoreEnvironment, _ catalogue: CatalogueStore, proceeds: ProceedsReports,
        sales: EnvironmentStore? = nil, profiles: ProfileIssuer?,
        blobs: BlobSource = .none, content: ContentIntake = ContentIntake(),
        history: RequestHistory? = nil,
        signers: @escaping @Sendable () -> [StoreEnvironment: EnvironmentSigners] = { [:] }
    ) {
        self.history = history
        self.content = content
        self.signers = signers
        self.environment = environment
        self.catalogue = catalogue
        self.proceeds = proceeds
        self.sales = sales
        self.profiles = profiles
        self.blobs = blobs
    }

    /// Tells the time of the wall clock.
    package var now: @Sendable () -> Instant { catalogue.now }
}

extension Route {
    /// The route for those only who show a token as Bearer.
    ///
    /// - Parameters:
    ///   - scheme: how the description of the interface calls the kind of token.
    ///   - hasForm: what has not the form of a token is refused before its body is read.
    ///   - isKnown: whether a token is let in; it throws what else is wrong with it, and leaves in the request who asks.
    package func guarded(
        by scheme: String, hasForm: @escaping @Sendable (String) -> Bool,
        _ isKnown: @escaping @Sendable (String, inout HTTPRequest) async throws -> Bool
    ) -> Route {
        var route = self
        route.middleware.insert(TokenForm(hasForm: hasForm), at: 0)
        let handler = handler
        route.gate = { request in
            guard case .bearer(let token) = request.authorization, try await isKnown(token, &request) else {
                throw TokenForm.refusal
            }
        }
        // A gate may wait, and so must the handler behind it.
        route.handler = .suspending { try await handler.answer($0) }
        route.documentation?.bearer = scheme
        return route.refusing([.tokenInvalid, .notAllowed, .productionRequired])
    }

    /// The route for somebody who is known by the way in which they ask.
    func asked(by actor: Actor) -> Route {
        var route = self
        let handler = handler
        route.handler = .suspending { request in
            var request = request
            request.context[Actor.self] = actor
            return try await handler.answer(request)
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
