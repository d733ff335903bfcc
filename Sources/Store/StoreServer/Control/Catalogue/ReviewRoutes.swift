import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Apps as their developers prepare them, and what reviewers decide, by HTTP.
struct ReviewRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    private static let tag = "review"
    private static let app = CatalogueRoutes.app
    private static let product = [
        app, OperationDocumentation.Parameter.path(CataloguePaths.productID, schema: ProductID.schema),
    ]
    private static let versionName = PathParameter<String>("version", rule: "a version of the app, such as 1.0") {
        $0.isEmpty ? nil : $0
    }
    private static let appPath = "/control/v1/apps/{bundleId}"
    private static let productPath = appPath + "/products/{productId}"
    private static let versionPath = appPath + "/versions/{version}"

    /// What developers do.
    var developerRoutes: [Route] {
        [addApp, setCapabilities, why] + versionRoutes + [
            reviewed(
                .post(RoutePattern(Self.productPath + "/submission")) { request in
                    let wanted = try request.decode(SubmissionRequest.self)
                    let submission = ProductReviews.Submission(
                        category: ProductCategory(rawValue: wanted.category), delivers: wanted.delivers,
                        version: wanted.version, note: wanted.note)
                    return try await answer(store.editing(request).submit(request.product, submission))
                }, "submitProduct",
                "Asks for a review of a product: what it is and what customers get for it. The version that it names is submitted "
                    + "with it.",
                body: .of(SubmissionRequest.self)),
            reviewed(
                .delete(RoutePattern(Self.productPath + "/submission")) { request in
                    try await answer(store.editing(request).withdrawSubmission(of: request.product))
                }, "withdrawProduct", "Takes a submission back."),
        ]
    }

    /// What waits for a review.
    var queueRoutes: [Route] {
        [
            .get("/control/v1/reviews") { request in
                let found = try await store.editing(request).waitingForReview(limit: PageLimits.most)
                return try .json(Page(found.map { ReviewAnswer($0.product, of: $0.app.bundleID, store) }))
            }
            .described(
                "listReviews", "What waits for a reviewer or is in review, the oldest first.", tag: Self.tag,
                answers: [.init(.ok, "All of it, up to \(PageLimits.most).", .of(Page<ReviewAnswer>.self))]),
            reviewed(
                .get(RoutePattern(Self.productPath + "/review")) { request in
                    try await answer(store.editing(request).review(of: request.product))
                }, "readReview",
                "A product in review, and everything that happened to it."),
        ]
    }

    /// What reviewers of the store decide.
    var reviewerRoutes: [Route] {
        [
            reviewed(
                .post(RoutePattern(Self.productPath + "/review"), body: BodyPolicy.none) { request in
                    try await answer(store.editing(request).beginReview(of: request.product))
                }, "beginReview", "Takes a product up for review."),
            reviewed(
                .post(RoutePattern(Self.productPath + "/decision")) { request in
                    let decision = try Self.decision(request.decode(DecisionRequest.self))
                    return try await answer(store.editing(request).decide(decision, about: request.product))
                }, "decideReview", "Approves or rejects a product that is in review.", body: .of(DecisionRequest.self)),
            reviewed(
                .put(RoutePattern(Self.productPath + "/removal")) { request in
                    let message = try request.decode(ReasonRequest.self).reason
                    return try await answer(
                        store.editing(request).setRemovedFromSale(because: message, request.product))
                }, "removeFromSale", "Takes an approved product off the shelves.", body: .of(ReasonRequest.self)),
            reviewed(
                .delete(RoutePattern(Self.productPath + "/removal")) { request in
                    try await answer(store.editing(request).setRemovedFromSale(because: nil, request.product))
                }, "putBackOnSale", "Puts a product back that was taken off the shelves."),
            version(
                "/review", .begun, "beginVersionReview", "Takes a version of an app up for review."),
            .post(RoutePattern(Self.versionPath + "/decision")) { request in
                let decision = try Self.decision(request.decode(DecisionRequest.self))
                let version = try await store.editing(request).decide(
                    decision, aboutVersion: request[Self.versionName], of: request[CataloguePaths.bundleID])
                return try .json(VersionAnswer(version))
            }
            .described(
                "decideVersion", "Approves or rejects a version of an app, and with it what was submitted together.",
                tag: Self.tag, parameters: [Self.app, .path(Self.versionName)], body: .of(DecisionRequest.self),
                answers: [.init(.ok, "The version.", .of(VersionAnswer.self))],
                refusals: [.appUnknown, .nameUnknown, .stateWrong]),
        ]
    }

    private static func decision(_ wanted: DecisionRequest) throws(APIError) -> ProductReviews.Decision {
        if wanted.isApproved { return .approve }
        guard let reason = wanted.reason else {
            throw APIError(.valueMissing, "a rejection has a reason", parameter: "reason")
        }
        return .reject(RejectionReason(rawValue: reason), message: wanted.message ?? "")
    }

    // MARK: Apps

    private var addApp: Route {
        .post("/control/v1/apps") { request in
            let wanted = try request.decode(AppRequest.self)
            let app = try await store.editing(request).addApp(
                wanted.bundleId, name: wanted.name, primaryLanguage: wanted.primaryLanguage, team: wanted.teamId)
            return try .json(CatalogueAppAnswer(app, store), status: .created)
        }
        .described(
            "addApp", "Enters an app.", tag: CatalogueRoutes.tag, body: .of(AppRequest.self),
            answers: [.init(.created, "The app.", .of(CatalogueAppAnswer.self))], refusals: [.teamUnknown, .appExists])
    }

    private var setCapabilities: Route {
        .put(RoutePattern(Self.appPath + "/capabilities")) { request in
            let wanted = try request.decode(CapabilitiesMessage.self)
            let app = try await store.editing(request).setCapabilities(
                Set(wanted.capabilities.map(AppCapability.init)), of: request[CataloguePaths.bundleID],
                in: store.environment)
            return try .json(CatalogueAppAnswer(app, store))
        }
        .described(
            "setCapabilities", "Sets what an app may use; if that changes anything, its profiles become stale.",
            tag: CatalogueRoutes.tag, parameters: [Self.app], body: .of(CapabilitiesMessage.self),
            answers: [.init(.ok, "The app.", .of(CatalogueAppAnswer.self))], refusals: [.appUnknown])
    }

    private var versionRoutes: [Route] {
        [
            .get(RoutePattern(Self.appPath + "/versions")) { request in
                let found = try await store.editing(request).versions(of: request[CataloguePaths.bundleID])
                return try .json(Page(found.map(VersionAnswer.init)))
            }
            .described(
                "listVersions", "The versions of an app, the oldest first.", tag: Self.tag, parameters: [Self.app],
                answers: [.init(.ok, "All of them.", .of(Page<VersionAnswer>.self))], refusals: [.appUnknown]),
            .post(RoutePattern(Self.appPath + "/versions")) { request in
                let wanted = try request.decode(VersionRequest.self)
                let made = try await store.editing(request).addVersion(
                    wanted.version, of: request[CataloguePaths.bundleID])
                return try .json(VersionAnswer(made), status: .created)
            }
            .described(
                "addVersion", "Enters a version of an app.", tag: Self.tag, parameters: [Self.app],
                body: .of(VersionRequest.self), answers: [.init(.created, "The version.", .of(VersionAnswer.self))],
                refusals: [.appUnknown, .nameTaken, .limitReached]),
            version("/submission", .submitted, "submitVersion", "Asks for a review of a version of an app."),
            version("/withdrawal", .developerRejected, "rejectVersion", "Its developer rejects a version of an app."),
        ]
    }

    private func version(_ path: String, _ event: AppVersionReview.Event, _ id: String, _ summary: String) -> Route {
        .post(RoutePattern(Self.versionPath + path), body: BodyPolicy.none) { try await advance($0, event) }
            .described(
                id, summary, tag: Self.tag, parameters: [Self.app, .path(Self.versionName)],
                answers: [.init(.ok, "The version.", .of(VersionAnswer.self))],
                refusals: [.appUnknown, .nameUnknown, .stateWrong])
    }

    private func advance(_ request: HTTPRequest, _ event: AppVersionReview.Event) async throws -> HTTPResponse {
        let version = try await store.editing(request).advance(
            request[Self.versionName], of: request[CataloguePaths.bundleID], by: event)
        return try .json(VersionAnswer(version))
    }

    // MARK: Products

    /// A route that answers how a product and its review are then.
    private func reviewed(_ route: Route, _ id: String, _ summary: String, body: JSONSchema? = nil) -> Route {
        route.described(
            id, summary, tag: Self.tag, parameters: Self.product, body: body,
            answers: [.init(.ok, "The product.", .of(ReviewAnswer.self))],
            refusals: .product + [.nameUnknown, .stateWrong])
    }

    private func answer(_ reviewed: ReviewedProduct) throws -> HTTPResponse {
        try .json(ReviewAnswer(reviewed.product, of: reviewed.bundle, store, reviewed.history))
    }

    // MARK: Why

    private var why: Route {
        .get(RoutePattern(Self.appPath + "/why")) { request in
            let query = request.target.query
            guard let id = query["productId"], !id.isEmpty else {
                throw APIError(.valueMissing, "name the product: ?productId=…", parameter: "productId")
            }
            let bundle = try request[CataloguePaths.bundleID]
            let shopper = try await shopper(of: request, bundle)
            let code = query["storefront"] ?? shopper?.storefront.alpha3 ?? "USA"
            guard let storefront = StorefrontRecord.storefront(alpha3: code) else {
                throw APIError(.valueInvalid, "there is no storefront \(code)", parameter: "storefront")
            }
            let device = try await device(of: request) ?? shopper?.device
            let found = try await store.editing(request).explain(
                id, of: bundle, in: store.environment, storefront: storefront, profile: device?.profileRevision,
                delay: store.sales?.policy.propagation ?? .zero)
            let place = ProductObstacle.Place(
                bundle, id, storefront, team: found.team, account: shopper?.email, device: device?.id,
                in: store.environment)
            return try .json(WhyAnswer(found.invalid, shopper?.obstacle, id, place, storefront))
        }
        .described(
            "explainProduct", "Why a product is sold to customers of this environment, or not, and what mends it.",
            tag: Self.tag,
            parameters: [
                Self.app, .query("productId", "The id, as the app asks for it."),
                .query("storefront", "Where; the United States if it is missing.", schema: StorefrontCode.schema),
                .query("device", "A device, whose provisioning profile counts too.", schema: DeviceID.schema),
                .query(
                    "customer",
                    "The number or the address of an account: its storefront, its newest device with the app, and whether it "
                        + "may buy."),
            ], answers: [.init(.ok, "Why.", .of(WhyAnswer.self))],
            refusals: .product + [.notAllowed, .deviceUnknown, .customerUnknown])
    }
}

extension ReviewRoutes {
    /// The account that is asked about, for those who look after accounts.
    private func shopper(of request: HTTPRequest, _ bundle: BundleID) async throws -> Shopper? {
        guard let name = request.target.query["customer"], let sales = store.sales else { return nil }
        return try await Accounts(sales).shopper(named: name, of: bundle, request.actor)
    }

    /// The device that is asked about, for those who look after devices.
    private func device(of request: HTTPRequest) async throws -> DeviceRecord? {
        guard let text = request.target.query["device"] else { return nil }
        try request.actor.require(.customers, change: false, in: .environment(store.environment))
        guard let id = DeviceID(text) else {
            throw APIError(.valueInvalid, "the number of a device", parameter: "device")
        }
        guard let sales = store.sales else { return nil }
        return try await OperatorDevices(sales).device(id)
    }
}

extension WhyAnswer {
    /// - Parameter ofShopper: what keeps the account that is asked about from buying anything.
    init(
        _ invalid: InvalidProduct?, _ ofShopper: ProductObstacle?, _ id: String, _ place: ProductObstacle.Place,
        _ storefront: StorefrontRecord
    ) {
        environment = place.environment
        productId = id
        self.storefront = storefront.alpha3
        let obstacle = invalid?.obstacle ?? ofShopper
        isSold = obstacle == nil
        reason = obstacle?.name
        nearest = invalid?.nearest
        explanation = invalid?.explanation ?? ofShopper?.explanation ?? "the product is sold"
        // Whoever asked for another id than was meant has nothing to mend in the store.
        remedy = nearest == nil ? obstacle?.remedy(place).map { "till \($0)" } : nil
    }
}
