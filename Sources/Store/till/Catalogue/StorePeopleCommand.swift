import CommandOptions
import StoreCatalogue
import StoreModel
import StoreServer
import StoreService

/// What the commands on people share: those of a team and those of the store do the same at other places.
struct PeopleActs {
    static let email = Argument<String>.required(.text("EMAIL"), help: "The e-mail address.")
    static let name = Option<String>.required("name", .text("NAME"), help: "What they are called.")
    private static let invitation = Argument<String>.required(
        .text("INVITATION"), help: "The id of the invitation, as the list has it.")
    private static let session = Argument<String>.required(
        .text("SESSION"), help: "The id of the session, as the list has it.")

    static let exits: [ExitCode] = [
        .inputMissing.when("There is no such person or team, or no store."), CatalogueOptions.unavailable,
        .badData.when("A value is refused."), .failure.when("It contradicts what is there."),
    ]

    /// The arguments that say where they belong to.
    let place: [any ArgumentDeclaration]
    /// The words that say it in examples.
    let words: String
    let role: Option<String>
    /// Where the routes are, and those of people below that.
    let path: @Sendable (ParsedArguments) -> String
    let people: String

    // MARK: Commands

    var commands: [Command<TillProgram.Action>] {
        [
            invite, recover,
            ending("uninvite", "Take an invitation back.", Self.invitation, "/invitations/", "1f2e3d4c5b6a"),
            ending("sign-out", "End a session of the console.", Self.session, "/sessions/", "1f2e3d4c5b6a7988"),
        ]
    }

    private var invite: Command<TillProgram.Action> {
        Command(
            "invite", "Invite somebody by a link, which opens once within seven days.",
            discussion:
                "Whoever opens the link sets a password, and is in. Hand the link over yourself; it is printed this once.",
            options: [Self.name, role, StandardOptions.json], arguments: place + [Self.email],
            examples: [
                Example(
                    "One",
                    "till \(words.isEmpty ? "people" : "members") invite \(words)ada@example.com --name Ada --role reviewer"
                )
            ],
            exitCodes: Self.exits,
            action: { arguments, context in
                let wanted = InvitationRequest(
                    email: arguments[Self.email], name: arguments[Self.name], role: arguments[role])
                try await made(arguments, context) {
                    try await $0.ask("POST", path(arguments) + "/invitations", wanted, as: InvitationAnswer.self)
                }
            })
    }

    private var recover: Command<TillProgram.Action> {
        Command(
            "recover", "Make a link by which a member sets another password within the hour.",
            options: [StandardOptions.json], arguments: place + [Self.email],
            examples: [
                Example("One", "till \(words.isEmpty ? "people" : "members") recover \(words)ada@example.com")
            ],
            exitCodes: Self.exits,
            action: { arguments, context in
                let one = path(arguments) + people + "/\(SaleOptions.escaped(arguments[Self.email]))/recovery"
                try await made(arguments, context) { try await $0.ask("POST", one, as: InvitationAnswer.self) }
            })
    }

    /// Prints the link that was made, whole.
    private func made(
        _ arguments: ParsedArguments, _ context: CommandContext,
        _ make: @escaping @Sendable (AdminConnection) async throws -> InvitationAnswer
    ) async throws {
        let (answer, address) = try await AdminConnection.withStore(arguments, context) { store in
            let status = try? await store.ask("GET", "/admin/v1/status", as: AdminStatus.self)
            return (try await make(store), status?.production)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(answer) }
        context.print((address ?? "") + (answer.path ?? ""))
    }

    private func ending(
        _ word: String, _ summary: String, _ what: Argument<String>, _ rest: String, _ example: String
    ) -> Command<TillProgram.Action> {
        Command(
            word, summary, options: [StandardOptions.json], arguments: place + [what],
            examples: [
                Example("One", "till \(words.isEmpty ? "people" : "members") \(word) \(words)\(example)")
            ],
            exitCodes: Self.exits,
            action: { arguments, context in
                let one = path(arguments) + rest + SaleOptions.escaped(arguments[what])
                try await AdminConnection.withStore(arguments, context) { try await $0.send("DELETE", one) }
                if arguments[StandardOptions.json] { return try context.printJSON(["ended": arguments[what]]) }
                context.print("It is over.")
            })
    }

    // MARK: Lists

    /// Asks who is there, and prints it.
    static func show(
        _ method: String = "GET", _ path: String, _ body: (any Encodable & Sendable)? = nil,
        _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws {
        let people = try await AdminConnection.withStore(arguments, context) { store in
            guard let body else { return try await store.ask(method, path, as: PeopleAnswer.self) }
            return try await store.ask(method, path, body, as: PeopleAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(people) }
        for line in lines(people) { context.print(line) }
    }

    static func lines(_ people: PeopleAnswer) -> [String] {
        if people.members.isEmpty, people.invitations.isEmpty { return ["Nobody yet."] }
        let members = people.members.map { member in
            let ways = [member.hasPassword ? "password" : "token only", member.hasSecondFactor ? "second factor" : ""]
            return "\(member.email)  \(PrintableText(member.name, limit: 100))  \(member.role)  "
                + ways.filter { !$0.isEmpty }.joined(separator: " and ")
        }
        let invitations = people.invitations.map {
            "invited: \($0.invitationId)  \($0.email)  \($0.role)  until \($0.expiresAt.rfc3339)"
        }
        let sessions = people.sessions.map {
            "signed in: \($0.sessionId)  \($0.person ?? "owner")  until \($0.expiresAt.rfc3339)"
        }
        return members + invitations + sessions
    }
}

/// `till people`
enum StorePeopleCommand {
    private static let role = Option<String>.required(
        "role", .choice("ROLE", OperatorTokens.Role.ofStore.map(\.rawValue)), help: "What they may do.")

    private static var path: String { CatalogueOptions.path }
    private static let acts = PeopleActs(
        place: [], words: "", role: role, path: { _ in CatalogueOptions.path }, people: "/people")

    static let command = Command<TillProgram.Action>(
        "people", "Look after the store's own people, who look after all teams.",
        discussion: """
            operator: everything; reviewer: decides about what is submitted; finance: agreements, bank and tax data; support: \
            customers and their purchases. They come to the console by a password that they set with an invitation.
            """,
        options: AdminConnection.options,
        examples: [Example("A reviewer", "till people invite ada@example.com --name Ada --role reviewer")],
        seeAlso: ["till members", "till second-factor", "till console"],
        subcommands: own + acts.commands)

    private static let own: [Command<TillProgram.Action>] = [
        Command(
            "list", "List them, their invitations, and who is signed in.", options: [StandardOptions.json],
            examples: [Example("All", "till people list")], exitCodes: PeopleActs.exits,
            action: { arguments, context in
                try await PeopleActs.show("GET", path + "/people", nil, arguments, context)
            }),
        Command(
            "put", "Take somebody in, or give another name or role.",
            options: [PeopleActs.name, role, StandardOptions.json], arguments: [PeopleActs.email],
            examples: [Example("One", "till people put ada@example.com --name Ada --role support")],
            exitCodes: PeopleActs.exits,
            action: { arguments, context in
                let wanted = MemberRequest(name: arguments[PeopleActs.name], role: arguments[role])
                try await PeopleActs.show("PUT", one(arguments), wanted, arguments, context)
            }),
        Command(
            "remove", "Take somebody out, whose sessions are over at once.", options: [StandardOptions.json],
            arguments: [PeopleActs.email], examples: [Example("One", "till people remove ada@example.com")],
            exitCodes: PeopleActs.exits,
            action: { try await PeopleActs.show("DELETE", one($0), nil, $0, $1) }),
    ]

    private static func one(_ arguments: ParsedArguments) -> String {
        path + "/people/\(SaleOptions.escaped(arguments[PeopleActs.email]))"
    }
}

/// `till second-factor`
enum SecondFactorCommand {
    private static let roles = Argument<[String]>.rest(
        .choice("ROLE", roleNames), help: "The roles that need one; none for nobody.")
    private static let roleNames = Set((OperatorTokens.Role.ofStore + OperatorTokens.Role.ofMembers).map(\.rawValue))
        .sorted()
    private static let subject = Argument<String?>.optional(
        .text("EMAIL"), help: "Whose it is; without one that of whoever has the machine of the store.")
    private static let team = Option<TeamID?>.optional(
        "team", CatalogueOptions.teamFormat, help: "Where they are a member; without it among the store's own people.")

    static let command = Command<TillProgram.Action>(
        "second-factor", "Say who needs a second factor to come to the console, and help who has lost it.",
        discussion: """
            Everybody sets up an authenticator app in the console, under Your account, and gets ten recovery codes with it. \
            Whose role needs one comes no further before it is there.
            """,
        options: AdminConnection.options,
        examples: [Example("Who looks after money needs one", "till second-factor require operator finance")],
        seeAlso: ["till people", "till members"],
        subcommands: [
            Command(
                "show", "Show which roles need one.", options: [StandardOptions.json],
                examples: [Example("All", "till second-factor show")], exitCodes: PeopleActs.exits,
                action: { try await ask("GET", nil, $0, $1) }),
            Command(
                "require", "Say which roles need one, and no others.", options: [StandardOptions.json],
                arguments: [roles], examples: [Example("Two", "till second-factor require operator finance")],
                exitCodes: PeopleActs.exits,
                action: { try await ask("PUT", SecondFactorRule(roles: $0[roles]), $0, $1) }),
            Command(
                "reset", "Ask somebody who has lost the app for no code any more, and end the sessions.",
                options: [team, StandardOptions.json], arguments: [subject],
                examples: [Example("A member", "till second-factor reset ada@example.com --team my-team")],
                exitCodes: PeopleActs.exits, action: reset),
        ])

    private static func ask(
        _ method: String, _ rule: SecondFactorRule?, _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws {
        let path = CatalogueOptions.path + "/second-factor-rule"
        let found = try await AdminConnection.withStore(arguments, context) { store in
            guard let rule else { return try await store.ask(method, path, as: SecondFactorRule.self) }
            return try await store.ask(method, path, rule, as: SecondFactorRule.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(found) }
        context.print(
            found.roles.isEmpty ? "No role needs one." : "Needed by: \(found.roles.joined(separator: ", "))")
    }

    private static func reset(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let path =
            switch (arguments[subject].map(SaleOptions.escaped), arguments[team]) {
            case (let email?, let team?): "/teams/\(team)/members/\(email)/second-factor"
            case (let email?, nil): "/people/\(email)/second-factor"
            case (nil, _): "/second-factor"
            }
        try await AdminConnection.withStore(arguments, context) { store in
            try await store.send("DELETE", CatalogueOptions.path + path)
        }
        let whose = arguments[subject] ?? "owner"
        if arguments[StandardOptions.json] { return try context.printJSON(["reset": whose]) }
        context.print("\(PrintableText(whose, limit: 254)) comes in without a code from now on.")
    }
}
