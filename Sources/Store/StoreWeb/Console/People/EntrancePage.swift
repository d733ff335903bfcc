import StoreCatalogue
import StoreHTTP

/// The pages before a session: how one comes in, and the code that is asked for.
struct EntrancePage {
    let options: String
    /// What was wrong with the form that was sent.
    var problem: String?
    /// What was typed there as an address.
    var email = ""

    static let linkSpent = "This link was used already, or its hour is over."
    static let tokenUnknown = "There is no such token, or it is over."

    func response(_ status: HTTPStatus = .ok) -> HTTPResponse {
        Self.page("The console of this store", "For those who look after it.", problem) {
            StoreWeb.form(.isPost, .action(Link("/console/sign-in"))) {
                label(.for("email")) { "E-mail" }
                input(
                    .id("email"), .name("email"), .type("email"), .isRequired, .longest(EmailAddress.longest),
                    .autocomplete("email"), email.isEmpty ? nil : .value(email))
                label(.for("password")) { "Password" }
                input(
                    .id("password"), .name("password"), .type("password"), .isRequired, .longest(1024),
                    .autocomplete("current-password"))
                button(.class("primary")) { "Sign in" }
            }
            div(.class("outcome calm")) {
                p { "On the machine of the store, this prints a link that opens it once:" }
                commandLine("till console" + (options.isEmpty ? "" : " " + options))
            }
            StoreWeb.form(.isPost, .action(Link("/console/sign-in"))) {
                label(.for("token")) { "Or with an operator’s token" }
                input(
                    .id("token"), .name("token"), .type("password"), .isRequired,
                    .longest(200))
                button { "Open the console" }
            }
            div(.class("terms last")) {
                p {
                    "Would you like to sell here? "
                    a(.href(Link("/console/apply"))) { "Apply with your team" }
                }
            }
        }.response(status)
    }

    /// The form for the code of an authenticator app.
    static func code(_ problem: String?, _ status: HTTPStatus = .ok) -> HTTPResponse {
        page("Your code", "Six digits of your authenticator app, or one of your recovery codes.", problem) {
            StoreWeb.form(.isPost, .action(Link("/console/code"))) {
                label(.for("code")) { "Code" }
                input(
                    .id("code"), .name("code"), .isRequired, .longest(40), .autocomplete("one-time-code"),
                    .isUnspelled, .hasAutofocus)
                button(.class("primary")) { "Go on" }
                p(.class("muted")) {
                    "Neither at hand? Whoever looks after your team, or the store, lets you come in without. "
                    a(.href(Link("/console/sign-in"))) { "Begin again" }
                }
            }
        }.response(status)
    }

    /// What each of these pages has.
    static func page(
        _ heading: String, _ sentence: String, _ problem: String?, @HTMLBuilder content: () -> [any HTML]
    ) -> Page {
        let content = content()
        return Page("\(heading) · Till", in: "en", kind: "sheet") {
            main(.class("pay entrance")) {
                div(.class("what")) {
                    img(.src(WebAssets.icon.link), .alt(""), .width(64), .height(64))
                    div {
                        h1 { heading }
                        p(.class("muted")) { sentence }
                    }
                }
                if let problem { p(.class("problem"), .role("alert")) { problem } }
                content
            }
        }
    }
}
