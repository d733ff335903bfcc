import CommandOptions
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// `till family`
enum FamilyCommand {
    static let command = Command<TillProgram.Action>(
        "family", "Look after families, who share what they buy and ask before children do.", options: SaleOptions.all,
        examples: [
            Example("Make one", "till family create ada@example.com"),
            Example("Take a child in", "till family add ada@example.com tim@example.com --child"),
        ],
        seeAlso: ["till approvals", "till testers"],
        subcommands: [create, list, show, add, remove, leave, asking, consent])

    private static let organiser = account("ORGANISER", "The account of the organiser.")
    private static let family = account("MEMBER", "An account of the family.")
    private static let other = account("ACCOUNT", "The account, by its e-mail address or number.")
    private static let child = Option<Bool>.flag("child", help: "As a child, who asks before it buys.")
    private static let word = Argument<String>.required(.choice("WORD", ["on", "off"]), help: "On or off.")

    private static func account(_ name: String, _ help: String) -> Argument<String> {
        .required(.text(name, asking: "people"), help: help)
    }

    private static func path(_ arguments: ParsedArguments, _ rest: String = "") -> String {
        SaleOptions.path(arguments) + "/families" + rest
    }

    private static let create = Command<TillProgram.Action>(
        "create", "Make a family of one, who organises it and pays for its children.",
        options: [StandardOptions.json], arguments: [organiser],
        examples: [Example("One", "till family create ada@example.com")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let made = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "POST", path(arguments), FamilyRequest(organiser: arguments[organiser]), as: FamilyReport.self)
            }
            try print(made, arguments, context)
        })

    private static let list = Command<TillProgram.Action>(
        "list", "List the families.", options: ListOptions.all,
        examples: [Example("All of them", "till family list")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.all(path(arguments), of: FamilyReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            let rows = found.flatMap { family in family.members.map { (family: family, member: $0) } }
            context.printList(
                rows, as: SaleTables.families, arguments,
                nothing: "There are no families. To make one: till family create ORGANISER")
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show the family of an account.", options: [StandardOptions.json], arguments: [family],
        examples: [Example("One", "till family show tim@example.com")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "GET", path(arguments, "/\(SaleOptions.escaped(arguments[family]))"), as: FamilyReport.self)
            }
            try print(found, arguments, context)
        })

    private static let add = Command<TillProgram.Action>(
        "add", "Take an account into a family. What the others share is its own from then on, and the other way round.",
        discussion: "A family has at most \(Family.limit) people, all of one storefront.",
        options: [child, StandardOptions.json], arguments: [family, other],
        examples: [Example("A child", "till family add ada@example.com tim@example.com --child")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let order = FamilyMemberRequest(
                customer: arguments[other],
                role: (arguments[child] ? Family.Role.child : .adult).rawValue)
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "POST", path(arguments, "/\(SaleOptions.escaped(arguments[family]))/members"), order,
                    as: FamilyReport.self)
            }
            try print(found, arguments, context)
        })

    private static let remove = Command<TillProgram.Action>(
        "remove", "Take an account out of a family, which ends all sharing with it.",
        options: [StandardOptions.json], arguments: [family, other],
        examples: [Example("One", "till family remove ada@example.com tim@example.com")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in try await end(arguments[family], arguments[other], arguments, context) })

    private static let leave = Command<TillProgram.Action>(
        "leave", "Let an account leave its family. Without its organiser a family is over.",
        options: [StandardOptions.json], arguments: [other],
        examples: [Example("One", "till family leave tim@example.com")], exitCodes: SaleOptions.exits,
        action: { arguments, context in try await end(arguments[other], arguments[other], arguments, context) })

    private static func end(
        _ family: String, _ member: String, _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws {
        try await AdminConnection.withSales(arguments, context) {
            try await $0.send(
                "DELETE", path(arguments, "/\(SaleOptions.escaped(family))/members/\(SaleOptions.escaped(member))"))
        }
        if arguments[StandardOptions.json] { return try context.printJSON(["left": member]) }
        context.print("\(PrintableText(member, limit: 254)) is in no family now.")
    }

    private static let asking = Command<TillProgram.Action>(
        "ask-to-buy", "Let a child ask before it buys, or not.", options: [StandardOptions.json],
        arguments: [other, word],
        examples: [Example("One who is old enough", "till family ask-to-buy tim@example.com off")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let change = CustomerChange(asksToBuy: arguments[word] == "on")
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "PATCH", SaleOptions.path(arguments) + "/customers/\(SaleOptions.escaped(arguments[other]))",
                    change,
                    as: CustomerReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.print(SaleText.line(found))
        })

    private static let childName = account("CHILD", "The account of the child.")
    private static let app = Argument<BundleID>.required(CatalogueOptions.bundleFormat, help: "The app.")

    private static let consent = Command<TillProgram.Action>(
        "consent", "Withdraw the consent to a child's use of an app, or give it again.",
        discussion: """
            The developer of the app is told of a withdrawal by the notification RESCIND_CONSENT. The child buys nothing in the app \
            from then on; what it owns stays, and its subscriptions go on until they are turned off.
            """,
        options: [StandardOptions.json], arguments: [childName, app, word],
        examples: [Example("Withdraw it", "till family consent tim@example.com com.example.app off")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let one = path(
                arguments, "/\(SaleOptions.escaped(arguments[childName]))/consents/\(arguments[app])")
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(arguments[word] == "on" ? "PUT" : "DELETE", one, as: FamilyReport.self)
            }
            try print(found, arguments, context)
        })

    private static func print(
        _ family: FamilyReport, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(family) }
        for line in SaleText.lines(family) { context.print(line) }
    }
}

/// `till approvals`
enum ApprovalsCommand {
    static let command = Command<TillProgram.Action>(
        "approvals", "See what waits for somebody else's yes, and decide as the approver.", options: SaleOptions.all,
        examples: [Example("What waits", "till approvals list"), Example("Yes", "till approvals approve 17")],
        seeAlso: ["till family", "till approve"],
        subcommands: [list, decide("approve", "Say yes", "consent"), decide("decline", "Say no", "refusal")])

    private static let name = Argument<String>.required(
        .text("PURCHASE"), help: "The number of the purchase; last is the newest.")

    private static let list = Command<TillProgram.Action>(
        "list", "List purchases that wait for an approval, the newest last, with the page where it is given.",
        options: ListOptions.all,
        examples: [Example("All of them", "till approvals list")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            try await AdminConnection.listSales(
                "/approvals", of: ApprovalReport.self, arguments, context, nothing: "Nothing waits for an approval."
            ) {
                (nil, $0.bundleId)
            } table: {
                SaleTables.approvals($0)
            }
        })

    private static func decide(_ word: String, _ act: String, _ path: String) -> Command<TillProgram.Action> {
        Command(
            word, "\(act) as the approver of a purchase.", options: [StandardOptions.json], arguments: [name],
            examples: [Example("One", "till approvals \(word) 17")],
            exitCodes: SaleOptions.access + [
                .failure.when("The store refuses, or the payment came to nothing; the message says why.")
            ],
            action: { arguments, context in
                let one = SaleOptions.path(arguments) + "/approvals/\(SaleOptions.escaped(arguments[name]))/\(path)"
                let changed = try await AdminConnection.withSales(arguments, context) {
                    try await $0.ask("POST", one, as: PurchaseReport.self)
                }
                try BuyCommand.print(
                    changed, arguments, context, wanted: word == "approve" ? .purchased : .failed)
            })
    }
}

extension SaleText {
    static func lines(_ family: FamilyReport) -> [String] {
        ["Family \(family.familyId)"]
            + family.members.map { member in
                "  \(member.customerId)  \(PrintableText(member.email, limit: 254))  \(member.role)"
                    + (member.asksToBuy ? "  asks before it buys" : "")
                    + (member.withdrawnApps.isEmpty
                        ? "" : "  may not use \(member.withdrawnApps.map(\.text).joined(separator: ", "))")
            }
    }
}
