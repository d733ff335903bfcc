import StoreCatalogue
import StoreFoundation
package import StoreHTTP
import StoreModel
import StoreService

/// Pages of the store that an app shows: the short address that the device opens, what ends the page, and what the person wants of
/// the app.
///
/// ```
/// GET  /view/{viewToken}            leads to the page of the item, as the app shows it
/// POST /view/{viewToken}/done       the person has seen enough
/// POST /view/{viewToken}/choice     the person wants a product of the app; `productId`
/// POST /view/{viewToken}/closing    a window is closed, which the script of the page says; `view`
/// ```
package struct ViewRoutes: Sendable {
    private let store: EnvironmentStore
    private let windows: PageWindows

    init(_ store: EnvironmentStore, _ windows: PageWindows) {
        self.store = store
        self.windows = windows
    }

    var routes: [Route] {
        let policy = BodyPolicy.collected(limit: FormInput.limit)
        let all: [Route] = [
            .get("/view/{viewToken}", suspending: { try await show($0) }),
            .post("/view/{viewToken}/done", body: policy) { request in
                _ = try FormInput(request)
                let token = try request[Self.token]
                try await Visits(store).done(token, request: request.id)
                return Self.back(to: token)
            },
            .post("/view/{viewToken}/choice", body: policy, suspending: { try await choose($0) }),
            .post("/view/{viewToken}/closing", body: policy) { request in
                let (token, form, name) = (try request[Self.token], try FormInput(request), request.id)
                if let window = Int(form["view"]) {
                    windows.close(token, window) { try? await Visits(store).leave(token, request: name) }
                }
                return HTTPResponse(.noContent)
            },
        ]
        return all.map { route in
            var route = route
            route.errors = PageErrorForm()
            route.middleware += [SecurityHeaders.pages(), SheetHeaders()]
            return route
        }
    }

    /// What no log may show of paths.
    package static let secrets = PathSecrets(["viewToken"], after: ["/view"])
    private static let token = PathParameter<String>("viewToken", rule: "the secret of a page that an app shows") { $0 }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = try request[Self.token]
        let shown = try await Visits(store).find(token)
        guard shown.state == .open, let link = try await Visits(store).link(to: shown) else {
            return page(shown, request)
        }
        let path = link.path
        var response = HTTPResponse(.seeOther)
        let product = shown.visit.product.map { "#\(PercentEncoding.encode($0.text))" } ?? ""
        response.fields["Location"] =
            path + (path.contains("?") ? "&" : "?") + "view=\(PercentEncoding.encode(token))" + product
        return response
    }

    private func choose(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (token, form) = (try request[Self.token], try FormInput(request))
        guard let product = ProductID(form["productId"]) else {
            throw ServiceError(.valueInvalid, "this is no id of a product", parameter: "productId")
        }
        try await Visits(store).choose(product, at: token, request: request.id)
        return Self.back(to: token)
    }

    /// What follows a form, so that a page that is loaded again sends nothing again.
    private static func back(to token: String) -> HTTPResponse {
        var response = HTTPResponse(.seeOther)
        response.fields["Location"] = "/view/\(token)"
        return response
    }

    /// What is left to be seen of a page that is over: that it goes on in the app.
    private func page(_ shown: Visits.Shown, _ request: HTTPRequest) -> HTTPResponse {
        let texts = Texts.best(for: [shown.scope.language])
        let sentence = shown.state == .chosen ? "view.chosen" : "view.over"
        return Page(texts.page("view.title"), in: texts.language, kind: "sheet") {
            main(.class("pay")) {
                if store.environment == .sandbox { div(.class("band")) { texts.page("sheet.sandbox") } }
                div(.class("outcome calm"), .role("status")) {
                    h1 { texts.page("view.title") }
                    p { texts.page(sentence) }
                }
            }
        }.response()
    }
}
