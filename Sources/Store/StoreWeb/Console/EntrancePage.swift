import StoreHTTP

/// The way in: what to do for a link, and a form for those who have a token.
struct EntrancePage {
    // Closed: each has its sentence.
    enum Problem: String {
        case linkSpent = "This link was used already, or its hour is over."
        case tokenUnknown = "There is no such token, or it is over."
    }

    let options: String
    var problem: Problem?

    func response(_ status: HTTPStatus = .ok) -> HTTPResponse {
        Page("Till", in: "en", kind: "sheet") {
            main(.class("pay entrance")) {
                div(.class("what")) {
                    img(.src(WebAssets.icon.link), .alt(""), .width(64), .height(64))
                    div {
                        h1 { "The console of this store" }
                        p(.class("muted")) { "For those who look after it." }
                    }
                }
                if let problem { p(.class("problem"), .role("alert")) { problem.rawValue } }
                div(.class("outcome calm")) {
                    p { "On the machine of the store, this prints a link that opens it once:" }
                    commandLine("till console" + (options.isEmpty ? "" : " " + options))
                }
                StoreWeb.form(.isPost, .action(Link("/console/sign-in"))) {
                    label(.for("token")) { "Or with an operator’s token" }
                    input(
                        .id("token"), .name("token"), .type("password"), .isRequired,
                        .longest(200))
                    button(.class("primary")) { "Open the console" }
                }
            }
        }.response(status)
    }
}
