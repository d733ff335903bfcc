import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// The way into the console and out of it.
struct EntranceSection: ConsoleSection {
    let services: ConsoleServices

    private static let link = PathParameter<String>("link", rule: "the end of a link to the console") { $0 }
    /// The cookie of somebody who is asked for a code.
    private static let waiting = "till_console_code"
    /// The cookie of a browser in which somebody has signed in.
    private static let known = "till_console_known"

    var routes: [Route] {
        [
            .get("/console") { request in
                // The owner begins where things are tried; a token leads to its own environment.
                guard let visit = try await services.visit(request, in: .sandbox) else {
                    return toEntrance
                }
                let environment = visit.actor.environment ?? .sandbox
                return redirect(to: visit.beginning(in: environment))
            },
            .get("/console/enter/{link}") { request in
                // Whoever only looks whether there is something does not use it up.
                guard request.method == .get else { return EntrancePage(options: "").response() }
                let entry = try await services.signIn().enter(
                    withLink: request[Self.link], client: request.client)
                guard let entry else {
                    // Whoever came in by it comes by it again.
                    guard try await services.visit(request, in: .sandbox) == nil else {
                        return redirect(to: Link("/console"))
                    }
                    return EntrancePage(options: services.options, problem: EntrancePage.linkSpent)
                        .response(.forbidden)
                }
                return entered(entry, request)
            },
            .get(RoutePattern(Link(ConsolePath.entrance).text)) { _ in
                EntrancePage(options: services.options).response()
            },
            .post(
                RoutePattern(Link(ConsolePath.entrance).text), body: .collected(limit: FormInput.Limits.usual.bytes),
                suspending: signIn),
            .get("/console/code") { request in
                guard let waiting = request.cookies[Self.waiting], try await services.signIn().isWaiting(waiting) else {
                    return toEntrance
                }
                return EntrancePage.code(nil)
            },
            .post("/console/code", body: .collected(limit: FormInput.Limits.usual.bytes), suspending: code),
            .post("/console/sign-out", body: .collected(limit: FormInput.Limits.usual.bytes)) { request in
                let input = try FormInput(request)
                if let cookie = request.cookies[ConsoleVisit.cookie],
                    input[ConsoleVisit.proof] == (try OperatorSessions.proof(of: cookie))
                {
                    try await services.catalogue.end(cookie)
                }
                var response = toEntrance
                setCookie(ConsoleVisit.cookie, "", life: .zero, request, &response)
                return response
            },
        ]
    }

    /// A token, or an address and a password.
    private func signIn(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (input, ways) = (try FormInput(request), try services.signIn())
        var page = EntrancePage(options: services.options, email: input["email"])
        do {
            guard input["token"].isEmpty else {
                let token = String(input["token"].trimmingPrefix(" "))
                if let entry = try await ways.enter(withToken: token, client: request.client) {
                    return entered(entry, request)
                }
                page.problem = EntrancePage.tokenUnknown
                return page.response(.forbidden)
            }
            let place = try await ways.place(
                .page(request.peer), knownBy: request.cookies[Self.known], of: input["email"])
            let entry = try await ways.enter(
                email: input["email"], password: input["password"], at: place, client: request.client)
            var response = entered(entry, request)
            let proof = try await ways.knownBrowser(of: input["email"])
            setCookie(Self.known, proof, life: ConsoleSignIn.knownFor, request, &response)
            return response
        } catch let refusal as ServiceError {
            page.problem = APIError.sentence(refusal.message)
            return page.response(refusal.entranceStatus)
        }
    }

    private func code(_ request: HTTPRequest) async throws -> HTTPResponse {
        let input = try FormInput(request)
        guard let waiting = request.cookies[Self.waiting] else { return toEntrance }
        do {
            let session = try await services.signIn().enter(
                waiting, code: input["code"], at: .page(request.peer), client: request.client)
            var response = entered(.session(session), request)
            setCookie(Self.waiting, "", life: .zero, request, &response)
            return response
        } catch let refusal as ServiceError {
            let sentence = APIError.sentence(refusal.message)
            guard refusal.code != .linkExpired else {
                return EntrancePage(options: services.options, problem: sentence).response(.forbidden)
            }
            return EntrancePage.code(sentence, refusal.entranceStatus)
        }
    }
}

extension ConsoleSection {
    /// Leads into the console, or to the code that is asked for before.
    func entered(_ entry: ConsoleSignIn.Entry, _ request: HTTPRequest) -> HTTPResponse {
        switch entry {
        case .session(let name):
            var response = redirect(to: Link("/console"))
            setCookie(ConsoleVisit.cookie, name, life: OperatorSessions.life, request, &response)
            return response
        case .code(let name):
            var response = redirect(to: Link("/console/code"))
            setCookie("till_console_code", name, life: PendingSignIns.life, request, &response)
            return response
        }
    }

    fileprivate func setCookie(
        _ name: String, _ value: String, life: Duration, _ request: HTTPRequest, _ response: inout HTTPResponse
    ) {
        let cookie = SetCookie(
            name, value, path: "/console", maxAge: Int(life.components.seconds), isSecure: request.isSecure,
            sameSite: .lax)
        if let cookie { response.set(cookie) }
    }
}

extension HTTPRequest {
    /// What the browser calls itself.
    var client: String { fields["User-Agent"] ?? "" }
}

extension ServiceError {
    /// What a way in answers that was refused.
    var entranceStatus: HTTPStatus {
        switch code {
        case .tooMany: .tooManyRequests
        case .valueInvalid, .valueMissing: .badRequest
        default: .forbidden
        }
    }
}
