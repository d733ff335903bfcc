import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

extension DeviceRoutes {
    private static let visit = PathParameter<VisitID>("visitId", rule: "the number of a visit of this device") {
        VisitID($0)
    }

    /// Pages of the store that apps show.
    var visitRoutes: [Route] {
        [
            .post("/device/v1/visits", suspending: { try await openVisit($0) })
                .described(
                    Self.visiting, "Open a page of the store, to be shown by the app.", tag: "devices",
                    token: Self.scheme, body: .of(VisitRequest.self),
                    answers: [.init(.created, "What the page is about, and where it is.", .of(VisitAnswer.self))],
                    refusals: [.itemUnknown, .appUnknown, .storefrontUnknown]),
            .get("/device/v1/visits/{visitId}", suspending: { try await showVisit($0) })
                .described(
                    "showVisit", "How a page that the app shows stands, or how it stands once it is over.",
                    tag: "devices", token: Self.scheme,
                    parameters: [
                        .path(Self.visit, schema: VisitID.schema),
                        .query("wait", "For so many seconds, while it is open.", schema: Self.waitSchema),
                    ], answers: [.init(.ok, "How it stands.", .of(VisitStateAnswer.self))], refusals: [.visitUnknown]),
            .post(
                "/device/v1/visits/{visitId}/closing", body: BodyPolicy.none,
                suspending: { request in
                    try answer(
                        await visits.close(request[Self.visit], as: Self.token(request), request: request.name))
                }
            )
            .described(
                "closeVisit", "Say that the app shows the page no more. Saying it again changes nothing.",
                tag: "devices", token: Self.scheme, parameters: [.path(Self.visit, schema: VisitID.schema)],
                answers: [.init(.ok, "How it stands then.", .of(VisitStateAnswer.self))], refusals: [.visitUnknown]),
        ]
    }

    private var visits: Visits { Visits(store) }

    private func openVisit(_ request: HTTPRequest) async throws -> HTTPResponse {
        let opened = try await visits.open(
            request.decode(VisitRequest.self), as: Self.token(request), request: request.name)
        let (subject, storefront) = (opened.subject, try opened.scope.storefront.known())
        return try answer(
            VisitAnswer(
                visitId: opened.visit.id, storeId: opened.visit.storeID,
                page: hasPages ? "/view/\(opened.token)" : nil, title: subject.title, maker: subject.maker,
                text: subject.text.isEmpty ? nil : subject.text,
                price: subject.price.map { answer($0, subject.language, storefront) },
                products: subject.products.map { product in
                    VisitProductAnswer(
                        productId: product.product.productID, title: product.title,
                        price: answer(product.price, product.language, storefront))
                }, expires: opened.visit.expiresAt), status: .created)
    }

    private func showVisit(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wait = try Self.wait(request)
        return try answer(
            await visits.state(
                of: request[Self.visit], as: Self.token(request), waitingUpTo: .seconds(wait)))
    }
}
