import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// Changes of what is live that wait for their publication, by HTTP.
struct DraftRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    private static let field = PathParameter<String>(
        "field", rule: "a field of a draft, such as price or prices.USA"
    ) { $0.isEmpty ? nil : $0 }

    /// What shows drafts and takes them back: that changes only what the sandbox sells.
    var routes: [Route] {
        [
            .get("/control/v1/catalogue/drafts", suspending: drafts)
                .described(
                    "listDrafts", "What waits to go live, product by product.",
                    description:
                        "The sandbox sells by it already. A change of prices, shelves, offers, tax or a removal goes live when "
                        + "it is published, one of texts and pictures when it is approved.",
                    tag: CatalogueRoutes.tag,
                    parameters: [
                        .query("bundleId", "Of this app only.", schema: BundleID.schema),
                        .query(
                            "after", "What the page comes after: next of the one before it.",
                            schema: .string(example: "com.example.app/com.example.app.pro")),
                        .query(
                            "limit",
                            "How many products the page has at most; \(CatalogueDrafts.page) if it is missing.",
                            schema: .integer(minimum: 1, maximum: CatalogueDrafts.page)),
                    ], answers: [.init(.ok, "A page of drafts.", .of(DraftsAnswer.self))],
                    refusals: [.appUnknown]),
            .post("/control/v1/catalogue/drafts/discard") { request in
                let choice = try request.decode(DraftsRequest.self).choice
                return try .json(DiscardAnswer(products: await store.editing(request).discard(choice)))
            }
            .described(
                "discardDrafts", "Takes drafts back: the sandbox sells what production does.", tag: CatalogueRoutes.tag,
                body: .of(DraftsRequest.self), answers: [.init(.ok, "They are gone.", .of(DiscardAnswer.self))],
                refusals: .product + [.stateWrong, .limitReached]),
            .get("/control/v1/apps/{bundleId}/products/{productId}/draft") { request in
                guard let found = try await store.editing(request).draft(of: request.product) else {
                    throw CatalogueError(.nameUnknown, "nothing of the product waits to go live", field: "productId")
                }
                return try .json(DraftAnswer(found))
            }
            .described(
                "readDraft", "What of a product waits to go live.", tag: CatalogueRoutes.tag,
                parameters: CatalogueRoutes.product, answers: [.init(.ok, "The draft.", .of(DraftAnswer.self))],
                refusals: .product + [.nameUnknown]),
            .delete("/control/v1/apps/{bundleId}/products/{productId}/draft/{field}") { request in
                try await store.editing(request).discard(request[Self.field], of: request.product)
                return HTTPResponse(.noContent)
            }
            .described(
                "discardField", "Takes one field of a draft back.", tag: CatalogueRoutes.tag,
                parameters: CatalogueRoutes.product + [.path(Self.field, schema: .string(example: "prices.USA"))],
                answers: [.init(.noContent, "It is as production has it.")],
                refusals: .product + [.stateWrong, .nameUnknown]),
        ]
    }

    /// What lets production sell by drafts.
    var publication: [Route] {
        [
            .post("/control/v1/catalogue/publication") { request in
                let isTrial = try request.flag("trial")
                let choice = try request.decode(DraftsRequest.self).choice
                let made = try await store.editing(request).publish(choice, isTrial: isTrial)
                return try .json(PublicationAnswer(made, isTrial: isTrial))
            }
            .described(
                "publishDrafts", "Lets production sell by drafts: all of them from one moment on, or none.",
                tag: CatalogueRoutes.tag,
                parameters: [
                    .query(
                        "trial", "Whether to change nothing, and to tell only what a publication would do.",
                        schema: .boolean())
                ], body: .of(DraftsRequest.self),
                answers: [.init(.ok, "What production sells by now.", .of(PublicationAnswer.self))],
                refusals: .product + [.stateWrong, .limitReached])
        ]
    }

    private func drafts(_ request: HTTPRequest) async throws -> HTTPResponse {
        let query = request.target.query
        let app = try query["bundleId"].map { text throws(APIError) in
            guard let app = BundleID(text) else {
                throw APIError(.valueInvalid, "this is the bundle id of an app", parameter: "bundleId")
            }
            return app
        }
        let last = try query["after"].map { text throws(APIError) in
            guard let path = ProductPath(text) else {
                throw APIError(.valueInvalid, "a page comes after what another had as next", parameter: "after")
            }
            return path
        }
        let limit = try query["limit"].map { text throws(APIError) in
            guard let limit = Int(text), (1...CatalogueDrafts.page).contains(limit) else {
                throw APIError(
                    .valueInvalid, "a page has 1 to \(CatalogueDrafts.page) products", parameter: "limit")
            }
            return limit
        }
        let page = try await store.editing(request).drafts(of: app, after: last, limit: limit ?? CatalogueDrafts.page)
        return try .json(DraftsAnswer(page))
    }
}
