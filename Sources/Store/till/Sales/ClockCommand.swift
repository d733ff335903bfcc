import CommandOptions
import StoreModel
import StoreServer
import StoreService

/// `till clock`
enum ClockCommand {
    static let command = Command<TillProgram.Action>(
        "clock", "Control the time of the sandbox, or of one of its testers.",
        discussion: """
            What is bought, renewed and expires is dated by the clock of the environment; signing in, tokens and links are not. \
            A tester lives by the clock of the environment until something is done with the tester's own. Clocks show dates from \
            2000 to 2099, never go back, and production has none.
            """,
        options: SaleOptions.all + [tester],
        examples: [
            Example("A month of subscriptions at once", "till clock advance 1mo"),
            Example("One tester lives a day in a second", "till clock rate 86400000 --tester ada@example.com"),
        ],
        seeAlso: ["till testers", "till transactions"], subcommands: [show, freeze, set, advance, rate])

    private static let tester = Option<String?>.optional(
        "tester", .text("EMAIL|NUMBER", asking: "people"),
        help: "The clock of this tester; that of the environment if it is left out.")
    private static let busy = ExitCode.failure.when("The clock is being advanced, or the store refuses.")
    private static let exits = SaleOptions.access + [busy, .badData.when("The date, the rate or the step is refused.")]
    private static let confirmed = Option<Bool>.flag(
        "yes", help: "It is meant that the clock goes more than \(Clocks.unaskedYears) years ahead.")
    private static let unconfirmed = ExitCode.usage.when(
        "The clock would go more than \(Clocks.unaskedYears) years ahead; nothing is changed without --yes.")

    private static let dryRun = Option<Bool>.flag(
        "dry-run", help: "Change nothing; say what would happen, such as 12 renewals become due.")

    private static let time = Argument<Instant>.required(
        ValueFormat(
            "TIME", rule: "a date and time such as 2027-01-31T12:00:00Z", describe: { $0.rfc3339 },
            parse: { try? Instant(rfc3339: $0) }),
        help: "What the clock shows from now on.")
    private static let milliseconds = Argument<Int64>.required(
        ValueFormat("RATE", rule: "a whole number", parse: { Int64($0) }),
        help: "How many of its milliseconds go by in a second: 1000 is real time, 86400000 a day a second.")
    private static let goal = Argument<Goal>.required(
        ValueFormat(
            "STEP|TIME", rule: "\(ClockStep.rule), or a date and time such as 2027-01-31T12:00:00Z",
            parse: Goal.init(text:)),
        help: "How far, such as 90s, 10d, 1mo or 1y; or the time that the clock is to show.")

    /// A step or an end.
    private struct Goal: Sendable {
        let request: ClockAdvanceRequest

        init?(text: String) {
            if let time = try? Instant(rfc3339: text) {
                request = ClockAdvanceRequest(to: time)
            } else if ClockStep(text: text) != nil {
                request = ClockAdvanceRequest(by: text)
            } else {
                return nil
            }
        }
    }

    private static let show = Command<TillProgram.Action>(
        "show", "Show what a clock shows, how fast it runs, and what was done with it last.",
        options: [StandardOptions.json], examples: [Example("The sandbox", "till clock show")], exitCodes: exits,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", path(arguments), as: ClockReport.self)
            }
            try print(found, arguments, context)
        })

    private static let freeze = Command<TillProgram.Action>(
        "freeze", "Let a clock stand still.", options: [StandardOptions.json],
        examples: [Example("Time goes by in advances only", "till clock freeze")], exitCodes: exits,
        action: { arguments, context in try await change(ClockChange(rate: 0), arguments, context) })

    private static let set = Command<TillProgram.Action>(
        "set", "Set a clock to a later time.",
        discussion: "As till clock advance it waits until all is done that becomes due by that.",
        options: [confirmed, StandardOptions.json], arguments: [time],
        examples: [Example("New Year", "till clock set 2027-01-01T00:00:00Z")], exitCodes: exits + [unconfirmed],
        action: { arguments, context in
            try await change(
                ClockChange(time: arguments[time], confirmed: arguments[confirmed]), arguments, context)
        })

    private static let rate = Command<TillProgram.Action>(
        "rate", "Let a clock run faster, slower, or in real time again.", options: [StandardOptions.json],
        arguments: [milliseconds],
        examples: [
            Example("A day a second", "till clock rate 86400000"), Example("Real time", "till clock rate 1000"),
        ],
        exitCodes: exits,
        action: { arguments, context in
            try await change(ClockChange(rate: arguments[milliseconds]), arguments, context)
        })

    private static let advance = Command<TillProgram.Action>(
        "advance", "Advance a clock, wait until all that became due is done, and print what happened.",
        discussion: """
            Work is done in the order in which it is due, at the time at which it is due. One advance at a time: a second is \
            refused. What a process leaves behind that is killed, the next one goes on with.
            """,
        options: [confirmed, dryRun, StandardOptions.json], arguments: [goal],
        examples: [
            Example("A month", "till clock advance 1mo --tester ada@example.com"),
            Example("What would a month bring?", "till clock advance 1mo --dry-run"),
        ],
        exitCodes: exits + [unconfirmed],
        action: { arguments, context in
            if arguments[dryRun] { return try await forecast(arguments, context) }
            var request = arguments[goal].request
            request.confirmed = arguments[confirmed]
            let wanted = request
            let report = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", path(arguments) + "/advances", wanted, as: ClockAdvanceReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(report) }
            for line in lines(report) { context.print(line) }
        })

    /// Says what an advance would do.
    private static func forecast(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let request = arguments[goal].request
        let goal =
            request.by.map { "by=\(SaleOptions.escaped($0))" } ?? "to=\(request.to?.millisecondsSinceEpoch ?? 0)"
        let report = try await AdminConnection.withSales(arguments, context) {
            try await $0.ask("GET", path(arguments) + "/forecast?" + goal, as: ClockForecastReport.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(report) }
        for line in ClockForecastText.lines(report) { context.print(line) }
    }

    private static func change(
        _ change: ClockChange, _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws {
        let found = try await AdminConnection.withSales(arguments, context) {
            try await $0.ask("PATCH", path(arguments), change, as: ClockReport.self)
        }
        try print(found, arguments, context)
    }

    private static func path(_ arguments: ParsedArguments) -> String {
        let path = SaleOptions.path(arguments)
        guard let tester = arguments[tester] else { return path + "/clock" }
        return "\(path)/customers/\(SaleOptions.escaped(tester))/clock"
    }

    // MARK: Texts

    private static func print(
        _ report: ClockReport, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(report) }
        context.print(line(report))
        for entry in report.history {
            context.print(
                "  \(entry.date.rfc3339)  \(PrintableText(entry.actor, limit: 64))  "
                    + "\(PrintableText(entry.act, limit: 64))  \(entry.from.rfc3339) -> \(entry.to.rfc3339)")
        }
    }

    private static func line(_ clock: ClockReport) -> String {
        let owner = clock.customerId.map { "tester \($0)" } ?? "the environment"
        let speed =
            clock.rate == 0
            ? "stands still" : clock.rate == 1000 ? "runs in real time" : "runs at \(clock.rate) ms a second"
        let isMoved = clock.isSet || clock.rate != 1000 && clock.customerId == nil
        let whose = isMoved ? "" : clock.customerId == nil ? ", as the wall clock" : ", as the environment"
        let advancing = clock.advancingTo.map { ", is being advanced to \($0.rfc3339)" } ?? ""
        return "\(clock.time.rfc3339)  the clock of \(owner) \(speed)\(whose)\(advancing)"
    }

    private static func lines(_ report: ClockAdvanceReport) -> [String] {
        let events = report.events.map { event in
            let product = event.productId.map { "  \($0)" } ?? ""
            let transaction = event.transactionId.map { "  \($0)" } ?? ""
            return
                "  \(event.date.rfc3339)  customer \(event.customerId)  \(event.kind.rawValue)\(product)\(transaction)"
        }
        let more = report.eventCount - report.events.count
        let turns = report.turns.map { "  \($0.count) turns of \($0.kind) \($0.ending)" }
        return ["From \(report.from.rfc3339) to \(report.to.rfc3339)"] + turns + events
            + (more > 0 ? ["  and \(more) more"] : [])
            + [report.keptBusyBy.map { "Still busy with \($0)." } ?? "All is quiet.", line(report.clock)]
    }
}
