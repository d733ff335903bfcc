import CommandOptions
import Foundation
import StoreService

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
    }
}
