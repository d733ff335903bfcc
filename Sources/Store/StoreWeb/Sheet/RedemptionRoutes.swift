import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreService

/// The page on which customers redeem the codes of offers: `/redeem`, or `/redeem?app=com.example.app&code=SPRING`.
///
/// The code and the account are typed together. What the code gives, and whether it is taken, is then on the page of the
/// purchase.
struct RedemptionRoutes: Sendable {
    private let store: EnvironmentStore
    private let guesses: RateLimit?

    /// - Parameter guesses: how many codes are tried from one address.
    init(_ store: EnvironmentStore, guesses: RateLimit? = nil) {
        self.store = store
        self.guesses = guesses
    }

    var routes: [Route] {
        let all: [Route] = [
            .get("/redeem") { request in
                let query = request.target.query
                return try await page(request, app: query["app"], code: query["code"]).page.response()
            },
            .post("/redeem", body: .collected(limit: FormInput.limit), suspending: { try await redeem($0) }),
        ]
        return all.map { route in
            var route = route
            route.errors = PageErrorForm()
            route.middleware += [SecurityHeaders.pages(), SheetHeaders()]
            if route.method == .post, let guesses { route.middleware.append(guesses) }
            return route
        }
    }

    private func page(_ request: HTTPRequest, app: String?, code: String?) async throws -> RedemptionPage {
        var known: CatalogueApp?
        if let bundle = app.flatMap({ BundleID($0) }) { known = try await Redemption(store).app(bundle) }
        return RedemptionPage(
            texts: Texts.of(request), environment: store.environment, app: known,
            code: String((code ?? "").prefix(RedemptionPage.longestCode)))
    }

    private func redeem(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try FormInput(request)
        do {
            let opened = try await Redemption(store).open(
                form["code"], app: BundleID(form["app"]), email: form["email"], password: form["password"],
                from: request.peer, request: request.id)
            return PaymentSheetRoutes.signedIn(opened.token, request, proof: opened.proof, in: store.environment)
        } catch let error as ServiceError {
            var page = try await page(request, app: form["app"], code: form["code"])
            guard let problem = page.sentence(for: error.code) else { throw error }
            page.problem = problem
            page.email = form["email"]
            page.isAppAsked = error.code == .valueMissing && error.parameter == "app"
            return page.page.response(refusing: error)
        }
    }
}

/// A code, and the account that it is for.
struct RedemptionPage {
    static let longestCode = 100

    let texts: Texts
    let environment: StoreEnvironment
    let app: CatalogueApp?
    let code: String
    var problem: String?
    var email = ""
    /// Whether the id of the app has to be typed, because several have the code.
    var isAppAsked = false

    private func text(_ name: String, _ arguments: [String: String] = [:]) -> String { texts.page(name, arguments) }

    /// What was wrong, in the words of the page; nil for what nobody can mend on it.
    func sentence(for code: RefusalCode) -> String? {
        switch code {
        case .credentialsWrong, .codeUnknown, .codeSpent, .codeExpired, .ineligibleForOffer, .testerSpent:
            texts.find(code)
        case .invalidOfferIdentifier: texts("error.code_expired")
        case .invalidOfferPrice, .productUnavailable, .productUnknown, .appBlocked: text("redeem.unavailable")
        case .tooMany: text("sheet.too_many_guesses")
        case .valueMissing: text("redeem.several")
        default: nil
        }
    }

    var page: Page {
        Page(text("redeem.title"), in: texts.language, kind: "sheet") {
            main(.class("pay"), .labelledBy("title")) {
                if environment == .sandbox { div(.class("band")) { text("sheet.sandbox") } }
                div(.class("what")) {
                    img(.src(WebAssets.icon.link), .alt(""), .width(64), .height(64))
                    div {
                        h1(.id("title")) { text("redeem.title") }
                        p(.class("muted")) {
                            app.map { text("redeem.for_app", ["app": $0.name]) } ?? text("redeem.lede")
                        }
                    }
                }
                if let problem { p(.class("problem"), .role("alert")) { problem } }
                fields
            }
        }
    }

    private var fields: Element {
        form(.isPost, .action(Link("/redeem"))) {
            label(.for("code")) { text("sheet.code") }
            input(
                .id("code"), .name("code"), .value(code), .isUnspelled, .isRequired, .longest(Self.longestCode),
                code.isEmpty ? .hasAutofocus : nil)
            if isAppAsked {
                label(.for("app")) { text("redeem.app") }
                input(
                    .id("app"), .name("app"), .isUnspelled, .isRequired, .placeholder("com.example.app"), .longest(155))
            } else if let app {
                input(.type("hidden"), .name("app"), .value(app.bundleID.text))
            }
            label(.for("email")) { text("sheet.email") }
            input(
                .id("email"), .name("email"), .type("email"), .value(email), .autocomplete("email"), .isRequired,
                .longest(254), code.isEmpty ? nil : .hasAutofocus)
            label(.for("password")) { text("sheet.password") }
            input(
                .id("password"), .name("password"), .type("password"), .autocomplete("current-password"), .isRequired)
            button(.class("primary")) { text("redeem.go") }
        }
    }
}
