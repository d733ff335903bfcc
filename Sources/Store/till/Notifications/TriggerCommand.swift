import CommandOptions
import StoreModel
import StoreRules
import StoreServer

/// `till trigger`
enum TriggerCommand {
    private static let app = Option<BundleID?>.optional(
        "app", CatalogueOptions.bundleFormat,
        help: "The app; if it is left out, one that has what is needed, best one with an address for notifications.")
    private static let product = Option<ProductID?>.optional(
        "product", CatalogueOptions.productFormat, help: "The product; if it is left out, one that fits.")
    private static let customer = Option<String?>.optional(
        "customer", .text("EMAIL|NUMBER", asking: "people"),
        help: "The tester it is done with, whose clock may be advanced; a new one if it is left out.")
    private static let environment = Option<StoreEnvironment>.defaulted(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), to: .sandbox, environment: "TILL_ENVIRONMENT",
        help: "Which environment; only the sandbox lets anything be made to happen.")

    static let command = Command<TillProgram.Action>(
        "trigger", "Make something happen in the sandbox that a developer's server is told of.",
        discussion: """
            It is the real thing: a tester buys, a period ends, a card is declined. What is sent is what any customer would \
            have brought about. Each step is told in a line, and at the end the notifications that came of it. Where a period \
            has to end, the tester's clock is advanced, and signedDate is by that clock: Get Notification History with an \
            endDate of now leaves that out.
            """,
        options: RunningStore.options + [environment],
        examples: [
            Example("A first purchase, in whichever app has a subscription", "till trigger subscribed"),
            Example("A refund that the server of your app hears of", "till trigger refund --app com.example.app"),
        ],
        seeAlso: ["till listen", "till notifications list"],
        subcommands: [list] + NotificationTrigger.all.map(subcommand))

    private static func subcommand(_ trigger: NotificationTrigger) -> Command<TillProgram.Action> {
        Command(
            trigger.name, trigger.summary, options: [app, product, customer, StandardOptions.json],
            examples: [Example("With a tester of its own", "till trigger \(trigger.name)")],
            exitCodes: RunningStore.exitCodes + [
                .badData.when("A value is refused."), .failure.when("A step failed; the message says which and why."),
            ],
            action: { arguments, context in try await run(trigger, arguments, context) })
    }

    private static let list = Command<TillProgram.Action>(
        "list", "List what can be made to happen, and which notification comes of it.",
        options: ListOptions.all, examples: [Example("All of it", "till trigger list")],
        exitCodes: [.inputOutput.when("The list cannot be written.")],
        action: { arguments, context in
            let all = NotificationTrigger.all
            if arguments[StandardOptions.json] { return try context.printJSON(all.map(TriggerReport.init)) }
            context.printList(all, as: table, arguments, nothing: "There is nothing.")
        })

    private static var table: ListTable<NotificationTrigger> {
        ListTable(
            .value("TYPE") { $0.type.rawValue }, .value("SUBTYPE") { $0.subtype?.rawValue },
            .value("TRIGGER") { $0.name }, .text("WHAT IS DONE") { $0.summary })
    }

    private static func run(
        _ trigger: NotificationTrigger, _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws {
        guard arguments[environment] == .sandbox else {
            throw CommandFailure(
                .usage, "nothing is made to happen in production: its customers and their money are real")
        }
        let wantsJSON = arguments[StandardOptions.json]
        let outcome = try await RunningStore.with(arguments, context) { store in
            let run = TriggerRun(store, customer: arguments[customer]) { if !wantsJSON { context.print($0) } }
            try await run.run(trigger, app: arguments[app], product: arguments[product])
            return try await run.outcome(of: trigger)
        }
        if wantsJSON { return try context.printJSON(outcome) }
        for line in outcome.ending(trigger) { context.print(line) }
    }
}

/// A line of the list, for programs.
struct TriggerReport: Encodable {
    let trigger: String
    let notificationType: String
    let subtype: String?
    let summary: String

    init(_ trigger: NotificationTrigger) {
        (self.trigger, notificationType) = (trigger.name, trigger.type.rawValue)
        (subtype, summary) = (trigger.subtype?.rawValue, trigger.summary)
    }
}

/// What came of a trigger.
struct TriggerOutcome: Encodable {
    struct Told: Encodable {
        let notificationUUID: NotificationID
        let notificationType: String
        let subtype: String?
        let state: WireWord<NotificationState>
    }

    let trigger: String
    let bundleId: BundleID
    let customerId: CustomerID?
    /// What was done, a line each.
    let steps: [String]
    /// What the app's server is told of it, the oldest first.
    let notifications: [Told]
    /// The one that was meant; missing where nobody is told.
    let notificationUUID: NotificationID?

    /// What is said at the end.
    func ending(_ trigger: NotificationTrigger) -> [String] {
        guard !notifications.isEmpty else {
            return [
                "Nobody was told: \(bundleId) has no address for notifications, and nobody listens.",
                "To hear of it on this machine, use till listen. For a server of yours: till notifications set \(bundleId) --url URL",
            ]
        }
        let lines = notifications.map { told in
            "\(told.notificationType)\(told.subtype.map { "/\($0)" } ?? "")  \(told.notificationUUID)"
        }
        guard let notificationUUID else {
            return lines + ["No \(trigger.type.rawValue) is among them, or the app's address does not want it."]
        }
        let ending = lines + ["To see what became of it: till notifications show \(bundleId) \(notificationUUID)"]
        let meant = notifications.first { $0.notificationUUID == notificationUUID }
        guard meant?.state.value == .unaddressed else { return ending }
        return ending + [
            "Only those who listen were told: \(bundleId) has no address that wants it. For a server of yours: "
                + "till notifications set \(bundleId) --url URL"
        ]
    }
}

extension TriggerRun {
    /// What came of it: what is told of its customers, and of the app alone.
    func outcome(of trigger: NotificationTrigger) async throws -> TriggerOutcome {
        let told = try await told(of: trigger).filter { one in
            !before.contains(one.notificationUUID) && one.customerId.map(customers.contains) ?? true
        }
        let meant = told.last { $0.notificationType == trigger.type && $0.subtype == trigger.subtype }
        return TriggerOutcome(
            trigger: trigger.name, bundleId: scene.app, customerId: customers.first, steps: lines,
            notifications: told.map {
                .init(
                    notificationUUID: $0.notificationUUID, notificationType: $0.notificationType.rawValue,
                    subtype: $0.subtype?.rawValue, state: $0.state)
            }, notificationUUID: meant?.notificationUUID)
    }

    /// What the app's server was told lately of the accounts that take part, and of the type, the oldest first.
    func told(of trigger: NotificationTrigger) async throws -> [NotificationReport] {
        var found: [NotificationID: NotificationReport] = [:]
        for filter in customers.map({ "customer=\($0)" }) + ["type=\(trigger.type.rawValue)"] {
            let page = try await store.ask(
                "GET", "\(base)/apps/\(scene.app)/notifications?\(filter)&limit=100", as: Page<NotificationReport>.self)
            for one in page.items { found[one.notificationUUID] = one }
        }
        return found.values.sorted { $0.writtenAt < $1.writtenAt }
    }
}
