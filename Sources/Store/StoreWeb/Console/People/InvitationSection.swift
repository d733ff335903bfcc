import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// What people see who are not in yet: an invitation, the application of a team, and what came of it.
struct InvitationSection: ConsoleSection {
    let services: ConsoleServices

    private static let link = PathParameter<String>("link", rule: "the end of a link") { $0 }

    var routes: [Route] {
        let body = BodyPolicy.collected(limit: FormInput.Limits.usual.bytes)
        return [
            .get("/console/invitation/{link}") { try await invitation($0, nil) },
            .post("/console/invitation/{link}", body: body, suspending: accept),
            .get("/console/apply") { try await application($0, FormInput.none, nil) },
            .post("/console/apply", body: body, suspending: apply),
            .get("/console/apply/{link}") { try await standing($0, nil) },
            .post("/console/apply/{link}", body: body, suspending: begin),
        ]
    }

    // MARK: Invitations

    private func invitation(_ request: HTTPRequest, _ refusal: ServiceError?) async throws -> HTTPResponse {
        let link = try request[Self.link]
        guard let found = try await services.signIn().invitation(of: link) else {
            return Self.over("This link was used already, or its time is over. Ask for another one.")
        }
        let place = found.team?.name ?? "the people of this store"
        let (heading, sentence) =
            switch found.invitation.purpose {
            case .membership, .claim:
                ("Join \(place)", "\(found.invitation.name), you are invited as \(found.invitation.role.rawValue).")
            case .password: ("Another password", "For \(found.invitation.email).")
            }
        return EntrancePage.page(heading, sentence, refusal.map { APIError.sentence($0.message) }) {
            passwordForm(
                "/console/invitation/\(link)", found.invitation.email, isNew: !found.hasPassword,
                found.invitation.purpose == .password ? "Set the password" : "Join")
            if found.hasPassword { claiming(link, found.invitation) }
        }.response(refusal?.entranceStatus ?? .ok)
    }

    private func accept(_ request: HTTPRequest) async throws -> HTTPResponse {
        let input = try FormInput(request)
        do {
            try Self.requireRepeated(input)
            let entry = try await services.signIn().accept(
                request[Self.link], password: input["password"], claims: input["claims"] == "yes",
                at: .page(request.peer), client: request.client)
            return entered(entry, request)
        } catch let refusal as ServiceError {
            return try await invitation(request, refusal)
        }
    }

    /// What somebody does who has set no password for an address that has one.
    private func claiming(_ link: String, _ invitation: Invitation) -> Element {
        div(.class("terms last")) {
            if invitation.purpose == .claim {
                details {
                    summary { "You have set no password here, or it is lost" }
                    p { "Set one now. Whatever somebody has set for your address before is void, in every team." }
                    passwordForm(
                        "/console/invitation/\(link)", invitation.email, isNew: true, "Set it, and join", claims: true)
                }
            } else {
                p { "You have set no password here? Somebody else has: ask the store for a link of its own." }
            }
        }
    }

    /// What was typed twice, where it was, is the same.
    private static func requireRepeated(_ input: FormInput) throws {
        guard input.items["repeated"].map({ $0 == input["password"] }) ?? true else {
            throw ServiceError(.valueInvalid, "the two passwords differ", parameter: "repeated")
        }
    }

    private static func over(_ sentence: String) -> HTTPResponse {
        EntrancePage.page("This leads nowhere", sentence, nil) {
            p(.class("next")) { a(.class("button"), .href(Link("/console"))) { "To the console" } }
        }.response(.notFound)
    }

    private func passwordForm(
        _ path: String, _ email: String, isNew: Bool, _ title: String, claims: Bool = false
    ) -> Element {
        // Two forms of a page have fields of their own.
        let prefix = claims ? "claim-" : ""
        return StoreWeb.form(.isPost, .action(Link(path: path) ?? Link("/console"))) {
            // Password stores keep the address with it.
            if claims { hidden("claims", "yes") }
            label(.for(prefix + "email")) { "E-mail" }
            input(
                .id(prefix + "email"), .name("email"), .type("email"), .value(email), .isReadOnly,
                .autocomplete("email"))
            label(.for(prefix + "password")) { isNew ? "A password of ten characters or more" : "Your password here" }
            input(
                .id(prefix + "password"), .name("password"), .type("password"), .isRequired, .longest(1024),
                .autocomplete(isNew ? "new-password" : "current-password"))
            if isNew {
                label(.for(prefix + "repeated")) { "The same once more" }
                input(
                    .id(prefix + "repeated"), .name("repeated"), .type("password"), .isRequired, .longest(1024),
                    .autocomplete("new-password"))
            }
            button(.class("primary")) { title }
        }
    }

    // MARK: Applications

    private func application(
        _ request: HTTPRequest, _ input: FormInput, _ refusal: (any Refusal)?
    ) async throws -> HTTPResponse {
        let agreement = try await services.signIn().agreement()
        let problem = refusal.map { APIError.sentence($0.message) }
        func typed(_ name: String, _ text: String, _ type: String = "text", _ hint: String? = nil) -> [any HTML] {
            [
                label(.for(name)) { text },
                StoreWeb.input(
                    .id(name), .name(name), .type(type), .isRequired, .longest(EmailAddress.longest),
                    .value(input[name]), refusal?.parameter == name ? .isInvalid : nil,
                    hint.map { .placeholder($0) }),
            ]
        }
        return EntrancePage.page(
            "Sell here with your team", "The store looks at what you write, and decides.", problem
        ) {
            StoreWeb.form(.isPost, .action(Link("/console/apply"))) {
                typed("teamName", "What your team is called")
                typed("teamId", "A short name for addresses: small letters, digits, hyphens", "text", "monkey-software")
                typed("name", "Your name")
                typed("email", "Your e-mail", "email")
                label(.for("plans")) { "What you would like to sell" }
                textarea(.id("plans"), .name("plans"), .rows(4), .longest(TeamApplications.longestPlans)) {
                    input["plans"]
                }
                details(.isOpen) {
                    summary { "The agreement" }
                    div(.class("agreement"), .isFocusable, .label("The agreement"), .role("region")) {
                        paragraphs(agreement.body)
                    }
                }
                hidden("version", "\(agreement.version)")
                label {
                    StoreWeb.input(.type("checkbox"), .name("agreed"), .value("yes"), .isRequired)
                    " I have read it, and agree for my team"
                }
                button(.class("primary")) { "Apply" }
            }
        }.response(
            refusal.map { $0.code == .tooMany ? HTTPStatus.tooManyRequests : HTTPStatus.badRequest } ?? .ok)
    }

    private func apply(_ request: HTTPRequest) async throws -> HTTPResponse {
        let input = try FormInput(request)
        do {
            let made = try await services.signIn().apply(
                TeamApplications.Draft(
                    team: input["teamId"], teamName: input["teamName"], email: input["email"], name: input["name"],
                    plans: input["plans"], agreedVersion: input["agreed"] == "yes" ? Int(input["version"]) : nil),
                at: .page(request.peer))
            return redirect(to: Link(path: "/console/apply/\(made.link)") ?? Link("/console/apply"))
        } catch let refusal as any Refusal {
            return try await application(request, input, refusal)
        }
    }

    /// How an application stands, for whoever has its link.
    private func standing(_ request: HTTPRequest, _ refusal: ServiceError?) async throws -> HTTPResponse {
        let link = try request[Self.link]
        guard let found = try await services.signIn().application(of: link) else {
            return Self.over("There is no such application, or not any more.")
        }
        let asked = found.application
        let sentence =
            if let reason = asked.reason {
                "The store has refused: \(reason)"
            } else if asked.approvedAt != nil {
                "The store has said yes. The team \(asked.team) is yours."
            } else {
                "It waits for the store. Keep the address of this page: it shows what comes of it."
            }
        return EntrancePage.page(asked.teamName, sentence, refusal.map { APIError.sentence($0.message) }) {
            if found.opens {
                passwordForm("/console/apply/\(link)", asked.email, isNew: !found.hasPassword, "Open the console")
            } else if asked.approvedAt != nil {
                p(.class("next")) { a(.class("button"), .href(Link("/console/sign-in"))) { "Sign in" } }
            }
        }.response(refusal?.entranceStatus ?? .ok)
    }

    private func begin(_ request: HTTPRequest) async throws -> HTTPResponse {
        let input = try FormInput(request)
        do {
            try Self.requireRepeated(input)
            let entry = try await services.signIn().enter(
                withApplication: request[Self.link], password: input["password"], at: .page(request.peer),
                client: request.client)
            return entered(entry, request)
        } catch let refusal as ServiceError {
            return try await standing(request, refusal)
        }
    }
}

/// A text of several paragraphs.
func paragraphs(_ text: String) -> [any HTML] {
    text.replacing("\r\n", with: "\n").split(separator: "\n\n").map { part -> any HTML in p { String(part) } }
}
