package import StoreHTTP
package import StoreModel

/// What a browser is shown at the address of a listener, and wherever there is nothing or something went wrong. A program is
/// told so in the form of the interfaces.
///
/// ```
/// /          what this is, and where to go
/// /nowhere   that there is nothing, and where to go
/// ```
package struct FrontPage: Sendable {
    private let environment: StoreEnvironment
    private let version: String
    private let options: String
    private let address: @Sendable (StoreEnvironment) -> StoreAddress?

    /// - Parameters:
    ///   - version: of the program.
    ///   - options: those by which every command finds this store.
    ///   - address: where an environment is reached.
    package init(
        _ environment: StoreEnvironment, version: String, options: String,
        address: @escaping @Sendable (StoreEnvironment) -> StoreAddress?
    ) {
        self.environment = environment
        self.version = version
        self.options = options
        self.address = address
    }

    package var routes: [Route] {
        [
            .get("/") { request in
                guard request.isOfBrowser else {
                    throw APIError(
                        .notFound, code: "path_unknown",
                        "There is nothing at this path; /openapi.json lists what there is.", parameter: "path")
                }
                let heading = environment == .sandbox ? "The sandbox of a store" : "A store"
                var response = page(heading, "It is one of Till \(version).").response()
                Self.finish(&response, request)
                return response
            }
        ]
    }

    /// Errors as pages for browsers, and as another form has them for everybody else.
    package func errors(else form: any ErrorForm) -> any ErrorForm { Errors(front: self, form: form) }

    private struct Errors: ErrorForm {
        let front: FrontPage
        let form: any ErrorForm

        func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
            var response = form.response(to: error, for: request)
            guard request.isOfBrowser else { return response }
            let heading = error.status == .notFound ? "There is nothing here" : "That did not work"
            let page = front.page(heading, error.message, request: request.id).response(error.status)
            // What the answer says beside its body stays.
            response.body = page.body
            for name in ["Content-Type", "Cache-Control"] { response.fields[name] = page.fields[name] }
            FrontPage.finish(&response, request)
            return response
        }
    }

    private static func finish(_ response: inout HTTPResponse, _ request: HTTPRequest) {
        SecurityHeaders.pages().end(&response, of: request)
        response.fields.add("Vary", "Accept")
    }

    // MARK: The page

    private func page(_ heading: String, _ sentence: String, request: String? = nil) -> Page {
        Page(heading, in: "en", kind: "sheet") {
            main(.class("pay entrance")) {
                if environment == .sandbox { div(.class("band")) { "Sandbox: nothing is charged" } }
                div(.class("what")) {
                    img(.src(WebAssets.icon.link), .alt(""), .width(64), .height(64))
                    div {
                        h1 { heading }
                        p(.class("muted")) { sentence }
                    }
                }
                div(.class("outcome calm")) {
                    p {
                        "Apps that are built with Till’s StoreKit buy here, and servers have receipts verified at "
                        code { "/verifyReceipt" }
                        ". Customers pay on pages whose addresses their apps know."
                    }
                    if environment == .sandbox { p { "What is sold for money is at the address of production." } }
                }
                p(.class("next")) { a(.class("button"), .href(Link("/us"))) { "To the storefront" } }
                if let console { p(.class("next")) { a(.class("button"), .href(console)) { "To the console" } } }
                div(.class("outcome")) {
                    p { "On the machine of the store, this prints a link that opens the console:" }
                    commandLine("till console" + (options.isEmpty ? "" : " " + options))
                    p {
                        "For programs: "
                        a(.href(Link("/openapi.json"))) { "what they can ask" }
                        ", "
                        a(.href(Link("/errors"))) { "what errors mean" }
                        ", "
                        a(.href(Link("/readyz"))) { "how the store is" }
                        "."
                    }
                }
                if let request {
                    p(.class("muted next")) {
                        "Request "
                        code { request }
                    }
                }
            }
        }
    }

    /// The listener of production has it.
    private var console: Link? {
        environment == .production
            ? Link("/console") : address(.production).flatMap { Link(web: "\($0)/console") }
    }
}

extension HTTPRequest {
    /// Whether somebody looks at the answer in a browser, which alone asks for pages by their type.
    fileprivate var isOfBrowser: Bool {
        (method == .get || method == .head)
            && fields.values("Accept").contains { $0.lowercased().contains("text/html") }
    }
}
