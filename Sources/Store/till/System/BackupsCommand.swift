import CommandOptions
import Foundation
import StoreDatabase
import StoreModel
import StoreServer
import StoreService

/// `till backups`
enum BackupsCommand {
    static let command = Command<TillProgram.Action>(
        "backups", "Make backups in the folder of the store, list them, and look into them.",
        discussion: """
            They are made as by till database backup, in the folder backups of the data directory or that of --backups, with \
            their time as their name. Put that folder on another disk, or copy what is in it: a backup beside its store is lost \
            with it. Nothing is ever removed there.
            """,
        options: SaleOptions.all + [SystemOptions.backups],
        examples: [
            Example("One now", "till backups make"), Example("Is the newest whole?", "till backups verify newest"),
        ],
        seeAlso: ["till database backup", "till database restore"], subcommands: [list, make, show, verify])

    private static let name = Argument<String>.required(
        .text("NAME"), help: "The name of the backup; newest is the one that was made last.")
    private static let withoutKeys = Option<Bool>.flag(
        "without-keys", help: "Leave the keys out; without them no transaction verifies after a restore.")
    private static let path = SaleOptions.path(.production) + "/system/backups"
    private static let busy = ExitCode.failure.when("Another backup is being made or looked at.")
    private static let missing = ExitCode.inputMissing.when("There is no such backup, or no store.")

    private static let list = Command<TillProgram.Action>(
        "list", "List the backups, the newest first.", options: [StandardOptions.json],
        examples: [Example("All of them", "till backups list")], exitCodes: SaleOptions.access,
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) {
                try await $0.ask("GET", path, as: BackupShelfReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(found) }
            if found.backups.isEmpty {
                context.print("There is no backup in \(found.folder). To make one: till backups make")
            }
            for backup in found.backups { context.print(line(backup)) }
            if let job = found.job { context.print("\(job.name) is in hand: \(job.step), \(job.percent) %") }
            if let failure = found.failure {
                context.print("\(failure.name) was not made: \(PrintableText(failure.reason, limit: 400))")
            }
        })

    private static let make = Command<TillProgram.Action>(
        "make", "Make a backup while the store goes on, and wait until it is whole.",
        options: [withoutKeys, StandardOptions.json], examples: [Example("One now", "till backups make")],
        exitCodes: SaleOptions.access + [busy, .inputOutput.when("It could not be made; the message says why.")],
        action: { arguments, context in
            let made = try await AdminConnection.withSales(arguments, context) { store in
                let wanted = NewBackupRequest(withKeys: !arguments[withoutKeys])
                let job = try await store.ask("POST", path, wanted, as: BackupShelfReport.Job.self)
                let shelf = try await wait(for: job, store, context)
                if let failure = shelf.failure, failure.name == job.name {
                    throw CommandFailure(.inputOutput, "the backup was not made: \(failure.reason)")
                }
                return try await store.ask(
                    "GET", "\(path)/\(SaleOptions.escaped(job.name))", as: BackupReport.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(made) }
            context.print("Made the backup \(made.path) (\(DiskCheck.text(Int64(made.bytes))))")
        })

    private static let show = Command<TillProgram.Action>(
        "show", "Show what a backup says of itself, and what was found in it.", options: [StandardOptions.json],
        arguments: [name], examples: [Example("The newest", "till backups show newest")],
        exitCodes: [missing, SaleOptions.unavailable, SaleOptions.locked],
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) { store in
                try await store.ask("GET", named(arguments, store), as: BackupReport.self)
            }
            try print(found, arguments, context)
        })

    private static let verify = Command<TillProgram.Action>(
        "verify", "Look into a backup: compare every file, open the databases, and count what is in them.",
        options: [StandardOptions.json], arguments: [name],
        examples: [Example("Is the newest whole?", "till backups verify newest")],
        exitCodes: [
            .badData.when("It is damaged; what is wrong is said."), missing, busy, SaleOptions.unavailable,
            SaleOptions.locked,
        ],
        action: { arguments, context in
            let found = try await AdminConnection.withSales(arguments, context) { store in
                let path = try await named(arguments, store)
                let job = try await store.ask("POST", path + "/verification", as: BackupShelfReport.Job.self)
                _ = try await wait(for: job, store, context)
                return try await store.ask("GET", path, as: BackupReport.self)
            }
            try print(found, arguments, context)
            guard found.look?.isInOrder == true else { throw CommandFailure(.badData, "the backup is not in order") }
        })

    /// The path of the backup that is named, or of the newest.
    private static func named(_ arguments: ParsedArguments, _ store: AdminConnection) async throws -> String {
        guard arguments[name] == "newest" else { return "\(path)/\(SaleOptions.escaped(arguments[name]))" }
        let shelf = try await store.ask("GET", path, as: BackupShelfReport.self)
        guard let newest = shelf.backups.first(where: { !$0.madeAt.isEmpty }) else {
            throw CommandFailure(.inputMissing, "there is no backup in \(shelf.folder); to make one: till backups make")
        }
        return "\(path)/\(SaleOptions.escaped(newest.name))"
    }

    private static let pause = Duration.milliseconds(200)

    private static func wait(
        for job: BackupShelfReport.Job, _ store: AdminConnection, _ context: CommandContext
    ) async throws -> BackupShelfReport {
        let progress = ProgressLine(context)
        defer { progress.clear() }
        while true {
            let shelf = try await store.ask("GET", path, as: BackupShelfReport.self)
            guard let current = shelf.job, current.name == job.name else { return shelf }
            progress.show(UpkeepProgress(current.step, done: current.percent, of: 100))
            try await Task.sleep(for: pause)
        }
    }

    // MARK: Texts

    private static func print(
        _ backup: BackupReport, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        if arguments[StandardOptions.json] { return try context.printJSON(backup) }
        for line in lines(backup) { context.print(line) }
    }

    private static func line(_ backup: BackupReport) -> String {
        if let problem = backup.problem { return "\(backup.path)  \(PrintableText(problem, limit: 400))" }
        let keys = backup.hasKeys ? "with keys" : "without keys"
        return "\(backup.path)  \(backup.madeAt)  \(DiskCheck.text(Int64(backup.bytes)))  \(keys)"
    }

    static func lines(_ backup: BackupReport) -> [String] {
        var lines = [line(backup)]
        guard backup.problem == nil else { return lines }
        lines.append("made by Till \(backup.version) of \(backup.engine), \(backup.files) files")
        guard let look = backup.look else {
            return lines + ["nobody has looked into it: till backups verify \(backup.name)"]
        }
        lines.append(
            "looked into on \(look.date.rfc3339): "
                + (look.isInOrder ? "all \(look.files) files are as they were made" : "damaged"))
        lines += look.problems.map { "  \(PrintableText($0, limit: 400))" }
        return lines
            + look.databases.map { copy in
                let counts = copy.counts.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
                return "  \(copy.name): \(copy.migrations) of \(copy.knownMigrations) migrations, \(counts)"
            }
    }
}
