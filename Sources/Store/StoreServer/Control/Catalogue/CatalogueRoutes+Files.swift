import StoreCatalogue
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

    /// For the listeners of both environments and of the administration together.
    private static let reading = CatalogueFileReading()

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
                        schema: visibleText(CatalogueLimits.appName)),
                    Self.approved, Self.trial,
                ], body: CatalogueSchemas.file,
                answers: [.init(.ok, "What came of it.", .of(ImportReports.self))], refusals: Self.refusals),
            .put(
                "/control/v1/catalogue", body: .collected(limit: StoreKitFileLimits.bytes), suspending: importCatalogue
            )
            .described(
                "importCatalogue", "Brings teams and apps up to a file of our own; all of it or nothing.",
                description:
                    "Teams that are not there are made, and renamed where the file calls them otherwise, for whoever may enrol "
                    + "teams.", tag: Self.tag,
                parameters: [Self.approved, Self.trial], body: CatalogueSchemas.catalogue,
                answers: [.init(.ok, "What came of it, team by team and app by app.", .of(ImportReports.self))],
                refusals: Self.refusals),
        ]
    }

    private static let left =
        "It has no secrets and keys, no pictures and hosted content but the digests of pictures, no codes of offers, nothing of "
        + "teams but their names, no versions of apps and no decisions of reviewers."

    /// The catalogue as files, which not everybody gets: what nobody knows in a file of Xcode may be secret.
    var exportRoutes: [Route] {
        let catalogue = OperationDocumentation.Body.json(CatalogueSchemas.catalogue)
        let storeKit = OperationDocumentation.Body.json(
            .object(["file": CatalogueSchemas.file, "omitted": .array(of: .of(FileFinding.self))]))
        return [
            .get("/control/v1/catalogue", suspending: exportCatalogue)
                .described(
                    "exportCatalogue",
                    "All teams and apps as a file of our own, but for what is not of the catalogue alone.",
                    description: Self.left, tag: Self.tag,
                    answers: [.init(.ok, "The file.", catalogue)]),
            .get("/control/v1/apps/{bundleId}/catalogue", suspending: exportApp)
                .described(
                    "exportApp", "One app as a file of our own, but for what is not of the catalogue alone.",
                    description: Self.left, tag: Self.tag,
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
            Self.reading.read(request.json()), into: id, name: request.target.query["name"], request)
        return try .json(reports)
    }

    private func importCatalogue(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await .json(run(Self.reading.read(request.json()), into: nil, name: nil, request))
    }

    private func run(
        _ file: CatalogueFile, into app: BundleID?, name: String?, _ request: HTTPRequest
    ) async throws -> ImportReports {
        let order = try CatalogueImport(
            file, into: app, name: name, isApproved: request.flag("approved"), isTrial: request.flag("trial"),
            by: request.actor, request: request.name)
        return try await store.editing(request).run(order)
    }

    private func exportCatalogue(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await Self.answer(store.editing(request).export())
    }

    private func exportApp(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await Self.answer(store.editing(request).export(request[CataloguePaths.bundleID]))
    }

    private func exportStoreKit(_ request: HTTPRequest) async throws -> HTTPResponse {
        let storefront = try request.target.query["storefront"].map { code in
            guard let storefront = StorefrontRecord.storefront(alpha3: code) else {
                throw CatalogueError(.valueInvalid, "there is no such storefront", field: "storefront")
            }
            return storefront
        }
        let (file, omitted) = try await store.editing(request).exportForXcode(
            request[CataloguePaths.bundleID], in: storefront)
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
