import StoreCatalogue
import StoreFoundation
package import StoreHTTP
import StoreModel
package import StoreService

/// The pages of accounts beside a purchase: entering the code of one that waits on another screen, and setting another
/// password.
///
/// ```
/// /code               the code that a terminal shows leads to the page of its purchase
/// /recovery/{token}   another password, with a link that whoever looks after the store hands over
/// ```
package struct AccountRoutes: Sendable {
    private let store: EnvironmentStore
    private let guesses: RateLimit?

    /// - Parameter guesses: how many codes and links are tried from one address.
    package init(_ store: EnvironmentStore, guesses: RateLimit? = nil) {
        self.store = store
        self.guesses = guesses
    }

    private static let token = PathParameter<String>("token", rule: "the end of a link to another password") { $0 }

    package var routes: [Route] {
        let (store, policy) = (store, BodyPolicy.collected(limit: FormInput.limit))
        let all: [Route] = [
            .get("/code") { request in CodePage(Texts.of(request), store.environment).response() },
            .post("/code", body: policy) { request in
                let code = try FormInput(request)["code"]
                do {
                    let token = try await PaymentSheet(store).token(waitingUnder: code)
                    var response = HTTPResponse(.seeOther)
                    response.fields["Location"] = "/pay/\(token)"
                    return response
                } catch let error as ServiceError where [.codeUnknown, .valueInvalid].contains(error.code) {
                    return CodePage(Texts.of(request), store.environment, code: code, isWrong: true).response(.notFound)
                }
            },
            .get("/recovery/{token}") { request in
                let page = RecoveryPage(Texts.of(request), try request[Self.token])
                guard try await Accounts(store).isRecovering(request[Self.token]) else { return page.over }
                return page.form().response()
            },
            .post("/recovery/{token}", body: policy) { request in
                let (token, form) = (try request[Self.token], try FormInput(request))
                let page = RecoveryPage(Texts.of(request), token)
                do {
                    _ = try await Accounts(store).recover(
                        token: token, password: form["password"], from: request.peer)
                    return page.done
                } catch let error as ServiceError where error.code == .tokenInvalid {
                    return page.over
                } catch let error as ServiceError where error.code == .valueInvalid {
                    return page.form(isShort: true).response(.badRequest)
                }
            },
        ]
        return all.map { route in
            var route = route
            route.errors = PageErrorForm()
            route.middleware += [SecurityHeaders.pages(), SheetHeaders()]
            if route.method == .post, let guesses { route.middleware.append(guesses) }
            return route
        }
    }
}

extension Texts {
    /// In the first language of a browser that there is.
    static func of(_ request: HTTPRequest) -> Texts {
        let languages = (request.fields["Accept-Language"] ?? "").split(separator: ",").map {
            String($0.prefix { $0 != ";" }).trimmingPrefix(" ")
        }
        return best(for: languages.map(String.init))
    }
}

/// Where a code is entered that another screen shows.
private struct CodePage {
    private let texts: Texts
    private let environment: StoreEnvironment
    private let code: String
    private let isWrong: Bool

    init(_ texts: Texts, _ environment: StoreEnvironment, code: String = "", isWrong: Bool = false) {
        (self.texts, self.environment, self.code, self.isWrong) = (texts, environment, code, isWrong)
    }

    func response(_ status: HTTPStatus = .ok) -> HTTPResponse {
        Page(texts.page("sheet.code_title"), in: texts.language, kind: "sheet") {
            main(.class("pay")) {
                if environment == .sandbox { div(.class("band")) { texts.page("sheet.sandbox") } }
                div(.class("what")) {
                    img(.src(WebAssets.icon.link), .alt(""), .width(64), .height(64))
                    div {
                        h1 { texts.page("sheet.code_title") }
                        p(.class("muted")) { texts.page("sheet.code_lede") }
                    }
                }
                if isWrong { p(.class("problem"), .role("alert")) { texts.page("sheet.code_wrong") } }
                form(.isPost, .action(Link("/code"))) {
                    label(.for("code")) { texts.page("sheet.code") }
                    input(
                        .id("code"), .name("code"), .value(code), .isUnspelled, .isRequired,
                        .placeholder("BDFG-HJKM"), .longest(20), .hasAutofocus, isWrong ? .isInvalid : nil)
                    button(.class("primary")) { texts.page("sheet.code_go") }
                }
            }
        }.response(status)
    }
}

/// Where the owner of an account sets another password.
private struct RecoveryPage {
    private let texts: Texts
    private let token: String

    init(_ texts: Texts, _ token: String) {
        (self.texts, self.token) = (texts, token)
    }

    func form(isShort: Bool = false) -> Page {
        Page(texts.page("sheet.recovery_title"), in: texts.language, kind: "sheet") {
            main(.class("pay")) {
                div(.class("what")) {
                    img(.src(WebAssets.icon.link), .alt(""), .width(64), .height(64))
                    h1 { texts.page("sheet.recovery_title") }
                }
                if isShort { p(.class("problem"), .role("alert")) { texts.page("sheet.password_short") } }
                StoreWeb.form(.isPost, .action(Link(path: "/recovery/\(token)") ?? Link("/"))) {
                    label(.for("password")) { texts.page("sheet.new_password") }
                    input(
                        .id("password"), .name("password"), .type("password"), .autocomplete("new-password"),
                        .isRequired,
                        .hasAutofocus, isShort ? .isInvalid : nil)
                    button(.class("primary")) { texts.page("sheet.set_password") }
                }
            }
        }
    }

    var done: HTTPResponse { outcome("good", texts.page("sheet.password_set"), .ok) }
    var over: HTTPResponse { outcome("calm", texts.page("sheet.recovery_over"), .notFound) }

    private func outcome(_ kind: String, _ sentence: String, _ status: HTTPStatus) -> HTTPResponse {
        Page(texts.page("sheet.recovery_title"), in: texts.language, kind: "sheet") {
            main(.class("pay")) {
                div(.class("outcome \(kind)"), .role("status")) {
                    h1 { texts.page("sheet.recovery_title") }
                    p { sentence }
                }
            }
        }.response(status)
    }
}
