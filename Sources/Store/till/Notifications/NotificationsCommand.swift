import CommandOptions
import StoreFoundation
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// `till notifications`
enum NotificationsCommand {
    static let command = Command<TillProgram.Action>(
        "notifications", "See what the servers of apps were told and whether they got it, and say where it goes.",
        options: SaleOptions.all + ContentStore.elsewhere,
        examples: [
            Example(
                "Tell a server on this machine",
                "till notifications set com.example.app --url http://localhost:3000/till"),
            Example("What it did not take", "till notifications list com.example.app --state failures"),
        ],
        seeAlso: ["till listen", "till trigger"],
        subcommands: [set, remove, settings, list, show, resend, test])

    private static let exits =
        SaleOptions.exits + [.badData.when("A value is refused.")]

    private static let id = Argument<NotificationID>.required(
        ValueFormat("UUID", rule: "the notificationUUID of a notification", parse: { NotificationID($0) }),
        help: "The id of the notification.")

    private static func path(_ arguments: ParsedArguments, _ rest: String) -> String {
        "\(SaleOptions.path(arguments))/apps/\(arguments[CatalogueOptions.bundle])/\(rest)"
    }

    // MARK: Where they go

    private static let url = Option<String>.required("url", .text("URL"), help: "The address of the server.")
    private static let version = Option<String>.defaulted(
        "version", .choice("VERSION", ["1", "2"]), to: "2",
        help: "The version of App Store Server Notifications; 1 is not signed, and for old servers.")
    private static let types = Option<[String]>.repeated(
        "type", .choice("TYPE", NotificationTrigger.types),
        help: "Only this type, with others that are named; else all but TILL_CONTENT_VERSION.")
    private static let retries = Option<Bool>.flag(
        "retry", help: "Try again as production does, which the sandbox does not else.")

    private static let set = Command<TillProgram.Action>(
        "set", "Set where the notifications of an app go in an environment, from now on.",
        options: [url, version, types, retries, StandardOptions.json], arguments: [CatalogueOptions.bundle],
        examples: [
            Example(
                "To a server on this machine",
                "till notifications set com.example.app --url http://localhost:3000/till"),
            Example(
                "Refunds of production only",
                "till notifications set com.example.app --environment production --url https://api.example.com/till "
                    + "--type REFUND --type REFUND_REVERSED"),
        ],
        exitCodes: exits,
        action: { arguments, context in
            let wanted = NotificationSettingRequest(
                url: arguments[url], version: Int(arguments[version]),
                types: arguments[types].isEmpty ? nil : arguments[types], retries: arguments[retries])
            let set = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "PUT", path(arguments, "notification-settings"), wanted, as: NotificationSettingReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(set) }
            context.print(NotificationText.line(set))
        })

    private static let remove = Command<TillProgram.Action>(
        "remove", "Send the notifications of an app nowhere any more. What was not delivered has failed.",
        options: [StandardOptions.json], arguments: [CatalogueOptions.bundle],
        examples: [Example("One", "till notifications remove com.example.app")], exitCodes: exits,
        action: { arguments, context in
            let left = try await AdminConnection.withSales(arguments, context) { store in
                let place = path(arguments, "notification-settings")
                try await store.send("DELETE", place)
                return try await store.ask("GET", place, as: NotificationSettingReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(left) }
            context.print(NotificationText.line(left))
        })

    private static let settings = Command<TillProgram.Action>(
        "settings", "Show where the notifications of all apps go.", options: ListOptions.all,
        examples: [Example("In the sandbox", "till notifications settings")], exitCodes: exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.all(
                    SaleOptions.path(arguments) + "/notification-settings", of: NotificationSettingReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            context.printList(
                found, as: NotificationText.settings, arguments,
                nothing: "There is no app. To enter one: till products import FILE")
        })

    // MARK: What was told

    private static let state = Option<String?>.optional(
        "state", .choice("STATE", NotificationState.allCases.map(\.rawValue) + ["failures"]),
        help: "Only those in this state; failures are those that the server did not take.")
    private static let type = Option<String?>.optional(
        "type", .choice("TYPE", NotificationTrigger.types), help: "Only those of this type.")
    private static let transaction = Option<TransactionID?>.optional(
        "transaction",
        ValueFormat("TRANSACTION", rule: "the number of a transaction", parse: { TransactionID($0) }),
        help: "Only those about this purchase.")
    private static let count = Option<Int>.defaulted(
        "count", .integer("COUNT", in: 1...1000), to: 100, help: "How many.")

    private static let list = Command<TillProgram.Action>(
        "list", "List what the server of an app was told, the newest last; with --json the newest first.",
        discussion: """
            DATE is the real time at which it was told. ITS CLOCK is its signedDate, where the clock of the tester or of the \
            sandbox shows another time; NEXT is by that clock too.
            """,
        options: [state, type, SaleOptions.customer, transaction, count] + ListOptions.all,
        arguments: [CatalogueOptions.bundle],
        examples: [
            Example("The newest", "till notifications list com.example.app"),
            Example("What the server did not take", "till notifications list com.example.app --state failures"),
        ],
        exitCodes: exits,
        action: { arguments, context in
            var query = SaleOptions.customerQuery(arguments) + ["limit=\(arguments[count])"]
            if let state = arguments[state] { query.append("state=\(state)") }
            if let type = arguments[type] { query.append("type=\(type)") }
            if let transaction = arguments[transaction] { query.append("transaction=\(transaction)") }
            let place = path(arguments, "notifications?" + query.joined(separator: "&"))
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", place, as: Page<NotificationReport>.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            context.printList(
                found.items.reversed(), as: NotificationText.notifications, arguments,
                nothing: "Nothing of the kind was told. Where it goes: till notifications settings")
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show a notification: what it says, decoded, and what became of each attempt.",
        options: [StandardOptions.json], arguments: [CatalogueOptions.bundle, id],
        examples: [
            Example("One", "till notifications show com.example.app 7c1e0d6a-3b52-4d0f-9a6e-51b2f0c4e8aa")
        ],
        exitCodes: exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "GET", path(arguments, "notifications/\(arguments[id])"), as: NotificationDetails.self)
            }
            try print(found, arguments, context)
        })

    private static let resend = Command<TillProgram.Action>(
        "resend", "Make another attempt now, of the same notification under the same id.",
        options: [StandardOptions.json], arguments: [CatalogueOptions.bundle, id],
        examples: [
            Example("One", "till notifications resend com.example.app 7c1e0d6a-3b52-4d0f-9a6e-51b2f0c4e8aa")
        ],
        exitCodes: exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask(
                    "POST", path(arguments, "notifications/\(arguments[id])/resend"), as: NotificationDetails.self)
            }
            try print(found, arguments, context)
        })

    private static let test = Command<TillProgram.Action>(
        "test", "Send a test notification to the server of an app.", options: [StandardOptions.json],
        arguments: [CatalogueOptions.bundle],
        examples: [Example("One", "till notifications test com.example.app")], exitCodes: exits,
        action: { arguments, context in
            let asked = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", path(arguments, "notifications/test"), as: NotificationReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(asked) }
            context.print("Asked for \(asked.notificationUUID). To see what became of it:")
            context.print(
                "  till notifications show \(arguments[CatalogueOptions.bundle]) \(asked.notificationUUID)"
                    + (arguments[SaleOptions.environment] == .production ? " --environment production" : ""))
        })

    private static func print(
        _ details: NotificationDetails, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(details) }
        for line in NotificationText.lines(details) { context.print(line) }
    }
}

extension NotificationTrigger {
    /// The types that this store sends.
    static let types = NotificationType.known.subtracting(unsent).map(\.rawValue).sorted()
}
