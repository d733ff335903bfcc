import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Subscriptions of customers, by those who look after the store.
struct SubscriptionChangeRoutes: Sendable {
    private let store: EnvironmentStore
    private let changes: SubscriptionChanges
    private let control: ControlStore

    init(_ control: ControlStore, _ sales: EnvironmentStore) {
        self.control = control
        store = sales
        changes = SubscriptionChanges(sales)
    }

    private static let tag = "subscriptions"
    private static let subscription = PathParameter<SubscriptionID>(
        "subscriptionId", rule: "the number of a subscription, which is that of its first transaction"
    ) { SubscriptionID($0) }
    private static let one: [OperationDocumentation.Parameter] = [.path(subscription, schema: SubscriptionID.schema)]
    private static let states = Subscription.State.allCases.map(\.rawValue)

    var routes: [Route] { reading + changing }

    private var reading: [Route] {
        [
            .get("/control/v1/subscriptions", suspending: list)
                .described(
                    "listSubscriptions", "Subscriptions, the newest first.", tag: Self.tag,
                    parameters: [
                        .ofCustomer, .query("app", "Only of this app.", schema: BundleID.schema),
                        .query("product", "Only of this product.", schema: ProductID.schema),
                        .query("state", "Only those in this state.", schema: .string(among: Self.states)),
                    ] + .page(by: SubscriptionID.schema),
                    answers: [.init(.ok, "A page of them.", .of(Page<SubscriptionReport>.self))],
                    refusals: [.customerUnknown]),
            .get("/control/v1/subscriptions/{subscriptionId}") { try await details(of: $0[Self.subscription]) }
                .described(
                    "showSubscription", "A subscription with its periods and its history.", tag: Self.tag,
                    parameters: Self.one,
                    answers: [.init(.ok, "The subscription.", .of(SubscriptionDetails.self))],
                    refusals: [.subscriptionUnknown]),
        ]
    }

    private var changing: [Route] {
        [
            act("cancellation", "cancelSubscription", "Let it end with its period.") {
                try await changes.renew($0, false, $1)
            },
            act("resumption", "resumeSubscription", "Let it renew after all.") {
                try await changes.renew($0, true, $1)
            },
            act("expiry", "expireSubscription", "End it now. Only in the sandbox.") {
                try await changes.expire($0, $1)
            },
            act("renewal", "forceRenewal", "End its period now and renew it. Only in the sandbox.") {
                try await changes.forceRenewal($0, $1)
            },
            act("price-request", "requestPriceConsent", "Ask its customer to agree to the price. Only in the sandbox.")
            {
                try await changes.requestConsent($0, $1)
            },
            act("resolution", "resolveBilling", "Try at once to have it paid.") { try await changes.resolve($0, $1) },
            .post("/control/v1/subscriptions/{subscriptionId}/price-answer") { request in
                let (id, wanted) = (try request[Self.subscription], try request.decode(PriceAnswerRequest.self))
                _ = try await changes.answerPrice(id, agrees: wanted.agrees, cause(request))
                return try await details(of: id)
            }
            .described(
                "answerPriceIncrease", "Answer to a higher price for the customer.", tag: Self.tag,
                parameters: Self.one, body: .of(PriceAnswerRequest.self),
                answers: [.init(.ok, "The subscription.", .of(SubscriptionDetails.self))],
                refusals: [.subscriptionUnknown, .tooLate]),
        ]
    }

    private func act(
        _ noun: String, _ id: String, _ summary: String,
        _ change: @escaping @Sendable (SubscriptionID, ChangeCause) async throws -> StoredSubscription
    ) -> Route {
        .post(
            RoutePattern("/control/v1/subscriptions/{subscriptionId}/\(noun)"), body: BodyPolicy.none,
            suspending: { request in
                let id = try request[Self.subscription]
                _ = try await change(id, cause(request))
                return try await details(of: id)
            }
        )
        .described(
            id, summary, tag: Self.tag, parameters: Self.one,
            answers: [.init(.ok, "The subscription.", .of(SubscriptionDetails.self))],
            refusals: [
                .subscriptionUnknown, .sandboxOnly, .stateWrong, .tooLate, .productUnavailable, .beingPaid, .clockBusy,
            ])
    }

    private func cause(_ request: HTTPRequest) -> ChangeCause { store.cause(request.actor, request: request.name) }

    private func details(of id: SubscriptionID) async throws -> HTTPResponse {
        try .json(SubscriptionDetails(try await changes.details(of: id)))
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let query = request.target.query
        let wanted = try PageRequest<SubscriptionID>(request)
        var selection = SubscriptionChanges.Selection(after: wanted.after, limit: wanted.rows)
        if let text = query["state"] {
            guard let state = Subscription.State(rawValue: text) else {
                throw APIError(
                    .valueInvalid, "A subscription is \(Self.states.joined(separator: ", ")).", parameter: "state")
            }
            selection.state = state
        }
        if let text = query["app"] {
            guard let bundle = BundleID(text) else {
                throw APIError(.valueInvalid, "This is a bundle id.", parameter: "app")
            }
            selection.app = try await control.editing(request).app(bundle).id
        }
        if let text = query["product"] {
            guard let product = ProductID(text) else {
                throw APIError(.valueInvalid, "This is the id of a product.", parameter: "product")
            }
            selection.product = product
        }
        let found = try await changes.list(selection, ofCustomer: query["customer"])
        return try .json(wanted.page(of: found, by: \.id) { SubscriptionReport($0.subscription, at: $0.now) })
    }
}

/// What developers set for the subscriptions of an app.
extension SubscriptionChangeRoutes {
    private static let app = CatalogueRoutes.app

    /// What reaches those who subscribe in this environment.
    var priceRoutes: [Route] {
        [
            .post("/control/v1/apps/{bundleId}/products/{productId}/price-increase") { request in
                let (bundle, product) = (try request[CataloguePaths.bundleID], try request[CataloguePaths.productID])
                let wanted = try request.decode(PriceIncreaseRequest.self)
                let raise = try await changes.raise(
                    product, of: bundle, in: wanted.storefront.known(parameter: "storefront"),
                    consent: wanted.consent, cause(request))
                return try .json(
                    PriceIncreaseReport(
                        count: raise.count, needingConsent: raise.needingConsent, askedAlready: raise.askedAlready))
            }
            .described(
                "raisePrice", "Bring the price that a subscription has now to those who subscribe already.",
                tag: Self.tag, parameters: [Self.app, .path(CataloguePaths.productID, schema: ProductID.schema)],
                body: .of(PriceIncreaseRequest.self),
                answers: [.init(.ok, "Whom it reaches.", .of(PriceIncreaseReport.self))],
                refusals: .product + [.productUnavailable, .tooLate])
        ]
    }

    /// The grace period, which is one for both environments.
    static func graceRoutes(_ control: ControlStore) -> [Route] {
        let path: RoutePattern = "/control/v1/apps/{bundleId}/grace-period"
        return [
            .get(path) { request in
                let setting = try await control.editing(request).gracePeriod(of: request[CataloguePaths.bundleID])
                return try .json(GracePeriodMessage(setting))
            }
            .described(
                "readGracePeriod", "How long subscriptions count that could not be paid.", tag: tag,
                parameters: [app], answers: [.init(.ok, "The setting.", .of(GracePeriodMessage.self))],
                refusals: [.appUnknown]),
            .put(path) { request in
                let wanted = try request.decode(GracePeriodMessage.self)
                let draft = GracePeriodDraft(
                    days: wanted.days, isOnlyPaid: wanted.isOnlyPaid, isInProduction: wanted.isInProduction)
                let setting = try await control.editing(request).put(draft, of: request[CataloguePaths.bundleID])
                return try .json(GracePeriodMessage(setting))
            }
            .described(
                "setGracePeriod",
                "Set how long subscriptions count that could not be paid; what is missing stays as it is.",
                tag: tag,
                parameters: [app], body: .of(GracePeriodMessage.self),
                answers: [.init(.ok, "The setting.", .of(GracePeriodMessage.self))], refusals: [.appUnknown]),
        ]
    }
}
