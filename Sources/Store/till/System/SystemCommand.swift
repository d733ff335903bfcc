import CommandOptions
import StoreModel
import StoreServer
import StoreService

/// `till system`
enum SystemCommand {
    static let command = Command<TillProgram.Action>(
        "system", "Say how a store is as a program: health, ends of keys, backlog, and what went wrong lately.",
        discussion: """
            The checks are those of /readyz, with the reason of each that fails. Work is late that is due for more than a \
            minute. Requests are named that failed for a reason of the store, with their ids.
            """,
        options: SaleOptions.all + [StandardOptions.json],
        examples: [
            Example("The sandbox", "till system"), Example("Production", "till system --environment production"),
        ],
        exitCodes: [.failure.when("A check fails; the report says which and why.")] + SaleOptions.access,
        seeAlso: ["till doctor", "till backups", "till settings show"],
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", SaleOptions.path(arguments) + "/system", as: SystemReport.self)
            }
            if arguments[StandardOptions.json] {
                try context.printJSON(found)
            } else {
                for line in lines(found, at: context.now) { context.print(line) }
            }
            let wrong = found.checks.filter { !$0.isInOrder }.map(\.name)
            guard wrong.isEmpty else {
                throw CommandFailure(.failure, "\(wrong.joined(separator: ", ")): not in order")
            }
        })

    static func lines(_ report: SystemReport, at now: Instant) -> [String] {
        var lines = [
            "Till \(report.version), \(report.database), process \(report.process) since \(report.startedAt.rfc3339)",
            "Data: \(report.dataDirectory)",
        ]
        lines += report.checks.map { check in
            "\(check.name): \(check.problem.map { "\(PrintableText($0, limit: 400))" } ?? "in order")"
        }
        lines += report.keys.map { key in
            "key: \(key.purpose) \(key.role) \(key.number) ends on \(key.endsAt.rfc3339.prefix(10)); to replace it: "
                + key.remedy
        }
        lines += report.endings.map {
            "ends: \(PrintableText($0.name, limit: 140)), on \($0.endsAt.rfc3339.prefix(10)): \($0.remedy)"
        }
        lines.append("backlog: \(report.backlog.summary)")
        lines += report.backlog.work.map { work in
            let oldest = work.oldest.map { ", the oldest since \($0.rfc3339)" } ?? ""
            return "  \(work.title): \(work.scheduled) scheduled, \(work.due) due\(oldest), \(work.failing) failing"
        }
        lines += report.backlog.dead.map {
            "given up: \($0.kind) \(PrintableText($0.subject, limit: 100)) after \($0.attempts) attempts: "
                + "\(PrintableText($0.error, limit: 400))"
        }
        return lines
            + report.failedRequests.map { request in
                "failed: \(request.date.rfc3339)  \(request.status)  \(request.method) "
                    + "\(PrintableText(request.path, limit: 200))  till requests \(request.requestId)"
            }
    }
}

/// `till self-test`
enum SelfTestCommand {
    static let command = Command<TillProgram.Action>(
        "self-test", "Buy something, verify what was signed, and give the money back.",
        discussion: """
            It has an account, a product, a processor and books of its own, in memory: nothing of it is in totals, proceeds, \
            lists or notifications, in production either. Of the environment it uses the keys, the roots, the clock and the \
            commission; the databases take a write that is taken back, and the processor is asked about a payment that there \
            never was.
            """,
        options: SaleOptions.all + [StandardOptions.json],
        examples: [
            Example("The sandbox", "till self-test"), Example("Production", "till self-test --environment production"),
        ],
        exitCodes: [.failure.when("A step failed; it is said which and why.")] + SaleOptions.access,
        seeAlso: ["till system", "till doctor"],
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("POST", SaleOptions.path(arguments) + "/system/self-test", as: SelfTestReport.self)
            }
            if arguments[StandardOptions.json] {
                try context.printJSON(found)
            } else {
                for line in lines(found) { context.print(line) }
            }
            guard found.isPassed else { throw CommandFailure(.failure, found.summary) }
        })

    static func lines(_ report: SelfTestReport) -> [String] {
        report.steps.map { step in
            let result = step.problem.map { "FAILED: \(PrintableText($0, limit: 1000))" } ?? step.detail
            return "\(step.name): \(result) (\(step.milliseconds) ms)"
        } + (report.isPassed ? [report.summary] : [])
    }
}

/// `till settings`
enum SettingsCommand {
    static let command = Command<TillProgram.Action>(
        "settings", "Show what a store is set to, and where each setting came from.",
        options: [],
        examples: [Example("The store that runs", "till settings show")], subcommands: [show])

    private static let show = Command<TillProgram.Action>(
        "show", "Show every setting: its value, and the option, variable or line of the file that it came from.",
        discussion: """
            A store that runs is asked what it is set to. Where none runs, it is what till serve would be set to by these \
            options, these variables and this settings file. Secrets are not shown.
            """,
        options: ServeCommand.options + [StandardOptions.json],
        examples: [
            Example("All settings", "till settings show"),
            Example("What is not a default, for a script", "till settings show --json"),
        ],
        exitCodes: [CatalogueOptions.unavailable, .configuration.when("The settings file is wrong.")],
        seeAlso: ["till serve", "till doctor"],
        action: { arguments, context in
            let directory = try DataDirectory.ofStore(arguments)
            let found: [SettingReport]
            if let running = try await AdminConnection.ofRunning(directory) {
                defer { Task { await running.close() } }
                found = try await running.ask(
                    "GET", SaleOptions.path(.production) + "/system/settings", as: Page<SettingReport>.self
                ).items
            } else {
                found = SystemSetting.all(arguments).map(SettingReport.init)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            for line in lines(found) { context.print(line) }
        })

    /// A line for each: paths and places are whole, whatever the width.
    static func lines(_ settings: [SettingReport]) -> [String] {
        settings.map { setting in
            let value = setting.value ?? (setting.isSecret && setting.place != nil ? "(secret)" : "not set")
            let place =
                setting.place.map { "\(setting.source) \(PrintableText($0, limit: 1000))" } ?? "default"
            return "\(setting.name) = \(PrintableText(value, limit: 1000))  (\(place))"
        }
    }
}
