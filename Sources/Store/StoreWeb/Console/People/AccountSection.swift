import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// What somebody in the console looks after for themselves: password, second factor, and where they are signed in.
struct AccountSection: ConsoleSection {
    let services: ConsoleServices

    static let path = "/account"
    static let factorPath = "/account/second-factor"

    var routes: [Route] {
        [
            ownPage(Self.path) { try await show($0) },
            ownForm("/account/password", changePassword) { try await show($0) },
            ownForm("/account/session", endSession) { try await show($0) },
            ownForm("/account/membership", move) { try await show($0) },
            ownPage(Self.factorPath) { try await factor($0) },
            ownForm(Self.factorPath, beginFactor) { try await factor($0) },
            ownForm("/account/second-factor/confirmation", confirmFactor) { try await factor($0) },
            ownForm("/account/second-factor/recovery", renewCodes) { try await factor($0) },
            ownForm("/account/second-factor/removal", removeFactor) { try await factor($0) },
        ]
    }

    // MARK: The account

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Your account", place: .account)
        guard let person = visit.session.person else {
            page.lede =
                visit.actor.kind == .owner
                ? "You came in by a link of the store’s machine. Make yourself one of the store’s people to come in by a password."
                : "You came in by a token of \(visit.actor.name ?? ""). A token has no password of its own."
            if visit.actor.keepsStore {
                page.alternatives = [
                    .init(command: "people invite ada@example.com --name Ada --role operator"),
                    .init(command: "console"),
                ]
            }
            let factor = visit.session.factorSubject == nil ? nil : try await factorCard(visit)
            return try await page.response { factor }
        }
        let ways = try services.signIn()
        let memberships = try await ways.memberships(of: person)
        let sessions = try await ways.sessions(of: person, own: visit.cookie)
        page.lede =
            "\(person): \(visit.actor.role?.rawValue ?? "") of \(visit.actor.team?.text ?? "the store"), signed in at "
            + "\(sessions.count) \(sessions.count == 1 ? "place" : "places")."
        let factor = try await factorCard(visit)
        return try await page.response {
            div(.class("two")) {
                div(.class("stack")) {
                    section {
                        h2 { "Where you are signed in" }
                        SessionTable(visit: visit, sessions: sessions, path: "/account/session").element
                    }
                    if memberships.count > 1 { membershipTable(memberships, visit) }
                }
                div(.class("stack")) {
                    factor
                    card("Password") { passwordForm(visit) }
                }
            }
        }
    }

    private func membershipTable(_ memberships: [Membership], _ visit: ConsoleVisit) -> Element {
        section {
            h2 { "What you look after" }
            DataTable(
                title: "What you look after", columns: [.text("Team"), .text("Role"), .text("")],
                rows: memberships.map { own in
                    [
                        [own.teamName ?? "The store"], [own.role.rawValue],
                        [
                            own.team == visit.actor.team
                                ? tag(.good, "now")
                                : visit.form("/account/membership") {
                                    hidden("team", own.team?.text ?? "")
                                    button { "Look after \(own.teamName ?? "the store")" }
                                }
                        ],
                    ]
                }, empty: []
            ).element
        }
    }

    @HTMLBuilder private func passwordForm(_ visit: ConsoleVisit) -> [any HTML] {
        visit.form("/account/password", .class("fields")) {
            div {
                label(.for("current")) { "The present one" }
                input(
                    .id("current"), .name("current"), .type("password"), .isRequired, .longest(1024),
                    .autocomplete("current-password"))
            }
            field("password", "Another one, of ten characters or more", type: "password", isRequired: true)
            button { "Change it" }
        }
        p(.class("muted")) { "Every other session of yours ends by it." }
    }

    private func changePassword(_ visit: ConsoleVisit, _ input: FormInput) async throws -> HTTPResponse {
        try await services.signIn().changePassword(
            of: try person(visit), from: input["current"], to: input["password"], in: visit.cookie, at: visit.place)
        return redirect(to: visit.link(Self.path, done: .changed))
    }

    private func endSession(_ visit: ConsoleVisit, _ input: FormInput) async throws -> HTTPResponse {
        try await services.signIn().endSession(input["session"], of: try person(visit))
        return redirect(to: visit.link(Self.path, done: .ended))
    }

    private func move(_ visit: ConsoleVisit, _ input: FormInput) async throws -> HTTPResponse {
        let team = try input.text("team").map { try TeamID(parsing: $0) }
        try await services.signIn().act(for: team, in: visit.cookie, of: try person(visit))
        return redirect(to: visit.link(Self.path, done: .joined))
    }

    private func person(_ visit: ConsoleVisit) throws -> String {
        guard let person = visit.session.person else {
            throw ServiceError(.stateWrong, "only who came in by a password has one; links and tokens have none")
        }
        return person
    }
}

// MARK: The second factor

extension AccountSection {
    private func subject(_ visit: ConsoleVisit) throws -> String {
        guard let subject = visit.session.factorSubject else {
            throw ServiceError(.stateWrong, "a token is for programs, and has no second factor")
        }
        return subject
    }

    private func factorCard(_ visit: ConsoleVisit) async throws -> Element {
        let state = try await services.signIn().factor(of: subject(visit))
        return card("Second factor") {
            if state.confirmedAt == nil {
                p { "None: whoever has your \(visit.session.person == nil ? "link" : "password") comes in." }
                p { a(.class("button"), .href(visit.link(Self.factorPath))) { "Set up an authenticator app" } }
            } else {
                p {
                    tag(.good, "asked for")
                    " \(state.recoveryCodesLeft) of \(SecondFactors.recoveryCodes) recovery codes are left."
                }
                p { a(.class("button"), .href(visit.link(Self.factorPath))) { "Look after it" } }
            }
        }
    }

    private func factor(_ visit: ConsoleVisit, codes: [String]? = nil) async throws -> HTTPResponse {
        let ways = try services.signIn()
        guard let subject = visit.session.factorSubject else { return try await show(visit) }
        let (state, pending) = (try await ways.factor(of: subject), try await ways.pendingFactor(of: subject))
        var page = ConsolePage(visit: visit, title: "Second factor", place: .account)
        page.crumbs = [("Your account", visit.link(Self.path))]
        page.lede =
            state.confirmedAt.map { "Asked for since \($0.rfc3339.prefix(10)), at every sign-in." }
            ?? (visit.session.lacksFactor
                ? "Your role comes in only with a second factor. Set it up, and the console opens."
                : "An app on your telephone shows a code that is asked for after the password.")
        if visit.actor.keepsStore { page.alternatives = [.init(command: "second-factor show")] }
        return try await page.response {
            if let codes { recoveryCodes(codes, visit) }
            if state.confirmedAt != nil {
                confirmed(state, visit)
            } else if let pending {
                setup(pending, visit)
            } else {
                visit.form(Self.factorPath) { button(.class("primary")) { "Show the code for the app" } }
            }
        }
    }

    private func recoveryCodes(_ codes: [String], _ visit: ConsoleVisit) -> Element {
        once(
            "Your recovery codes. Each opens once, on the day on which the app is lost. They are shown this once:",
            codes.joined(separator: "\n"))
    }

    @HTMLBuilder private func setup(_ pending: ConsoleSignIn.NewFactor, _ visit: ConsoleVisit) -> [any HTML] {
        div(.class("card setup")) {
            if let code = QRCode(pending.address) {
                code.element("A QR code for your authenticator app; the text below says the same")
            }
            div(.class("stack")) {
                p { "1. Read the picture with any authenticator app, or type this into it:" }
                commandLine(pending.secret)
                p { "2. Type the code that it shows." }
                visit.form("/account/second-factor/confirmation", .class("fields")) {
                    div {
                        label(.for("code")) { "Code" }
                        input(
                            .id("code"), .name("code"), .isRequired, .longest(10), .inputMode("numeric"),
                            .autocomplete("one-time-code"))
                    }
                    button(.class("primary")) { "Ask for it from now on" }
                }
                visit.form(Self.factorPath) { button { "Show another picture" } }
            }
        }
    }

    @HTMLBuilder private func confirmed(
        _ state: ConsoleSignIn.FactorState, _ visit: ConsoleVisit
    ) -> [any HTML] {
        card("Recovery codes") {
            p { "\(state.recoveryCodesLeft) of \(SecondFactors.recoveryCodes) are left. Others make the former void." }
            visit.form("/account/second-factor/recovery", .class("fields")) {
                codeField("codes-code")
                button { "Make \(SecondFactors.recoveryCodes) others" }
            }
        }
        card("Another telephone") {
            p { "Remove it, and set it up anew. Until then nobody asks you for a code." }
            visit.form("/account/second-factor/removal", .class("fields")) {
                codeField("removal-code")
                button(.class("danger")) { "Remove the second factor" }
            }
        }
    }

    private func codeField(_ id: String) -> Element {
        div {
            label(.for(id)) { "A code of the app, or a recovery code" }
            input(
                .id(id), .name("code"), .isRequired, .longest(40), .autocomplete("one-time-code"), .isUnspelled)
        }
    }

    private func beginFactor(_ visit: ConsoleVisit, _ input: FormInput) async throws -> HTTPResponse {
        try await services.signIn().beginFactor(of: subject(visit))
        return redirect(to: visit.link(Self.factorPath))
    }

    private func confirmFactor(_ visit: ConsoleVisit, _ input: FormInput) async throws -> HTTPResponse {
        let codes = try await services.signIn().confirmFactor(
            of: subject(visit), code: input["code"], in: visit.cookie, at: visit.place, by: visit.actor,
            request: visit.request.id)
        return try await factor(try await again(visit), codes: codes)
    }

    private func renewCodes(_ visit: ConsoleVisit, _ input: FormInput) async throws -> HTTPResponse {
        let codes = try await services.signIn().renewRecoveryCodes(
            of: subject(visit), code: input["code"], at: visit.place, by: visit.actor)
        return try await factor(visit, codes: codes)
    }

    private func removeFactor(_ visit: ConsoleVisit, _ input: FormInput) async throws -> HTTPResponse {
        try await services.signIn().removeFactor(
            of: subject(visit), code: input["code"], at: visit.place, by: visit.actor, request: visit.request.id)
        return redirect(to: visit.link(Self.factorPath, done: .changed))
    }

    /// The same visit once the second factor is there: the rest of the console is open.
    private func again(_ visit: ConsoleVisit) async throws -> ConsoleVisit {
        try await services.visit(visit.request, in: visit.environment) ?? visit
    }
}

/// Sessions of a person, a team or the store, each with the way to end it.
struct SessionTable {
    let visit: ConsoleVisit
    let sessions: [ListedSession]
    /// Where the form that ends one is sent.
    let path: String
    var mayEnd = true

    var element: [any HTML] {
        DataTable(
            title: "Sessions",
            columns: [.text("Who"), .optional("Browser"), .text("Last used"), .optional("Ends"), .text("")],
            rows: sessions.map { session in
                [
                    [session.person ?? "the owner"], [BrowserName.words(of: session.client)],
                    [ago(session.usedAt ?? session.createdAt, visit.now)],
                    [span(.class("whole")) { ago(session.expiresAt, visit.now) }],
                    [
                        session.isOwn
                            ? tag(.good, "this one")
                            : mayEnd ? ending(session) : ""
                    ],
                ]
            }, empty: [p { "Nobody is signed in." }]
        ).element
    }

    private func ending(_ session: ListedSession) -> Element {
        visit.form(path) {
            hidden("session", session.id)
            button(.class("whole")) { "End it" }
        }
    }
}
