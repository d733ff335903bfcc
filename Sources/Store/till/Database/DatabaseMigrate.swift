import CommandOptions
import Foundation
import StoreLog
import StoreService

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
        let before = await upkeep.examine()
        let store = try await OpenStore.open(directory, settings.database, holding: lock)
        await store.close()
        let after = await upkeep.examine()
        if arguments[StandardOptions.json] { return try context.printJSON(["databases": after]) }
        for (old, new) in zip(before, after) {
            let added = new.migrations - old.migrations
            let change = added == 0 && old.exists ? "nothing to do" : "\(added) new"
            context.print("\(new.name): \(new.migrations) migrations, \(change)")
        }
    }
}
