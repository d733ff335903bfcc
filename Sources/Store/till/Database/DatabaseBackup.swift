import CommandOptions
import Foundation
import StoreDatabase
import StoreServer

/// `till database backup`
enum DatabaseBackup {
    static let destination = Argument<String>.required(
        .directory("FOLDER"), help: "The folder to make; there must be nothing of that name yet.")
    static let withoutKeys = Option<Bool>.flag(
        "without-keys", help: "Leave the keys out; without them nothing that was sold verifies after a restore.")

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
        let directory = DataDirectory(arguments[DataOptions.data])
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
    }

    private static func failure(_ end: AdminNews?) -> CommandFailure {
        guard let end, let message = end.message else {
            return CommandFailure(.unavailable, "the store broke off before the backup was made; there is none")
        }
        return CommandFailure(CommandFailure.exitCode(of: .init(rawValue: end.code ?? "")), message)
    }
}
