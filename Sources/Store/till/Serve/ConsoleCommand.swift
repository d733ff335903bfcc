import CommandOptions
import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// `till console`
enum ConsoleCommand {
    static let command = Command<TillProgram.Action>(
        "console", "Print a link that opens the console of a running store once.",
        discussion: """
            The link is good for an hour and for one browser, which then is the owner's for seven days. Whoever else should \
            come in has an operator's token: till control-token.
            """,
        options: [DataOptions.data, StandardOptions.json, SettingsOptions.file],
        examples: [Example("In a browser", "till console")],
        exitCodes: [
            .inputMissing.when("There is no store."), .unavailable.when("The store does not run."),
        ],
        seeAlso: ["till control-token", "till dev"],
        action: run)

    /// What scripts read.
    private struct Answer: Encodable {
        let url: String
        let expiresAt: Instant
    }

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let directory = try DataDirectory.ofStore(arguments)
        guard let store = try await AdminConnection.ofRunning(directory) else {
            let isThere = FileManager.default.fileExists(atPath: directory.path)
            throw CommandFailure(
                isThere ? .unavailable : .inputMissing,
                isThere
                    ? "the store in \(directory.path) does not run; start it with: till serve --data \(directory.path)"
                    : "there is no store in \(directory.path); begin one: till dev")
        }
        do {
            let status = try await store.ask("GET", "/admin/v1/status", as: AdminStatus.self)
            let made = try await store.ask("POST", "/admin/v1/console-links", as: NewConsoleLink.self)
            await store.close()
            guard let production = status.production else { throw CommandFailure(.unavailable, "the store is ending") }
            let answer = Answer(url: ConsoleLink.address(of: made.link, at: production), expiresAt: made.expiresAt)
            if arguments[StandardOptions.json] { return try context.printJSON(answer) }
            context.print(answer.url)
        } catch {
            await store.close()
            throw error
        }
    }
}

/// The links that open the console.
enum ConsoleLink {
    static func address(of link: String, at store: String) -> String { "\(store)/console/enter/\(link)" }

    /// The link that a start prints: always for a developer, else for the first owner, as long as nobody was ever there.
    static func first(of settings: ServeSettings, _ store: OpenStore, at now: Instant) async throws -> String? {
        let catalogue = store.databases.catalogue
        if !settings.isForDevelopment {
            guard try await !catalogue.read({ try OperatorSessions.wereEver(in: $0) }) else { return nil }
        }
        let link = Base64.encode(try RandomBytes()(OperatorSessions.byteCount), .url)
        try await catalogue.write { try OperatorSessions.addLink(link, at: now, in: $0) }
        return link
    }
}
