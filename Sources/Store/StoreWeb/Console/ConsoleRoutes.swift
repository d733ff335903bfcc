import StoreCatalogue
package import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// The console: both environments in a browser, for those who look after the store.
///
/// ```
/// /console                               the overview
/// /console/sandbox/transactions          a page of one environment
/// ```
package struct ConsoleRoutes: Sendable {
    let services: ConsoleServices

    package init(_ services: ConsoleServices) {
        self.services = services
    }

    package var routes: [Route] {
        let all =
            entrances + overviewRoutes + saleRoutes + subscriptionRoutes + peopleRoutes + deviceRoutes + appRoutes
            + contentRoutes
            + offerRoutes
            + reviewRoutes + requestRoutes + refundRoutes
            + tokenRoutes + clockRoutes
        return all.map { route in
            var route = route
            route.errors = ConsoleErrorForm()
            route.middleware.append(SecurityHeaders.pages())
            return route
        }
    }

    /// The parameters of paths that no log may show.
    package static let secrets: Set<String> = ["link"]

    static let environment = PathParameter<StoreEnvironment>("environment", rule: "production or sandbox") {
        StoreEnvironment(rawValue: $0)
    }
    private static let link = PathParameter<String>("link", rule: "the end of a link to the console") { $0 }

    // MARK: Pages and forms

    typealias Answer = @Sendable (ConsoleVisit) async throws -> HTTPResponse

    /// A page of an environment, for those whose role includes it.
    ///
    /// - Parameter scope: where what it shows belongs.
    func page(
        _ path: String, for work: OperatorWork, _ scope: PageScope, _ answer: @escaping Answer
    ) -> Route {
        let services = services
        return .get(RoutePattern("/console/{environment}" + path)) { request in
            guard let visit = try await services.visit(request, in: request[Self.environment]) else {
                return Self.entrance(after: request)
            }
            try visit.require(work, change: false, scope)
            return try await answer(visit)
        }
    }

    /// A form of a page. What is refused is said above the page from which it was sent, with everything as it was.
    ///
    /// - Parameters:
    ///   - scope: where its change takes effect.
    ///   - change: does what the form asks for, and says where to go then.
    ///   - page: the page of the form.
    func form(
        _ path: String, for work: OperatorWork, _ scope: PageScope,
        _ change: @escaping @Sendable (ConsoleVisit, FormInput) async throws -> Link,
        else page: @escaping Answer
    ) -> Route {
        let services = services
        return .post(RoutePattern("/console/{environment}" + path), body: .collected(limit: FormInput.limit)) {
            request in
            guard var visit = try await services.visit(request, in: request[Self.environment]) else {
                return Self.entrance(after: request)
            }
            let input = try FormInput(request)
            try visit.requireProof(in: input)
            try visit.require(work, change: true, scope)
            do {
                return Self.redirect(to: try await change(visit, input))
            } catch let refusal as any Refusal {
                return try await Self.refused(refusal, &visit, page)
            } catch let value as InvalidValue {
                visit.problem = APIError.sentence("the \(value.subject) \(value.rule)")
                return try await page(visit)
            }
        }
    }

    /// A form that sends a file, which is read while it arrives, and not before it is known that it may come.
    ///
    /// - Parameters:
    ///   - scope: where its change takes effect.
    ///   - limit: the bytes that the file may have.
    func upload(
        _ path: String, for work: OperatorWork, _ scope: PageScope, limit: Int,
        _ change: @escaping @Sendable (ConsoleVisit, inout UploadInput) async throws -> Link,
        else page: @escaping Answer
    ) -> Route {
        let services = services
        let policy = BodyPolicy.streamed(limit: limit + UploadInput.overhead)
        return .post(
            RoutePattern("/console/{environment}" + path), body: policy,
            suspending: { request in
                guard var visit = try await services.visit(request, in: request[Self.environment]) else {
                    return Self.entrance(after: request)
                }
                try visit.require(work, change: true, scope)
                do {
                    var input = try await UploadInput(request, limit: limit)
                    try visit.requireProof(in: input)
                    return Self.redirect(to: try await change(visit, &input))
                } catch let refusal as any Refusal {
                    return try await Self.refused(refusal, &visit, page)
                }
            })
    }

    /// A form whose answer is shown once, on the page itself.
    func shown(
        _ path: String, for work: OperatorWork, _ scope: PageScope, _ answer: @escaping Answer,
        else page: @escaping Answer
    ) -> Route {
        let services = services
        return .post(RoutePattern("/console/{environment}" + path), body: .collected(limit: FormInput.limit)) {
            request in
            guard var visit = try await services.visit(request, in: request[Self.environment]) else {
                return Self.entrance(after: request)
            }
            try visit.requireProof(in: FormInput(request))
            try visit.require(work, change: true, scope)
            do {
                return try await answer(visit)
            } catch let refusal as any Refusal {
                return try await Self.refused(refusal, &visit, page)
            }
        }
    }

    /// The page of a form that was refused, with the reason above it.
    private static func refused(
        _ refusal: any Refusal, _ visit: inout ConsoleVisit, _ page: Answer
    ) async throws -> HTTPResponse {
        visit.problem = APIError.sentence(refusal.message)
        var response = try await page(visit)
        if [.notAllowed, .productionRequired].contains(refusal.code) { response.status = .forbidden }
        return response
    }

    static func redirect(to link: Link) -> HTTPResponse {
        var response = HTTPResponse(.seeOther)
        response.fields["Location"] = link.text
        response.fields["Cache-Control"] = "no-store"
        return response
    }

    private static func entrance(after request: HTTPRequest) -> HTTPResponse {
        redirect(to: Link(ConsoleServices.entrance))
    }

    // MARK: The way in and out

    private var entrances: [Route] {
        let services = services
        return [
            .get("/console") { request in
                // The owner begins where things are tried; a token leads to its own environment.
                guard let visit = try await services.visit(request, in: .sandbox) else {
                    return Self.entrance(after: request)
                }
                let environment = visit.actor.environment ?? .sandbox
                let path = visit.actor.may(.customers, change: false) ? "" : "/apps"
                return Self.redirect(
                    to: Link(path: ConsoleVisit.path(environment, path)) ?? Link("/console/sign-in"))
            },
            .get("/console/enter/{link}") { request in
                // Whoever only looks whether there is something does not use it up.
                guard request.method == .get else { return EntrancePage(options: "").response() }
                guard let session = try await services.catalogue.begin(withLink: request[Self.link]) else {
                    return EntrancePage(options: services.options, problem: .linkSpent).response(.forbidden)
                }
                return Self.entered(session, request)
            },
            .get(RoutePattern(Link(ConsoleServices.entrance).text)) { _ in
                EntrancePage(options: services.options).response()
            },
            .post(RoutePattern(Link(ConsoleServices.entrance).text), body: .collected(limit: FormInput.limit)) {
                request in
                let token = try FormInput(request)["token"].trimmingPrefix(" ")
                guard let session = try await services.catalogue.begin(withToken: String(token)) else {
                    return EntrancePage(options: services.options, problem: .tokenUnknown).response(.forbidden)
                }
                return Self.entered(session, request)
            },
            .post("/console/sign-out", body: .collected(limit: FormInput.limit)) { request in
                let input = try FormInput(request)
                if let cookie = request.cookies[ConsoleVisit.cookie],
                    input[ConsoleVisit.proof] == (try OperatorSessions.proof(of: cookie))
                {
                    try await services.catalogue.end(cookie)
                }
                var response = Self.redirect(to: Link(ConsoleServices.entrance))
                Self.setCookie("", life: 0, request, &response)
                return response
            },
        ]
    }

    private static func entered(_ session: String, _ request: HTTPRequest) -> HTTPResponse {
        var response = redirect(to: Link("/console"))
        setCookie(session, life: Int(OperatorSessions.life.components.seconds), request, &response)
        return response
    }

    private static func setCookie(_ value: String, life: Int, _ request: HTTPRequest, _ response: inout HTTPResponse) {
        let cookie = SetCookie(
            ConsoleVisit.cookie, value, path: "/console", maxAge: life, isSecure: request.isSecure, sameSite: .lax)
        if let cookie { response.set(cookie) }
    }
}

/// The way in: what to do for a link, and a form for those who have a token.
private struct EntrancePage {
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

/// Errors as pages, with the way back.
private struct ConsoleErrorForm: ErrorForm {
    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        let heading = error.status == .notFound ? "There is nothing here" : "That did not work"
        return Page(heading, in: "en", kind: "sheet") {
            main(.class("pay")) {
                div(.class("outcome \(error.status == .notFound ? "calm" : "bad")"), .role("status")) {
                    h1 { heading }
                    p { error.message }
                    p(.class("muted")) {
                        "Request "
                        code { request.id }
                    }
                }
                p(.class("next")) { a(.class("button"), .href(Link("/console"))) { "To the overview" } }
            }
        }.response(error.status)
    }
}
