import StoreCatalogue
import StoreDatabase
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreService

extension CatalogueRoutes {
    static let approved = OperationDocumentation.Parameter.query(
        "approved", "Whether production sells the products from now on.", schema: .boolean())
    private static let trial = OperationDocumentation.Parameter.query(
        "trial", "Whether to change nothing, and to tell only what an import would do.", schema: .boolean())
    private static let refusals: [RefusalCode] =
        .product + [.teamUnknown, .kindFixed, .limitReached, .nameTaken, .nameUnknown, .productRemoved, .stateWrong]

    /// The catalogue from files.
    var importRoutes: [Route] {
        [
            .put(
                "/control/v1/apps/{bundleId}/import", body: .collected(limit: StoreKitFileLimits.bytes),
                suspending: importApp
            )
            .described(
                "importProducts", "Brings the products of an app up to a file of Xcode or of our own; all or nothing.",
                description:
                    "The app is made if there is none. Products that the file does not have stay as they are. The prices "
                    + "of a file of Xcode hold everywhere; where a storefront has another currency, for what they come to.",
                tag: Self.tag,
                parameters: [
                    Self.app,
                    .query(
                        "name", "The name of an app that is made.",
                        schema: .string(pattern: #"^[^\x00-\x1f\x7f-\x9f]*$"#, lengths: 1...CatalogueLimits.appName)),
                    Self.approved, Self.trial,
                ], body: CatalogueSchemas.file,
                answers: [.init(.ok, "What came of it.", .of(ImportReport.self))], refusals: Self.refusals),
            .put(
                "/control/v1/catalogue", body: .collected(limit: StoreKitFileLimits.bytes), suspending: importCatalogue
            )
            .described(
                "importCatalogue", "Brings apps up to a file of our own; all of it or nothing.", tag: Self.tag,
                parameters: [Self.approved, Self.trial], body: CatalogueSchemas.catalogue,
                answers: [.init(.ok, "What came of it, app by app.", .of(Page<ImportReport>.self))],
                refusals: Self.refusals),
        ]
    }

    /// The catalogue as files. Files of Xcode may have private keys, so that not everybody gets them back.
    var exportRoutes: [Route] {
        let catalogue = OperationDocumentation.Body.json(CatalogueSchemas.catalogue)
        let storeKit = OperationDocumentation.Body.json(
            .object(["file": CatalogueSchemas.file, "omitted": .array(of: .of(FileFinding.self))]))
        return [
            .get("/control/v1/catalogue", suspending: exportCatalogue)
                .described(
                    "exportCatalogue", "All apps as a file of our own, but for secrets and pictures.", tag: Self.tag,
                    answers: [.init(.ok, "The file.", catalogue)]),
            .get("/control/v1/apps/{bundleId}/catalogue", suspending: exportApp)
                .described(
                    "exportApp", "One app as a file of our own, but for secrets and pictures.", tag: Self.tag,
                    parameters: [Self.app], answers: [.init(.ok, "The file.", catalogue)], refusals: [.appUnknown]),
            .get("/control/v1/apps/{bundleId}/storekit", suspending: exportStoreKit)
                .described(
                    "exportStoreKit", "One app as a file for Xcode.", tag: Self.tag,
                    parameters: [
                        Self.app,
                        .query(
                            "storefront", "Whose prices it has; else that of the imported file, or the United States.",
                            schema: StorefrontCode.schema),
                    ], answers: [.init(.ok, "The file, and what has no place in it.", storeKit)],
                    refusals: [.appUnknown]),
        ]
    }

    private func importApp(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[CataloguePaths.bundleID]
        let reports = try await run(
            CatalogueFile(request.json()), into: id, name: request.target.query["name"], request)
        guard let report = reports.first else { throw CatalogueError(.valueInvalid, "the file has no app") }
        return try .json(report)
    }

    private func importCatalogue(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await .json(Page(run(CatalogueFile(request.json()), into: nil, name: nil, request)))
    }

    private func run(
        _ file: CatalogueFile, into app: BundleID?, name: String?, _ request: HTTPRequest
    ) async throws -> [ImportReport] {
        let actor = request.actor
        let order = try CatalogueImport(
            file, into: app, name: name, isApproved: request.flag("approved"), isTrial: request.flag("trial"),
            by: actor, request: request.name)
        for id in order.bundleIDs { try await actor.requireTeam(of: id, in: store.databases.catalogue) }
        return try await order.run(in: store.databases.catalogue, numbers: store.catalogueNumbers, at: store.now())
    }

    private func exportCatalogue(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (team, now) = (request.actor.team, store.now())
        let file = try await store.databases.catalogue.read { transaction in
            var apps: [CatalogueApp] = []
            repeat {
                let page = try Catalogue.apps(
                    of: team, after: apps.last?.bundleID, limit: PageLimits.most, in: transaction)
                apps += page
                if page.count < PageLimits.most { break }
            } while true
            return try CatalogueFile.export(apps, at: now, in: transaction)
        }
        return Self.answer(file)
    }

    private func exportApp(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (id, now) = (try request[CataloguePaths.bundleID], store.now())
        let file = try await store.databases.catalogue.read { transaction in
            try CatalogueFile.export([Self.app(id, in: transaction)], at: now, in: transaction)
        }
        return Self.answer(file)
    }

    private func exportStoreKit(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (id, now) = (try request[CataloguePaths.bundleID], store.now())
        let storefront = try request.target.query["storefront"].map { code in
            guard let storefront = StorefrontRecord.storefront(alpha3: code) else {
                throw CatalogueError(.valueInvalid, "there is no such storefront", field: "storefront")
            }
            return storefront
        }
        let (file, omitted) = try await store.databases.catalogue.read { transaction in
            try StoreKitFile.export(Self.app(id, in: transaction), in: storefront, at: now, transaction)
        }
        let findings = omitted.map { finding in
            JSONNode.object([
                "what": .text(finding.what), "count": .number("\(finding.count)"),
                "of": .list(finding.of.map(JSONNode.text)),
            ])
        }
        return Self.answer(.object(["file": file, "omitted": .list(findings)]))
    }

    private static func answer(_ node: JSONNode) -> HTTPResponse {
        HTTPResponse(.ok, Array((node.text + "\n").utf8), as: "application/json")
    }
}
