import CommandOptions
import StoreModel
import StoreServer

/// `till devices`
enum DevicesCommand {
    static let command = Command<TillProgram.Action>(
        "devices", "See the devices that are registered, and what they may do.", options: SaleOptions.all,
        examples: [Example("Those of a tester", "till devices list --customer ada@example.com")],
        seeAlso: ["till testers", "till customers"],
        subcommands: [list, show, change, signOut])

    private static let device = Argument<DeviceID>.required(
        ValueFormat("DEVICE", rule: "the number of a device", explainsRule: false, parse: { DeviceID($0) }),
        help: "The number of the device.")
    private static let purchases = Option<String?>.optional(
        "purchases", .choice("WORD", ["allowed", "forbidden"]), help: "Whether customers may buy on it.")
    private static let simulator = Option<String?>.optional(
        "simulator", .choice("WORD", ["on", "off"]),
        help: "Whether it behaves as a simulator: prices load, purchases fail.")

    private static let list = Command<TillProgram.Action>(
        "list", "List the devices.", options: [SaleOptions.customer] + ListOptions.all,
        examples: [Example("Those of a tester", "till devices list --customer ada@example.com")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            try await AdminConnection.listSales(
                "/devices", query: SaleOptions.customerQuery(arguments), of: DeviceReport.self, arguments, context,
                nothing: "There are no devices: an app makes one when it first reaches the store."
            ) {
                ($0.customerId, nil)
            } table: {
                SaleTables.devices($0)
            }
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show a device.", options: [StandardOptions.json], arguments: [device],
        examples: [Example("One", "till devices show 1001")], exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", path(arguments), as: DeviceReport.self)
            }
            try print(found, arguments, context)
        })

    private static let change = Command<TillProgram.Action>(
        "change", "Change what a device may do.", options: [purchases, simulator, StandardOptions.json],
        arguments: [device], examples: [Example("Forbid purchases", "till devices change 1001 --purchases forbidden")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let change = DeviceChange(
                purchasesAllowed: arguments[purchases].map { $0 == "allowed" },
                isSimulator: arguments[simulator].map { $0 == "on" })
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("PATCH", path(arguments), change, as: DeviceReport.self)
            }
            try print(found, arguments, context)
        })

    private static let signOut = Command<TillProgram.Action>(
        "sign-out", "Sign the customer of a device out.", options: [StandardOptions.json],
        arguments: [device], examples: [Example("One", "till devices sign-out 1001")],
        exitCodes: SaleOptions.exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("DELETE", path(arguments) + "/sign-in", as: DeviceReport.self)
            }
            try print(found, arguments, context)
        })

    private static func path(_ arguments: ParsedArguments) -> String {
        SaleOptions.path(arguments) + "/devices/\(arguments[device])"
    }

    private static func print(
        _ report: DeviceReport, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(report) }
        context.print(SaleText.line(report))
    }
}
