import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// Apps and products by HTTP. The catalogue is the same in both environments.
struct CatalogueRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    var routes: [Route] { appRoutes + productRoutes + priceRoutes + entryRoutes + imageRoutes + importRoutes + [item] }

    static let tag = "catalogue"
    static let app = OperationDocumentation.Parameter.path(CataloguePaths.bundleID, schema: BundleID.schema)

    private var appRoutes: [Route] {
        [
            .get("/control/v1/apps", suspending: apps)
                .described(
                    "listApps", "The apps, in order of their bundle ids.", tag: Self.tag,
                    parameters: .page(by: BundleID.schema),
                    answers: [.init(.ok, "A page.", .of(Page<CatalogueAppAnswer>.self))]),
            .get("/control/v1/apps/{bundleId}", suspending: app)
                .described(
                    "readApp", "One app.", tag: Self.tag, parameters: [Self.app],
                    answers: [.init(.ok, "The app.", .of(CatalogueAppAnswer.self))], refusals: [.appUnknown]),
        ]
    }

    private func apps(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<BundleID>(request)
        let found = try await store.editing(request).apps(
            after: wanted.after, limit: wanted.rows, in: store.environment)
        return try .json(wanted.page(of: found, by: \.app.bundleID) { CatalogueAppAnswer($0, store) })
    }

    private func app(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[CataloguePaths.bundleID]
        return try .json(CatalogueAppAnswer(await store.editing(request).app(id, in: store.environment), store))
    }
}

/// The parts of paths that routes of the catalogue read.
enum CataloguePaths {
    static let bundleID = PathParameter<BundleID>("bundleId", rule: "the bundle id of an app, such as com.example.app")
    static let productID = PathParameter<ProductID>("productId", rule: "the id of a product")
    static let storefront = PathParameter<StorefrontRecord>(
        "storefront", rule: "the code of a storefront, three capital letters"
    ) { StorefrontRecord.storefront(alpha3: $0) }
}

extension CatalogueRoutes {
    /// The secrets with which servers of developers have the receipts of an app verified, in the environment of the listener.
    var secretRoutes: [Route] {
        [
            secret(
                .get("/control/v1/apps/{bundleId}/secret", suspending: appSecret), "readAppSecret",
                "The shared secret of an app in this environment."),
            secret(
                .post("/control/v1/apps/{bundleId}/secret", body: BodyPolicy.none, suspending: makeAppSecret),
                "makeAppSecret", "Gives an app a new shared secret in this environment; the old one is void at once."),
            secret(
                .delete("/control/v1/apps/{bundleId}/secret", suspending: removeAppSecret), "removeAppSecret",
                "Takes an app its shared secret in this environment.", isGone: true),
        ]
    }

    /// The secret with which the receipts of all apps are verified, in the environment of the listener.
    var primarySecretRoutes: [Route] {
        [
            secret(
                .get("/control/v1/secret", suspending: primarySecret), "readPrimarySecret",
                "The shared secret for all apps in this environment."),
            secret(
                .post("/control/v1/secret", body: BodyPolicy.none, suspending: makePrimarySecret), "makePrimarySecret",
                "Makes a new shared secret for all apps in this environment; the old one is void at once."),
            secret(
                .delete("/control/v1/secret", suspending: removePrimarySecret), "removePrimarySecret",
                "Removes the shared secret for all apps in this environment.", isGone: true),
        ]
    }

    private func secret(_ route: Route, _ id: String, _ summary: String, isGone: Bool = false) -> Route {
        let isOfApp = route.pattern.text.contains("{bundleId}")
        return route.described(
            id, summary, tag: Self.tag, parameters: isOfApp ? [Self.app] : [],
            answers: [
                isGone
                    ? .init(.noContent, "There is none any more.")
                    : .init(.ok, "The secret.", .of(SecretAnswer.self))
            ], refusals: isOfApp ? [.appUnknown] : [])
    }

    private func appSecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        let secret = try await store.editing(request).sharedSecret(
            of: request[CataloguePaths.bundleID], in: store.environment)
        return try .json(SecretAnswer(secret: secret))
    }

    private func makeAppSecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        let secret = try await store.editing(request).makeSharedSecret(
            of: request[CataloguePaths.bundleID], in: store.environment, store.random)
        return try .json(SecretAnswer(secret: secret))
    }

    private func removeAppSecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await store.editing(request).removeSharedSecret(
            of: request[CataloguePaths.bundleID], in: store.environment)
        return HTTPResponse(.noContent)
    }

    private func primarySecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(SecretAnswer(secret: await store.editing(request).primarySecret(in: store.environment)))
    }

    private func makePrimarySecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(
            SecretAnswer(
                secret: await store.editing(request).makePrimarySecret(in: store.environment, store.random)))
    }

    private func removePrimarySecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await store.editing(request).removePrimarySecret(in: store.environment)
        return HTTPResponse(.noContent)
    }
}
