import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What is changed of apps and products one thing at a time, and what a product lacks before its review, by HTTP.
struct EditingRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    var routes: [Route] { appRoutes + textRoutes + reviewRoutes + [move] }

    private static let version = PathParameter<String>("version", rule: "a version of the app, such as 1.0") {
        $0.isEmpty ? nil : $0
    }
    private static let language = PathParameter<String>("language", rule: "the tag of a language, such as en-US") {
        $0.isEmpty ? nil : $0
    }
    private static let group = PathParameter<SubscriptionGroupID>("groupId", rule: "the id of a group") {
        try? SubscriptionGroupID(parsing: $0)
    }
    private static let productPath = "/control/v1/apps/{bundleId}/products/{productId}"

    private var appRoutes: [Route] {
        [
            .put("/control/v1/apps/{bundleId}") { request in
                let wanted = try request.decode(AppChangeRequest.self)
                let app = try await store.editing(request).change(
                    AppDraft(name: wanted.name, primaryLanguage: wanted.primaryLanguage),
                    of: request[CataloguePaths.bundleID], in: store.environment)
                return try .json(CatalogueAppAnswer(app, store))
            }
            .described(
                "changeApp", "Gives an app another name, or another language for texts where no other fits.",
                tag: CatalogueRoutes.tag, parameters: [CatalogueRoutes.app], body: .of(AppChangeRequest.self),
                answers: [.init(.ok, "The app.", .of(CatalogueAppAnswer.self))], refusals: [.appUnknown]),
            .delete("/control/v1/apps/{bundleId}/versions/{version}") { request in
                try await store.editing(request).removeVersion(
                    request[Self.version], of: request[CataloguePaths.bundleID])
                return HTTPResponse(.noContent)
            }
            .described(
                "removeVersion", "Takes back a version of an app that was never submitted.", tag: "review",
                parameters: [CatalogueRoutes.app, .path(Self.version)],
                answers: [.init(.noContent, "It is gone.")], refusals: [.appUnknown, .nameUnknown, .stateWrong]),
        ]
    }

    private var textRoutes: [Route] {
        [
            CatalogueRoutes(store).product(
                .delete(RoutePattern(Self.productPath + "/texts/{language}")) { request in
                    let details = try await store.editing(request).removeText(
                        request[Self.language], of: request.product)
                    return try .json(CatalogueDetailsAnswer(details, store))
                }, "removeText",
                "Takes a product its text in a language: the one that waits for its approval, or else the one that is shown.",
                .path(Self.language))
        ]
    }

    private var reviewRoutes: [Route] {
        [
            .get(RoutePattern(Self.productPath + "/readiness")) { request in
                try .json(ReadinessAnswer(await store.editing(request).checklist(of: request.product)))
            }
            .described(
                "readReadiness", "What a product has, and what it lacks before it can be submitted for review.",
                tag: "review", parameters: CatalogueRoutes.product,
                answers: [.init(.ok, "The list.", .of(ReadinessAnswer.self))], refusals: .product),
            .put(RoutePattern(Self.productPath + "/submission")) { request in
                let wanted = try request.decode(ReviewFactsRequest.self)
                let facts = ReviewFacts(
                    category: wanted.category.map { ProductCategory(rawValue: $0) }, delivers: wanted.delivers,
                    note: wanted.note)
                let kept = try await store.editing(request).keep(facts, of: request.product)
                return try .json(ReviewAnswer(kept.product, of: kept.bundle, store, kept.history))
            }
            .described(
                "prepareSubmission", "Keeps what a reviewer will be told of a product, without submitting it.",
                tag: "review", parameters: CatalogueRoutes.product, body: .of(ReviewFactsRequest.self),
                answers: [.init(.ok, "The product.", .of(ReviewAnswer.self))], refusals: .product + [.stateWrong]),
        ]
    }

    private var move: Route {
        .post("/control/v1/apps/{bundleId}/groups/{groupId}/moves") { request in
            let wanted = try request.decode(LevelMoveRequest.self)
            let groups = try await store.drafting(request).move(
                wanted.productId, try wanted.move, in: request[Self.group], of: request[CataloguePaths.bundleID])
            return try .json(Page(groups.map(GroupMessage.init)))
        }
        .described(
            "moveLevel", "Moves a subscription one rank up or down in its group.", tag: CatalogueRoutes.tag,
            parameters: [
                CatalogueRoutes.app, .path(Self.group, schema: SubscriptionGroupID.schema), CatalogueRoutes.publish,
            ],
            body: .of(LevelMoveRequest.self),
            answers: [.init(.ok, "The group.", .of(Page<GroupMessage>.self))],
            refusals: .product + [.nameUnknown, .stateWrong])
    }
}
