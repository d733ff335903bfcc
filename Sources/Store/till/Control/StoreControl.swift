import CommandOptions
import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreServer
import StoreService
import StoreSigning
import Synchronization

/// The control interface of a store that this process has open: a running store, or a command that opened it.
struct StoreControl: Sendable {
    private let stores: [ControlStore]

    /// - Parameters:
    ///   - passphrase: of the keys, which are read when they are needed.
    ///   - content: how packages of hosted content are taken in.
    ///   - histories: the newest requests of each listener.
    ///   - system: the store as a program that runs.
    ///   - sales: the running environments; nil if the store was opened for its catalogue only.
    ///   - address: the address of an environment; nil if it has none.
    init(
        _ store: OpenStore, _ directory: DataDirectory, passphrase: [UInt8]?, blobs: OpenBlobs,
        content: ContentIntake,
        sales: @escaping @Sendable (StoreEnvironment) -> EnvironmentStore? = { _ in nil },
        histories: [StoreEnvironment: RequestHistory] = [:], system: StoreSystem? = nil,
        address: @escaping @Sendable (StoreEnvironment) -> StoreAddress?
    ) {
        let keys = KeyStore(dataDirectory: directory.path)
        let catalogue = CatalogueStore(
            store.databases.catalogue, Numbers(store.databases.catalogue), now: SystemClock.now)
        let signers = { @Sendable in
            StoreEnvironment.allCases.reduce(into: [StoreEnvironment: EnvironmentSigners]()) { signers, environment in
                signers[environment] = sales(environment)?.signers
            }
        }
        stores = StoreEnvironment.allCases.map { environment in
            let profiles = ProfileIssuer(
                environment, at: { address(environment) },
                keys: { try keys.load(environment, passphrase: passphrase) })
            var control = ControlStore(
                environment, catalogue, proceeds: ProceedsReports(store.databases[environment]),
                sales: sales(environment), profiles: profiles, blobs: BlobSource { try blobs.open() },
                content: content, history: histories[environment], signers: signers)
            control.sandboxAddress = { address(.sandbox) }
            control.system = system
            return control
        }
    }

    /// The folder of pictures, opened when the first is asked for.
    var blobs: BlobSource { stores[0].blobs }

    /// The profile of an app for an environment; nil where the process has no keys.
    func profile(_ environment: StoreEnvironment, of bundle: BundleID) async throws -> String? {
        guard let store = stores.first(where: { $0.environment == environment }), let issuer = store.profiles else {
            return nil
        }
        return try await issuer.profile(for: try BundlePattern(parsing: bundle.text), at: nil, in: store.catalogue)
    }

    /// For the listener of an environment.
    func guarded(_ environment: StoreEnvironment) -> [Route] {
        stores.filter { $0.environment == environment }.flatMap { ControlRoutes($0).guarded }
    }

    /// For the commands of the operator.
    var owned: [Route] {
        stores.flatMap { ControlRoutes($0).owned } + (stores.first.map { OperatorTokenRoutes($0).routes } ?? [])
    }
}

extension AdminConnection {
    /// The options of every command that works on what a store has.
    static let options: [any OptionDeclaration] = [
        DataOptions.data, DatabaseOptions.database, BlobOptions.blobs, SettingsOptions.file,
    ]

    /// The connection to a store with all of its routes: to the process that has it open, or to the same routes in this
    /// process, which opens it.
    static func openStore(
        _ arguments: ParsedArguments, _ context: CommandContext, passphrase: [UInt8]? = nil
    ) async throws -> AdminConnection {
        if let store = context.store { return store }
        let directory = try DataDirectory.ofStore(arguments)
        let upkeep = UpkeepSettings(arguments, context)
        return try await open(directory) { lock in
            let store = try await OpenStore.open(directory, upkeep.database, holding: lock)
            let (blobs, intake) = ContentIntake.here(store, directory, arguments, context, upkeep.log)
            let control = StoreControl(
                store, directory, passphrase: passphrase, blobs: blobs, content: intake,
                address: { _ in nil })
            return (try upkeep.service(directory, control.owned), { await store.close() })
        }
    }

    /// Runs a closure with a store and closes it in any case.
    static func withStore<Result>(
        _ arguments: ParsedArguments, _ context: CommandContext, passphrase: [UInt8]? = nil,
        _ body: (AdminConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await openStore(arguments, context, passphrase: passphrase)
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }
}

/// `till control-token`
enum ControlTokenCommand {
    private static let path = "/admin/v1/operator-tokens"
    private static let name = Argument<String>.required(.text("NAME"), help: "What the token is called.")

    private static let former = Argument<String>.required(
        .text("NAME", asking: "tokens"), help: "What the token is called.")

    private static let environment = Option<StoreEnvironment>.defaulted(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), to: .sandbox,
        help:
            "Whose customers, devices and purchases it may look after. What changes production's sales wants one of production."
    )

    private static let life = Option<Duration>.defaulted(
        "for", .duration(), to: OperatorTokens.usualLife, help: "How long it is good for.")

    private static let role = Option<String?>.optional(
        "role", .choice("ROLE", ["reviewer", "support"]),
        help: "Only what this role may, in the whole store; without it and --member everything.")
    private static let member = Option<String?>.optional(
        "member", .text("EMAIL"), help: "For this member of the team, who may do with it what the member may.")
    private static let team = Option<TeamID>.defaulted(
        "team", CatalogueOptions.teamFormat, to: Teams.first, help: "The team of --member.")

    static let command = Command<TillProgram.Action>(
        "control-token", "Make and revoke the tokens for the control interface.",
        discussion: """
            A token lets a program do by HTTP, under /control/v1 of either listener, what these commands do. The store keeps \
            no more of it than its hash: it is shown once.
            """,
        options: AdminConnection.options,
        examples: [Example("A token for the tests of an app", "till control-token create tests")],
        subcommands: [
            Command(
                "create", "Make a token and print it.",
                options: [environment, life, role, member, team, StandardOptions.json], arguments: [name],
                rules: [.atMostOne(role, member)],
                examples: [
                    Example("For the tests of an app", "till control-token create tests"),
                    Example(
                        "To approve products until tomorrow",
                        "till control-token create review --environment production --for 1d"),
                    Example("For a member of the first team", "till control-token create ada --member ada@example.com"),
                ],
                exitCodes: [
                    .failure.when("There is or was a token of this name."), CatalogueOptions.noStore,
                    CatalogueOptions.unavailable,
                ],
                action: create),
            Command(
                "list", "List the tokens, the newest last; with --json by name.", options: ListOptions.all,
                examples: [Example("Who may come in", "till control-token list")],
                exitCodes: [CatalogueOptions.noStore, CatalogueOptions.unavailable], action: list),
            Command(
                "revoke", "Let a token in no more.", options: [StandardOptions.json], arguments: [former],
                examples: [Example("When the tests are over", "till control-token revoke tests")],
                exitCodes: [.inputMissing.when("There is no such token, or no store."), CatalogueOptions.unavailable],
                action: revoke),
        ])

    private static func create(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let made = try await AdminConnection.withStore(arguments, context) { store in
            let wanted = OperatorTokenRequest(
                name: arguments[name], environment: arguments[environment], seconds: arguments[life].components.seconds,
                role: arguments[role], teamId: arguments[team], member: arguments[member])
            return try await store.ask("POST", path, wanted, as: NewOperatorToken.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(made) }
        context.print(made.token)
    }

    private static func list(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let found = try await AdminConnection.withStore(arguments, context) { store in
            try await store.ask("GET", path, as: Page<OperatorTokenReport>.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(found) }
        context.printList(
            found.items.sorted { $0.createdAt < $1.createdAt }, as: CatalogueTables.tokens, arguments,
            nothing: "There are no tokens. To make one: till control-token create NAME")
    }

    private static func revoke(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        try await AdminConnection.withStore(arguments, context) { store in
            try await store.send("POST", path + "/revocation", OperatorTokenName(name: arguments[former]))
        }
        if arguments[StandardOptions.json] { return try context.printJSON(["revoked": arguments[former]]) }
        context.print("revoked \(PrintableText(arguments[former], limit: 100))")
    }
}
