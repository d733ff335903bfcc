import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// The way into the console and out of it.
struct EntranceSection: ConsoleSection {
    let services: ConsoleServices

    private static let link = PathParameter<String>("link", rule: "the end of a link to the console") { $0 }

    var routes: [Route] {
        [
            .get("/console") { request in
                // The owner begins where things are tried; a token leads to its own environment.
                guard let visit = try await services.visit(request, in: .sandbox) else {
                    return toEntrance
                }
                let environment = visit.actor.environment ?? .sandbox
                let path = visit.actor.may(.customers, change: false) ? "" : "/apps"
                return redirect(
                    to: Link(path: ConsoleVisit.path(environment, path)) ?? Link("/console/sign-in"))
            },
            .get("/console/enter/{link}") { request in
                // Whoever only looks whether there is something does not use it up.
                guard request.method == .get else { return EntrancePage(options: "").response() }
                guard let session = try await services.catalogue.begin(withLink: request[Self.link]) else {
                    // Whoever came in by it comes by it again.
                    guard try await services.visit(request, in: .sandbox) == nil else {
                        return redirect(to: Link("/console"))
                    }
                    return EntrancePage(options: services.options, problem: .linkSpent).response(.forbidden)
                }
                return entered(session, request)
            },
            .get(RoutePattern(Link(ConsolePath.entrance).text)) { _ in
                EntrancePage(options: services.options).response()
            },
            .post(RoutePattern(Link(ConsolePath.entrance).text), body: .collected(limit: FormInput.limit)) { request in
                let token = try FormInput(request)["token"].trimmingPrefix(" ")
                guard let session = try await services.catalogue.begin(withToken: String(token)) else {
                    return EntrancePage(options: services.options, problem: .tokenUnknown).response(.forbidden)
                }
                return entered(session, request)
            },
            .post("/console/sign-out", body: .collected(limit: FormInput.limit)) { request in
                let input = try FormInput(request)
                if let cookie = request.cookies[ConsoleVisit.cookie],
                    input[ConsoleVisit.proof] == (try OperatorSessions.proof(of: cookie))
                {
                    try await services.catalogue.end(cookie)
                }
                var response = toEntrance
                setCookie("", life: 0, request, &response)
                return response
            },
        ]
    }

    private func entered(_ session: String, _ request: HTTPRequest) -> HTTPResponse {
        var response = redirect(to: Link("/console"))
        setCookie(session, life: Int(OperatorSessions.life.components.seconds), request, &response)
        return response
    }

    private func setCookie(_ value: String, life: Int, _ request: HTTPRequest, _ response: inout HTTPResponse) {
        let cookie = SetCookie(
            ConsoleVisit.cookie, value, path: "/console", maxAge: life, isSecure: request.isSecure, sameSite: .lax)
        if let cookie { response.set(cookie) }
    }
}
