import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreServer
import StoreService

/// What the commands on teams share.
enum TeamOptions {
    static let team = Argument<TeamID>.required(CatalogueOptions.teamFormat, help: "The id of the team.")
    static let reason = Option<String>.required("because", .text("TEXT"), help: "Why; it stays in the audit.")
    static let kind = Argument<String>.required(
        .choice("KIND", ["free", "paid"]), help: "The agreement about what is free, or about what costs money.")
    static let email = Argument<String>.required(.text("EMAIL"), help: "The e-mail address of the member.")

    static let exits: [ExitCode] = [
        .inputMissing.when("There is no such team or member, or no store."), CatalogueOptions.unavailable,
        .badData.when("A value is refused."), .failure.when("It contradicts what is there."),
    ]

    static func path(_ team: TeamID) -> String { "\(CatalogueOptions.path)/teams/\(team)" }

    /// Asks for something of a team, and prints the team as it is then.
    static func ask(
        _ method: String, _ path: String, _ arguments: ParsedArguments, _ context: CommandContext,
        sending body: (any Encodable & Sendable)? = nil
    ) async throws {
        let team = try await AdminConnection.withStore(arguments, context) { store in
            if let body {
                return try await store.ask(method, path, bytes: Array(JSONEncoder().encode(body)), as: TeamAnswer.self)
            }
            return try await store.ask(method, path, as: TeamAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(team) }
        for line in lines(team) { context.print(line) }
    }

    static func line(_ team: TeamAnswer) -> String {
        let state = team.suspensionReason.map { ", suspended: \(PrintableText($0, limit: 400))" } ?? ""
        return "\(team.teamId): \(PrintableText(team.name, limit: 100))\(state)"
    }

    static func lines(_ team: TeamAnswer) -> [String] {
        var lines = [line(team)]
        for agreement in team.agreements ?? [] {
            let end = agreement.endsAt.map { ", \(agreement.isValid ? "until" : "ended") \($0.rfc3339)" } ?? ""
            let reason = agreement.endedReason.map { ": \(PrintableText($0, limit: 400))" } ?? ""
            lines.append(
                "  \(agreement.kind) agreement: accepted \(agreement.acceptedAt.rfc3339) by "
                    + "\(PrintableText(agreement.acceptedBy, limit: 100))\(end)\(reason)")
        }
        if team.agreements?.contains(where: { $0.kind == "paid" && $0.isValid }) == false {
            lines.append("  sells nothing: till agreements accept \(team.teamId) paid --by NAME")
        }
        for member in team.members ?? [] {
            lines.append("  \(member.email)  \(PrintableText(member.name, limit: 100))  \(member.role)")
        }
        if let missing = team.missingForPayout, !missing.isEmpty {
            lines.append("  nothing could be paid out: there is no \(TeamsFinance.words(missing))")
        }
        return lines
    }
}

/// `till teams`
enum TeamsCommand {
    private static let name = Argument<String>.required(.text("NAME"), help: "What the team is called.")

    static let command = Command<TillProgram.Action>(
        "teams", "Enrol, suspend and look at the teams that sell.",
        discussion: """
            Each app belongs to a team. A store begins with one, my-team, which has agreed to everything, so that a developer \
            alone need not know of teams. A suspended team sells nothing new; what was bought stays, and is restored and \
            refunded.
            """,
        options: AdminConnection.options,
        examples: [Example("Who sells here", "till teams list")],
        seeAlso: ["till members", "till agreements", "till audit"],
        subcommands: [
            Command(
                "list", "List the teams.", options: ListOptions.all,
                examples: [Example("All, for a program", "till teams list --json")],
                exitCodes: [CatalogueOptions.noStore, CatalogueOptions.unavailable],
                action: { arguments, context in
                    let teams = try await AdminConnection.withStore(arguments, context) {
                        try await $0.all(CatalogueOptions.path + "/teams", of: TeamAnswer.self)
                    }
                    if arguments[StandardOptions.json] { return try context.printJSON(Page(teams)) }
                    context.printList(teams, as: CatalogueTables.teams, arguments, nothing: "There are no teams.")
                }),
            Command(
                "show", "Show a team, its members and agreements.", options: [StandardOptions.json],
                arguments: [TeamOptions.team], examples: [Example("The first", "till teams show my-team")],
                exitCodes: TeamOptions.exits,
                action: { arguments, context in
                    try await TeamOptions.ask("GET", TeamOptions.path(arguments[TeamOptions.team]), arguments, context)
                }),
            Command(
                "add", "Enrol a team.",
                discussion: "It sells nothing before it has agreed: till agreements accept TEAM paid --by NAME",
                options: [StandardOptions.json], arguments: [TeamOptions.team, name],
                examples: [Example("One", "till teams add monkeysoft 'Monkey Software'")], exitCodes: TeamOptions.exits,
                action: { arguments, context in
                    let wanted = TeamRequest(teamId: arguments[TeamOptions.team], name: arguments[name])
                    try await TeamOptions.ask(
                        "POST", CatalogueOptions.path + "/teams", arguments, context, sending: wanted)
                }),
            Command(
                "proceeds", "Show what the apps of a team have earned, from the ledger.",
                options: [environment, csv, StandardOptions.json], arguments: [TeamOptions.team],
                rules: [.atMostOne(csv, StandardOptions.json)],
                examples: [Example("For a spreadsheet", "till teams proceeds my-team --environment production --csv")],
                exitCodes: TeamOptions.exits, action: proceeds),
            Command(
                "suspend", "Keep a team from selling anything new.",
                options: [TeamOptions.reason, StandardOptions.json],
                arguments: [TeamOptions.team],
                examples: [Example("One", "till teams suspend monkeysoft --because 'complaints of customers'")],
                exitCodes: TeamOptions.exits,
                action: { arguments, context in
                    try await TeamOptions.ask(
                        "PUT", TeamOptions.path(arguments[TeamOptions.team]) + "/suspension", arguments, context,
                        sending: ReasonRequest(reason: arguments[TeamOptions.reason]))
                }),
            Command(
                "reinstate", "Let a suspended team sell again.", options: [StandardOptions.json],
                arguments: [TeamOptions.team], examples: [Example("One", "till teams reinstate monkeysoft")],
                exitCodes: TeamOptions.exits,
                action: { arguments, context in
                    try await TeamOptions.ask(
                        "DELETE", TeamOptions.path(arguments[TeamOptions.team]) + "/suspension", arguments, context)
                }),
            TeamsFinance.command, ApplicationCommands.list, ApplicationCommands.approve, ApplicationCommands.refuse,
        ])
}

/// `till teams finance`
private enum TeamsFinance {
    /// The names of values, as people read them.
    static func words(_ values: [String]) -> String { values.map(FieldName.words).joined(separator: ", ") }

    private static func value(_ name: String, _ help: String) -> Option<String?> {
        .optional(name, .text("TEXT"), help: help)
    }

    private static let holder = value("holder", "Whose account it is.")
    private static let iban = value("iban", "The account, with right check digits.")
    private static let bic = value("bic", "The bank.")
    private static let legalName = value("legal-name", "The name for the tax office.")
    private static let country = value("tax-country", "The country of the tax office, three letters.")
    private static let number = value("tax-id", "The number at the tax office.")
    private static let address = value("address", "The address for the tax office.")

    static let command = Command<TillProgram.Action>(
        "finance", "Show or set the bank and tax data of a team.",
        discussion: """
            What is left out stays, and an empty text takes a value away. Forms and check digits are looked at. Nothing is \
            paid out yet.
            """,
        options: [holder, iban, bic, legalName, country, number, address, StandardOptions.json],
        arguments: [TeamOptions.team],
        examples: [
            Example("Set the account", "till teams finance my-team --holder 'Ada Ape' --iban DE89370400440532013000")
        ],
        exitCodes: TeamOptions.exits,
        action: { arguments, context in
            var wanted = TeamFinanceMessage()
            wanted.accountHolder = arguments[holder]
            wanted.iban = arguments[iban]
            wanted.bic = arguments[bic]
            wanted.legalName = arguments[legalName]
            wanted.taxCountry = arguments[country]
            wanted.taxId = arguments[number]
            wanted.address = arguments[address]
            let (order, path) = (wanted, TeamOptions.path(arguments[TeamOptions.team]) + "/finance")
            let finance = try await AdminConnection.withStore(arguments, context) { store in
                order == TeamFinanceMessage()
                    ? try await store.ask("GET", path, as: TeamFinanceMessage.self)
                    : try await store.ask("PUT", path, order, as: TeamFinanceMessage.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(finance) }
            let rows = [
                ("account holder", finance.accountHolder), ("IBAN", finance.iban), ("BIC", finance.bic),
                ("legal name", finance.legalName), ("tax country", finance.taxCountry), ("tax id", finance.taxId),
                ("address", finance.address),
            ]
            for (name, value) in rows {
                context.print("\(name): \(value.map { PrintableText($0, limit: 400).description } ?? "none")")
            }
        })
}

extension TeamsCommand {
    private static let environment = Option<StoreEnvironment>.defaulted(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), to: .sandbox,
        help: "Where it was earned; what the sandbox has is no money.")
    private static let csv = Option<Bool>.flag("csv", help: "Print a table with commas.")

    private static func proceeds(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let path = "/\(arguments[environment])/control/v1/teams/\(arguments[TeamOptions.team])/proceeds"
        let report = try await AdminConnection.withStore(arguments, context) {
            try await $0.ask("GET", path, as: ProceedsAnswer.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(report) }
        if arguments[csv] { return context.write(Array(report.csv.utf8)) }
        context.printList(report.items, as: SaleTables.proceeds, arguments, nothing: "Nothing was sold.")
        context.print(
            report.missingForPayout.isEmpty
                ? "Nothing is paid out: this store makes no payouts yet."
                : "Nothing could be paid out: there is no \(TeamsFinance.words(report.missingForPayout)).")
    }
}

/// `till members`
enum MembersCommand {
    private static let name = Option<String>.required("name", .text("NAME"), help: "What they are called.")
    private static let role = Option<String>.required(
        "role", .choice("ROLE", OperatorTokens.Role.ofMembers.map(\.rawValue)), help: "What they may do.")

    static let command = Command<TillProgram.Action>(
        "members", "Take people into a team, with what they may do.",
        discussion: """
            owner: everything of the team; developer: apps, products and prices; reviewer: reads what waits for a review; \
            finance: agreements, bank and tax data; support: reads. Reviews are the store's: no member decides about what the \
            team sells. A member works with tokens: \
            till control-token create NAME --team TEAM --member EMAIL
            """,
        options: AdminConnection.options,
        examples: [Example("A developer", "till members put my-team ada@example.com --name Ada --role developer")],
        subcommands: own + acts.commands)

    private static let acts = PeopleActs(
        place: [TeamOptions.team], words: "my-team ", role: role,
        path: { TeamOptions.path($0[TeamOptions.team]) }, people: "/members"
    )

    private static let own: [Command<TillProgram.Action>] = [
        Command(
            "put", "Take somebody into a team, or give a member another name or role.",
            options: [name, role, StandardOptions.json], arguments: [TeamOptions.team, TeamOptions.email],
            examples: [Example("An owner", "till members put my-team ada@example.com --name Ada --role owner")],
            exitCodes: TeamOptions.exits,
            action: { arguments, context in
                try await TeamOptions.ask(
                    "PUT", path(arguments), arguments, context,
                    sending: MemberRequest(name: arguments[name], role: arguments[role]))
            }),
        Command(
            "remove", "Take somebody out of a team; their tokens are void.", options: [StandardOptions.json],
            arguments: [TeamOptions.team, TeamOptions.email],
            examples: [Example("One", "till members remove my-team ada@example.com")], exitCodes: TeamOptions.exits,
            action: { try await TeamOptions.ask("DELETE", path($0), $0, $1) }),
        Command(
            "list", "List the people of a team, its invitations, and who is signed in.",
            options: [StandardOptions.json], arguments: [TeamOptions.team],
            examples: [Example("All", "till members list my-team")], exitCodes: TeamOptions.exits,
            action: { arguments, context in
                try await PeopleActs.show(
                    "GET", TeamOptions.path(arguments[TeamOptions.team]) + "/people", nil, arguments, context)
            }),
    ]

    private static func path(_ arguments: ParsedArguments) -> String {
        TeamOptions.path(arguments[TeamOptions.team]) + "/members/\(SaleOptions.escaped(arguments[TeamOptions.email]))"
    }
}

/// `till agreements`
enum AgreementsCommand {
    private static let by = Option<String>.required("by", .text("NAME"), help: "Who agrees for the team.")
    private static let life = Option<Duration?>.optional("for", .duration(), help: "How long it holds; without an end.")
    private static let version = Option<Int?>.optional(
        "version", .integer(in: 0...Int(Int32.max)), help: "The text that was read, as till agreements text has it.")

    static let command = Command<TillProgram.Action>(
        "agreements", "Note what teams have agreed to.",
        discussion: """
            Without a valid agreement about what costs money nothing of StoreKit works in the apps of a team: products are \
            invalid, and purchases and restores fail.
            """,
        options: AdminConnection.options,
        examples: [Example("A team agrees", "till agreements accept monkeysoft paid --by 'Ada Ape'")],
        subcommands: [
            Command(
                "accept", "Note that a team agrees.", options: [by, life, version, StandardOptions.json],
                arguments: [TeamOptions.team, TeamOptions.kind],
                examples: [Example("For a year", "till agreements accept monkeysoft paid --by Ada --for 365d")],
                exitCodes: TeamOptions.exits,
                action: { arguments, context in
                    let wanted = AgreementRequest(
                        acceptedBy: arguments[by], endsAt: arguments[life].map { context.now + $0 },
                        version: arguments[version])
                    try await TeamOptions.ask("PUT", path(arguments), arguments, context, sending: wanted)
                }),
            Command(
                "end", "End an agreement now.", options: [TeamOptions.reason, StandardOptions.json],
                arguments: [TeamOptions.team, TeamOptions.kind],
                examples: [Example("One", "till agreements end monkeysoft paid --because 'not renewed'")],
                exitCodes: TeamOptions.exits,
                action: { arguments, context in
                    try await TeamOptions.ask(
                        "POST", path(arguments) + "/end", arguments, context,
                        sending: ReasonRequest(reason: arguments[TeamOptions.reason]))
                }),
            AgreementTextCommand.command,
        ])

    private static func path(_ arguments: ParsedArguments) -> String {
        TeamOptions.path(arguments[TeamOptions.team]) + "/agreements/\(arguments[TeamOptions.kind])"
    }
}
