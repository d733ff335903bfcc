import CommandOptions
import Foundation
import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreService
import Synchronization

/// `till database`
enum DatabaseCommand {
    static let command = Command<TillProgram.Action>(
        "database", "Examine, migrate, back up and put back the databases of a store.",
        options: [DataOptions.data, DatabaseOptions.database, BlobOptions.blobs, SettingsOptions.file],
        examples: [
            Example("Back up a store while it runs", "till database backup /backups/$(date +%F)"),
            Example("Is everything as it should be?", "till database check"),
        ],
        subcommands: [
            DatabaseCheck.command, DatabaseMigrate.command, DatabaseBackup.command, DatabaseRestore.command,
            DatabaseBegin.command, DatabaseReindex.command,
        ])
}

/// `till database check`
enum DatabaseCheck {
    static let command = Command<TillProgram.Action>(
        "check", "Look for damage in databases and blobs, and for a schema of another version.",
        discussion: """
            Every page of the databases and every picture and package of content is read; in a bucket, it is only looked \
            whether they are there. The index of the search is compared with the catalogue. Nothing is changed. It works whether the store runs or not.
            """,
        options: [StandardOptions.json],
        examples: [Example("Examine the databases in ./till_data", "till database check")],
        exitCodes: [
            .success.when("All three databases are there, whole, and of this version, and so is every blob."),
            .failure.when("One is not; the report says which and why."), .inputMissing.when("There is no store."),
        ],
        seeAlso: ["till doctor", "till database migrate"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let connection = try await AdminConnection.open(
            DataDirectory.ofStore(arguments), UpkeepSettings(arguments, context))
        let found = try await connection.ask(
            "POST", "/admin/v1/database/check", as: StoreUpkeep.Examination.self)
        await connection.close()
        if arguments[StandardOptions.json] {
            try context.printJSON(found)
        } else {
            for report in found.databases { context.print("\(report.name): \(sentence(report))") }
            for line in lines(found.blobs) { context.print("blobs: \(line)") }
        }
        let wrong = found.databases.filter { !$0.isInOrder }.map(\.name) + (found.blobs.isInOrder ? [] : ["blobs"])
        guard wrong.isEmpty else {
            throw CommandFailure(.failure, "\(wrong.joined(separator: ", ")): not in order")
        }
    }

    /// What there is to say of blobs: a line for each that is damaged or missing.
    static func lines(_ report: StoreUpkeep.BlobReport) -> [String] {
        if report.isInOrder { return ["in order, \(report.examined) of them"] }
        let problem = report.problem.map { ["they cannot all be examined: \(PrintableText($0, limit: 400))"] } ?? []
        return report.faults.map { fault in
            let uses = fault.usedBy.map { "\(PrintableText($0, limit: 200))" }.joined(separator: ", ")
            return "\(fault.digest) is \(fault.kind.rawValue): \(uses)"
        } + problem
    }

    static func sentence(_ report: StoreUpkeep.Report) -> String {
        if !report.exists { return "it has not been made yet; till serve makes it" }
        if let first = report.problems.first {
            let more = report.problems.count > 1 ? " (and \(report.problems.count - 1) more)" : ""
            return "\(PrintableText(first, limit: 400))\(more)"
        }
        let count = "\(report.migrations) of \(report.knownMigrations) migrations"
        return report.isInOrder ? "in order, \(count)" : "\(count); bring it up to date with: till database migrate"
    }
}

/// `till database migrate`
enum DatabaseMigrate {
    static let command = Command<TillProgram.Action>(
        "migrate", "Make the databases, or bring them to the schema of this version.",
        discussion: """
            till serve does the same when it starts. Each migration is one transaction: one that fails changes nothing. A \
            newer schema is never taken back; make a backup before an upgrade.
            """,
        options: [StandardOptions.json],
        examples: [Example("Prepare the databases in ./till_data", "till database migrate")],
        exitCodes: [
            .tryAgain.when("The store runs; it has brought its databases up to date when it started."),
            .configuration.when("The databases were made by a newer version, or are damaged."),
        ],
        seeAlso: ["till database check", "till database backup"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let directory = DataDirectory(arguments[DataOptions.data])
        try directory.make()
        guard let lock = try StoreLock(directory) else { throw StoreLock.refusal(directory) }
        lock.describe("process \(getpid()), till database migrate\n")
        let settings = UpkeepSettings(arguments, context)
        let upkeep = try settings.upkeep(directory)
        let before = await upkeep.examineDatabases()
        let store = try await OpenStore.open(directory, settings.database, holding: lock)
        await store.close()
        let after = await upkeep.examineDatabases()
        if arguments[StandardOptions.json] { return try context.printJSON(["databases": after]) }
        for (old, new) in zip(before, after) {
            let added = new.migrations - old.migrations
            let change = added == 0 && old.exists ? "nothing to do" : "\(added) new"
            context.print("\(new.name): \(new.migrations) migrations, \(change)")
        }
    }
}

/// `till database begin`
enum DatabaseBegin {
    static let command = Command<TillProgram.Action>(
        "begin", "Make databases anew that a store had and that are missing.",
        discussion: """
            What was in them is gone: with production, all sales; with the catalogue, all products. A store whose database is \
            missing does not start until this was said, or a backup was put back. Databases that are there stay as they are.

            Charges and refunds of a database that was begun anew have names of their own at the processor, so that it never \
            answers for those of the former one.
            """,
        options: [StandardOptions.json],
        examples: [Example("Go on without the database that was lost", "till database begin")],
        exitCodes: [.tryAgain.when("The store runs, so that nothing is missing.")],
        seeAlso: ["till database restore", "till database check"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let directory = DataDirectory(arguments[DataOptions.data])
        try directory.make()
        guard let lock = try StoreLock(directory) else { throw StoreLock.refusal(directory) }
        lock.describe("process \(getpid()), till database begin\n")
        let address = arguments[DatabaseOptions.database]
        let missing = try await address.upkeep(in: directory).missing()
        if !missing.isEmpty {
            await (try OpenStore.open(directory, address, holding: lock, beginning: true)).close()
        }
        if arguments[StandardOptions.json] { return try context.printJSON(["begun": missing]) }
        context.print(
            missing.isEmpty ? "No database is missing" : "Began anew: \(missing.joined(separator: ", "))")
    }
}

/// A progress line on the terminal, which is overwritten; without a terminal, it writes nothing.
final class ProgressLine: Sendable {
    private let context: CommandContext
    private let shown = Mutex("")

    init(_ context: CommandContext) {
        self.context = context
    }

    func show(_ progress: UpkeepProgress) {
        guard context.errorIsTerminal else { return }
        let percent = progress.all > 0 ? progress.done * 100 / progress.all : 100
        let line = "\(progress.step): \(percent) %"
        let isNew = shown.withLock { shown in
            defer { shown = line }
            return shown != line
        }
        if isNew { context.warn(Array("\r\u{1B}[K\(line)".utf8)) }
    }

    func show(_ progress: BackupProgress) {
        show(UpkeepProgress(progress.step, done: progress.done, of: progress.all))
    }

    func clear() {
        if context.errorIsTerminal, !shown.withLock({ $0.isEmpty }) { context.warn(Array("\r\u{1B}[K".utf8)) }
    }
}
