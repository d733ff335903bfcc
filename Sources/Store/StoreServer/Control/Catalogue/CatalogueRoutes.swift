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
                    answers: [.init(.ok, "The app.", .of(CatalogueAppAnswer.self))], refusals: [.notFound]),
            .put(
                "/control/v1/apps/{bundleId}/import", body: .collected(limit: StoreKitFileLimits.bytes),
                suspending: importFile
            )
            .described(
                "importProducts", "Brings the products of an app up to a .storekit file; all of it or nothing.",
                description:
                    "The app is made if there is none. Products that the file does not have stay as they are. The prices "
                    + "of the file hold in every storefront that has the currency of the file's storefront.",
                tag: Self.tag,
                parameters: [
                    Self.app,
                    .query(
                        "name", "The name of an app that is made.",
                        schema: .string(pattern: #"^[^\x00-\x1f\x7f-\x9f]*$"#, lengths: 1...CatalogueLimits.appName)),
                    .query("approved", "Whether production sells the products from now on.", schema: .boolean()),
                ], body: CatalogueSchemas.file,
                answers: [.init(.ok, "What came of it.", .of(ImportReport.self))], refusals: [.notFound, .conflict]),
        ]
    }

    private func apps(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<BundleID>(request)
        let found = try await store.databases.catalogue.read { transaction in
            try Catalogue.apps(after: wanted.after, limit: wanted.rows, in: transaction)
        }
        return try .json(wanted.page(of: found, by: \.bundleID, CatalogueAppAnswer.init))
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
            throw APIError(.valueInvalid, "this is true or false", parameter: "approved")
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
