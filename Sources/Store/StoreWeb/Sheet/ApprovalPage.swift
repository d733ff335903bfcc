package import StoreCatalogue
import StoreFoundation
package import StoreHTTP
import StoreModel
import StoreRules
package import StoreService

/// The page on which somebody decides what somebody else buys: `/approve/{token}`. An adult of the family signs in with each
/// answer; where no family is asked, which is in the sandbox, the address is enough.
package struct ApprovalRoutes: Sendable {
    private let store: EnvironmentStore
    private let prices: PriceText
    private let blobs: CatalogueBlobs

    package init(
        _ store: EnvironmentStore, prices: PriceText = PriceText(),
        blobs: CatalogueBlobs = CatalogueBlobs()
    ) {
        self.store = store
        self.prices = prices
        self.blobs = blobs
    }

    private static let token = PathParameter<String>("token", rule: "the end of the address of a purchase") { $0 }

    package var routes: [Route] {
        let policy = BodyPolicy.collected(limit: FormInput.limit)
        let own: [Route] = [
            .get(
                "/approve/{token}",
                suspending: { request in
                    let token = try request[Self.token]
                    return try await page(AskToBuy(store).content(token), token, request).page.response()
                }),
            .post(
                "/approve/{token}/approval", body: policy, suspending: { try await decide($0, isApproved: true) }),
            .post(
                "/approve/{token}/refusal", body: policy, suspending: { try await decide($0, isApproved: false) }),
            .get(
                "/approve/{token}/image",
                suspending: { request in
                    let image = try await AskToBuy(store).content(request[Self.token]).sheet.image
                    return try await image.response(from: blobs)
                }),
        ]
        return own.map { route in
            var route = route
            route.errors = PageErrorForm()
            route.middleware += [SecurityHeaders.pages(), SheetHeaders()]
            return route
        }
    }

    private func page(_ content: AskToBuy.Content, _ token: String, _ request: HTTPRequest) -> ApprovalPage {
        ApprovalPage(
            content: content, token: token, texts: Texts.of(request), environment: store.environment, prices: prices)
    }

    private func decide(_ request: HTTPRequest, isApproved: Bool) async throws -> HTTPResponse {
        let (token, form) = (try request[Self.token], try FormInput(request))
        do {
            _ = try await AskToBuy(store).decide(
                token, isApproved: isApproved, email: form["email"], password: form["password"], from: request.peer,
                request: request.id)
        } catch let error as ServiceError {
            var again = page(try await AskToBuy(store).content(token), token, request)
            guard let problem = again.sentence(for: error.code) else { throw error }
            again.problem = problem
            again.email = form["email"]
            return again.page.response(refusing: error)
        }
        var response = HTTPResponse(.seeOther)
        response.fields["Location"] = "/approve/\(token)"
        return response
    }
}

/// What it is, for whom, and what it costs; two answers.
struct ApprovalPage {
    let content: AskToBuy.Content
    let token: String
    let texts: Texts
    let environment: StoreEnvironment
    let prices: PriceText
    var problem: String?
    var email = ""

    private var sheet: PaymentSheet.Content { content.sheet }

    private func text(_ name: String, _ arguments: [String: String] = [:]) -> String { texts.page(name, arguments) }

    /// What was wrong, in the words of the page; nil for what nobody can mend on it.
    func sentence(for code: RefusalCode) -> String? {
        switch code {
        case .credentialsWrong, .noPaymentMethod: texts.find(code)
        case .notAllowed: text("approve.not_adult")
        case .tooMany: text("sheet.too_many_guesses")
        case .tooLate: text("approve.over")
        default: nil
        }
    }

    private func link(_ part: String) -> Link { Link(path: "/approve/\(token)\(part)") ?? Link("/") }

    var page: Page {
        let isWaiting = sheet.status.purchase?.state == .approval
        return Page(
            text("approve.title"), in: texts.language, kind: "sheet",
            refresh: sheet.status.purchase?.state == .charging ? 2 : nil
        ) {
            main(.class("pay"), .labelledBy("product")) {
                if environment == .sandbox {
                    div(.class("band")) { text("sheet.sandbox") }
                } else if sheet.form.isTest {
                    div(.class("band")) { text("sheet.test") }
                }
                div(.class("what")) {
                    if sheet.image != nil {
                        img(.src(link("/image")), .alt(""), .width(64), .height(64))
                    } else {
                        span(.class("art"), .isHidden) { String(sheet.title.prefix(1)) }
                    }
                    div {
                        h1(.id("product"), .lang(sheet.textLanguage)) { sheet.title }
                        p(.class("muted")) { text("approve.asker", ["account": content.asker, "app": sheet.app]) }
                    }
                }
                if let terms = try? sheet.status.terms, isWaiting {
                    div(.class("lines")) {
                        div {
                            span { text("sheet.total") }
                            span {
                                prices.text(
                                    of: terms.total, language: sheet.textLanguage, storefront: sheet.storefront)
                            }
                        }
                    }
                    if content.needsPassword { p(.class("terms")) { text("approve.pays") } }
                }
                if let problem { p(.class("problem"), .role("alert")) { problem } }
                if isWaiting { question } else { outcome }
                footer {
                    if !sheet.seller.isEmpty { span { text("sheet.sold_by", ["seller": sheet.seller]) } }
                    span { sheet.app }
                }
            }
        }
    }

    private var question: Element {
        form(.isPost, .action(link("/approval"))) {
            if content.needsPassword {
                label(.for("email")) { text("sheet.email") }
                input(
                    .id("email"), .name("email"), .type("email"), .value(email), .autocomplete("email"), .isRequired,
                    .longest(254))
                label(.for("password")) { text("sheet.password") }
                input(
                    .id("password"), .name("password"), .type("password"), .autocomplete("current-password"),
                    .isRequired)
            }
            button(.class("primary")) { text("approve.yes") }
            button(.class("plain"), .formAction(link("/refusal"))) { text("approve.no") }
        }
    }

    private var outcome: Element {
        let (kind, name): (String, String) =
            switch sheet.status.purchase?.state {
            case .purchased: ("good", "approve.done")
            case .charging: ("calm", "sheet.charging")
            case .failed where sheet.status.failure == .refused: ("calm", "approve.refused")
            default: ("calm", "approve.over")
            }
        return div(.class("outcome \(kind)"), .role("status")) { p { text(name) } }
    }
}
