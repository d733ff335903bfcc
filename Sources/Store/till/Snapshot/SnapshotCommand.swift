import CommandOptions
import Foundation
import StoreModel
import StoreServer
import StoreService

/// `till snapshot`
enum SnapshotCommand {
    static let command = Command<TillProgram.Action>(
        "snapshot", "Keep the sandbox as it is at a moment, go back to it, or go on from it elsewhere.",
        discussion: """
            A snapshot has the customers, purchases, subscriptions, clocks and events of the sandbox, and the log of its test \
            processor. It is in the folder snapshots of the data directory. The catalogue is not in it, which production shares, and \
            production has no snapshots.

            Stores on PostgreSQL cannot make snapshots yet.
            """,
        options: [DataOptions.data, DatabaseOptions.database, environment, SettingsOptions.file],
        examples: [
            Example("Before a test that changes much", "till snapshot save before-renewals"),
            Example("Back to it", "till snapshot restore before-renewals"),
            Example("Go on from it in another store", "till snapshot fork before-renewals ./fork"),
        ],
        seeAlso: ["till clock", "till scenario", "till database backup"], subcommands: [save, list, restore, fork])

    private static let environment = Option<StoreEnvironment>.defaulted(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), to: .sandbox, environment: "TILL_ENVIRONMENT",
        help: "Which environment; production has no snapshots.")
    private static let name = Argument<String>.required(.text("NAME"), help: "The name of the snapshot.")
    private static let destination = Argument<String>.required(
        .directory("FOLDER"), help: "The data directory to make; it must not exist yet.")

    private static let noStore = ExitCode.inputMissing.when("There is no such snapshot, or no store.")
    private static let unsuitable = ExitCode.badData.when(
        "The name is none, the snapshot is damaged or of a newer version, or the store is on PostgreSQL.")
    private static let inputOutput = ExitCode.inputOutput.when("The disk is full, or reading or writing failed.")
    private static let occupied = ExitCode.cannotCreate.when("There is something of that name already.")

    private static let save = Command<TillProgram.Action>(
        "save", "Keep the sandbox as it is now, while the store runs or not.", options: [StandardOptions.json],
        arguments: [name], examples: [Example("One", "till snapshot save before-renewals")],
        exitCodes: [unsuitable, noStore, occupied, inputOutput],
        action: { arguments, context in
            let made = try await shelf(arguments, context).save(arguments[name], at: SystemClock.now())
            if arguments[StandardOptions.json] { return try context.printJSON(SnapshotReport(made)) }
            context.print("Kept the sandbox as \(made.name) (\(DiskCheck.text(Int64(made.bytes))))")
        })

    private static let list = Command<TillProgram.Action>(
        "list", "List the snapshots, the newest first.", options: [StandardOptions.json],
        examples: [Example("All of them", "till snapshot list")], exitCodes: [noStore],
        action: { arguments, context in
            let found = try shelf(arguments, context).list().map(SnapshotReport.init)
            if arguments[StandardOptions.json] { return try context.printJSON(Page(found)) }
            if found.isEmpty { context.print("There are no snapshots. To make one: till snapshot save NAME") }
            for entry in found {
                context.print("\(entry.name)  \(entry.madeAt.rfc3339)  \(DiskCheck.text(Int64(entry.bytes)))")
            }
        })

    private static let restore = Command<TillProgram.Action>(
        "restore", "Put a snapshot in the place of the sandbox; what is there now is lost.",
        discussion: """
            The store must not run, because a process that serves has the former sandbox in mind: its clocks, its waiting \
            devices, what it is being paid. To go on from a snapshot while it runs: till snapshot fork. Every file of the snapshot is verified before anything is changed, and a command that is \
            killed leaves the sandbox as it was, or as in the snapshot.

            It is one change in the audit. Devices are told to ask for everything anew, as after a backup was put back.
            """,
        options: [StandardOptions.json], arguments: [name],
        examples: [Example("Back to a moment", "till snapshot restore before-renewals")],
        exitCodes: [unsuitable, noStore, inputOutput, .tryAgain.when("The store runs; stop it first.")],
        action: { arguments, context in
            let shelf = try shelf(arguments, context)
            let directory = try DataDirectory.ofStore(arguments)
            guard let lock = try StoreLock(directory) else {
                // Its process knows of the databases what would no longer be so.
                throw StoreLock.refusal(
                    directory,
                    advice:
                        "or go on from the snapshot elsewhere while it runs: till snapshot fork \(arguments[name]) FOLDER"
                )
            }
            lock.describe("process \(getpid()), till snapshot restore\n")
            try SnapshotShelf.finish(in: directory.path)
            let done = try shelf.restore(arguments[name], epoch: UUID().uuidString.lowercased())
            // Opens the databases, which brings them to the schema of this version and notes it in the audit.
            let store = try await OpenStore.open(directory, arguments[DatabaseOptions.database], holding: lock)
            await store.close()
            if arguments[StandardOptions.json] {
                return try context.printJSON(Restored(restored: done.name, madeAt: done.madeAt))
            }
            context.print("The sandbox is as it was at \(done.madeAt.rfc3339)")
        })

    private static let fork = Command<TillProgram.Action>(
        "fork", "Make another data directory whose sandbox goes on from a snapshot, while the store runs or not.",
        discussion: """
            It has the catalogue as it is now, the sandbox's keys, so that its apps accept what it signs, and an empty production \
            with keys of its own, made at its first start.
            """,
        options: [StandardOptions.json], arguments: [name, destination],
        examples: [Example("Go on from it", "till snapshot fork before-renewals ./fork")],
        exitCodes: [unsuitable, noStore, occupied, inputOutput],
        action: { arguments, context in
            let path = URL(fileURLWithPath: arguments[destination]).standardizedFileURL.path
            let made = try await shelf(arguments, context).fork(
                arguments[name], to: path, epoch: UUID().uuidString.lowercased())
            if arguments[StandardOptions.json] {
                return try context.printJSON(Forked(forked: made.name, dataDirectory: path))
            }
            context.print("Made \(path) from \(made.name). To run it: till dev --data \(path)")
        })

    private static func shelf(_ arguments: ParsedArguments, _ context: CommandContext) throws -> SnapshotShelf {
        guard arguments[environment] == .sandbox else {
            throw CommandFailure(.usage, "production has no snapshots: only the sandbox can go back")
        }
        let directory = try DataDirectory.ofStore(arguments)
        guard directory.hasBegun else {
            throw CommandFailure(.inputMissing, "there is no store in \(directory.path)")
        }
        let upkeep = try UpkeepSettings(arguments, context).upkeep(directory)
        return SnapshotShelf(of: directory.path, upkeep, version: TillProgram.version)
    }

    private struct Restored: Encodable {
        let restored: String
        let madeAt: Instant
    }

    private struct Forked: Encodable {
        let forked: String
        let dataDirectory: String
    }
}
