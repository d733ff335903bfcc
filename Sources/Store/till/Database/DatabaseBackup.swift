import CommandOptions
import Foundation
import StoreDatabase
import StoreServer
import StoreService

/// `till database backup`
enum DatabaseBackup {
    static let destination = Argument<String>.required(
        .directory("FOLDER"), help: "The folder to make; it must not exist yet.")
    static let withoutKeys = Option<Bool>.flag(
        "without-keys", help: "Leave the keys out; without them no transaction verifies after a restore.")

    static let command = Command<TillProgram.Action>(
        "backup", "Copy databases and keys into a folder, while the store runs or not.",
        discussion: """
            Each database is copied as it is at one moment; those who buy meanwhile do not wait. The folder gets its name \
            when everything is in it and on the disk.

            It holds the private keys of the store, as they are in the data directory: keep it as safe.
            """,
        options: [withoutKeys, StandardOptions.json], arguments: [destination],
        examples: [Example("Back up the store in ./till_data", "till database backup /backups/today")],
        exitCodes: [
            .cannotCreate.when("Something is at that path already."),
            .inputOutput.when("Reading or writing failed."),
            .inputMissing.when("There is no store."),
        ],
        seeAlso: ["till database restore"],
        action: run)

    private struct Result: Encodable {
        let path: String
        let bytes: Int
    }

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let directory = try DataDirectory.ofStore(arguments)
        let path = URL(fileURLWithPath: arguments[destination]).standardizedFileURL.path
        let connection = try await AdminConnection.open(directory, UpkeepSettings(arguments, context))
        let progress = ProgressLine(context)
        var end: AdminNews?
        try await connection.follow(
            "/admin/v1/database/backup",
            BackupRequest(destination: path, withKeys: !arguments[withoutKeys])
        ) { news in
            if let step = news.progress { progress.show(step) } else { end = news }
        }
        progress.clear()
        await connection.close()
        guard let bytes = end?.bytes else { throw failure(end) }
        if arguments[StandardOptions.json] { return try context.printJSON(Result(path: path, bytes: bytes)) }
        context.print("Made the backup \(path) (\(DiskCheck.text(Int64(bytes))))")
        let log = directory.path + "/processor"
        if FileManager.default.fileExists(atPath: log) {
            context.print("What the test processor has moved is not in it: keep \(log) too, which has its log.")
        }
    }

    private static func failure(_ end: AdminNews?) -> CommandFailure {
        guard let end, let message = end.message else {
            return CommandFailure(.unavailable, "the store broke off before the backup was made; there is none")
        }
        return CommandFailure(CommandFailure.exitCode(of: .init(rawValue: end.code ?? "")), message)
    }
}

/// `till database restore`
enum DatabaseRestore {
    static let backup = Argument<String>.required(
        .directory("FOLDER"), help: "A folder that till database backup made.")
    static let replace = Option<Bool>.flag(
        "replace", help: "Replace databases that are there; files of SQLite are kept beside the new ones.")

    static let command = Command<TillProgram.Action>(
        "restore", "Put a backup back.",
        discussion: """
            The store must not run. Every file of the backup is verified before anything is changed. Keys that are there \
            stay; where there are none, those of the backup are put back.

            Devices that have seen something that is not in the backup are told to ask for everything anew.
            """,
        options: [replace, StandardOptions.json], arguments: [backup],
        examples: [
            Example("Put a backup into a new data directory", "till database restore /backups/today --data ./restored")
        ],
        exitCodes: [
            .tryAgain.when("The store runs; stop it first."),
            .badData.when("The backup is damaged, or of another engine or a newer version."),
            .inputMissing.when("There is no backup at that path."),
            .cannotCreate.when("There are databases already, and --replace was not given."),
            .inputOutput.when("Reading or writing failed."),
        ],
        seeAlso: ["till database backup"],
        action: run)

    private struct Result: Encodable {
        let backup: String
        let madeAt: String
        let keysRestored: Bool
    }

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let directory = DataDirectory(arguments[DataOptions.data])
        try directory.make()
        guard let lock = try StoreLock(directory) else { throw StoreLock.refusal(directory) }
        lock.describe("process \(getpid()), till database restore\n")
        let upkeep = try UpkeepSettings(arguments, context).upkeep(directory)
        let path = URL(fileURLWithPath: arguments[backup]).standardizedFileURL.path
        let progress = ProgressLine(context)
        let restored = try await upkeep.backup.restore(
            from: path, replacing: arguments[replace], epoch: UUID().uuidString.lowercased(),
            progress: { progress.show($0) })
        progress.clear()
        withExtendedLifetime(lock) {}
        if arguments[StandardOptions.json] {
            return try context.printJSON(
                Result(backup: path, madeAt: restored.madeAt, keysRestored: restored.hasKeys))
        }
        let keys = restored.hasKeys ? ", with its keys" : "; the keys that were there stayed"
        context.print("Put back the backup of \(restored.madeAt)\(keys)")
        context.print(
            "The log of the test processor is not in a backup; without its folder, processor, till ledger check misses what it "
                + "moved.")
    }
}
