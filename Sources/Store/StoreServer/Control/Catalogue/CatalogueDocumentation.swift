import StoreHTTP
import StoreModel
import StoreService

/// What several routes of the catalogue say of themselves alike.
enum CatalogueDocumentation {
    typealias Response = OperationDocumentation.Response
    typealias Parameter = OperationDocumentation.Parameter

    private static let app = Parameter.path(CataloguePaths.bundleID, schema: BundleID.schema)
    private static let product = Parameter.path(CataloguePaths.productID, schema: ProductID.schema)
    private static let storefront = Parameter.path(
        CataloguePaths.storefront, schema: .string(example: "USA", pattern: "^[A-Z]{3}$"))
    private static let badBody = Response(.badRequest, "A value breaks its rule; the error names it.", .error)
    private static let badType = Response(.unsupportedMediaType, "The body is not said to be JSON.", .error)
    private static let tooLarge = Response(.contentTooLarge, "The body is too large.", .error)

    static func page(_ id: JSONSchema) -> [Parameter] {
        [
            .query("after", "What the page comes after.", schema: id),
            .query(
                "limit", "How many the page has at most.",
                schema: .integer(minimum: 1, maximum: CataloguePaths.page.most)),
        ]
    }

    static func ofApp(
        _ id: String, _ summary: String, parameters: [Parameter] = [], answer: Response, more: [Response] = []
    ) -> OperationDocumentation {
        OperationDocumentation(
            id: id, summary: summary, tag: "catalogue", parameters: [app] + parameters,
            responses: [answer, Response(.notFound, "There is no such app.", .error)] + more)
    }

    static func ofProduct(_ id: String, _ summary: String, _ answer: Response) -> OperationDocumentation {
        OperationDocumentation(
            id: id, summary: summary, tag: "catalogue", parameters: [app, product],
            responses: [answer, Response(.notFound, "There is no such app or product.", .error)])
    }

    static func setPrice(_ answer: Response) -> OperationDocumentation {
        OperationDocumentation(
            id: "setPrice", summary: "Sets what a product costs in a storefront.", tag: "catalogue",
            parameters: [app, product, storefront], body: .json(.of(PriceRequest.self)),
            responses: [
                answer, badBody, badType, tooLarge,
                Response(.notFound, "There is no such app, product or storefront.", .error),
            ])
    }

    static func removePrice(_ answer: Response) -> OperationDocumentation {
        OperationDocumentation(
            id: "removePrice", summary: "Takes a product out of a storefront.", tag: "catalogue",
            parameters: [app, product, storefront],
            responses: [answer, Response(.notFound, "There is no such app, product or storefront.", .error)])
    }

    static let importFile = OperationDocumentation(
        id: "importProducts", summary: "Brings the products of an app up to a .storekit file; all of it or nothing.",
        description:
            "The app is made if there is none. Products that the file does not have stay as they are. The prices "
            + "of the file hold in every storefront that has the currency of the file's storefront.",
        tag: "catalogue",
        parameters: [
            app,
            .query(
                "name", "The name of an app that is made.",
                schema: .string(pattern: #"^[^\x00-\x1f\x7f-\x9f]*$"#, lengths: 1...CatalogueLimits.appName)),
            .query("approved", "Whether production sells the products from now on.", schema: .boolean()),
        ],
        body: .json(CatalogueSchemas.file),
        responses: [
            Response(.ok, "What came of it.", .json(.of(ImportReport.self))), badBody, badType, tooLarge,
            Response(.notFound, "No app can have this bundle id.", .error),
            Response(.conflict, "A product is of another kind, or its id belonged to one that was removed.", .error),
        ])
}
