import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService

/// Apps and products by HTTP. The catalogue is the same in both environments.
struct CatalogueRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    var routes: [Route] { appRoutes + productRoutes + secretRoutes }

    private var appRoutes: [Route] {
        [
            Route.get("/control/v1/apps", suspending: apps).documented(
                .init(
                    id: "listApps", summary: "The apps, in order of their bundle ids.", tag: "catalogue",
                    parameters: CatalogueDocumentation.page(BundleID.schema),
                    responses: [
                        .init(.ok, "A page.", .json(.of(CatalogueAppList.self))),
                        .init(.badRequest, "The page is not one.", .error),
                    ])),
            Route.get("/control/v1/apps/{bundleId}", suspending: app).documented(
                CatalogueDocumentation.ofApp(
                    "readApp", "One app.", answer: .init(.ok, "The app.", .json(.of(CatalogueAppAnswer.self))))),
            Route.put(
                "/control/v1/apps/{bundleId}/import", body: .collected(limit: StoreKitFileLimits.bytes),
                suspending: importFile
            ).documented(CatalogueDocumentation.importFile),
        ]
    }

    private func apps(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (limit, after) = (
            try CataloguePaths.limit(of: request), try CataloguePaths.after(BundleID.self, of: request)
        )
        let found = try await store.databases.catalogue.read { transaction in
            try Catalogue.apps(after: after, limit: limit + 1, in: transaction)
        }
        let page = found.prefix(limit)
        return try .json(
            CatalogueAppList(
                apps: page.map(CatalogueAppAnswer.init), next: found.count > limit ? page.last?.bundleID : nil))
    }

    private func app(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[CataloguePaths.bundleID]
        return try .json(CatalogueAppAnswer(await store.databases.catalogue.read { try Self.app(id, in: $0) }))
    }

    private func importFile(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[CataloguePaths.bundleID]
        let file = try StoreKitFile(request.json())
        let query = request.target.query
        let isApproved = query["approved"] ?? "false"
        guard ["true", "false"].contains(isApproved) else {
            throw APIError(
                .badRequest, code: "approved_invalid", "This is true or false.", parameter: "approved")
        }
        let order = ProductImport(file, into: id, name: query["name"], isApproved: isApproved == "true")
        return try .json(
            await order.run(in: store.databases.catalogue, numbers: store.catalogueNumbers, at: store.now()))
    }

    /// The app, or the refusal that there is none.
    static func app(_ id: BundleID, in transaction: any ReadTransaction) throws -> CatalogueApp {
        guard let app = try Catalogue.app(id, in: transaction) else {
            throw CatalogueError(.appUnknown, "there is no app of this bundle id", field: "bundleId")
        }
        return app
    }
}
