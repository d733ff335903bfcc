import CommandOptions
import Foundation
import StoreBackend
import StoreModel

/// The data directory of the developer's own server: database, content, lock.
struct BackendFolder: Sendable {
    let directory: DataDirectory
    private let address: DatabaseAddress

    init(_ arguments: ParsedArguments) {
        directory = DataDirectory(arguments[BackendOptions.data])
        address = arguments[BackendOptions.database]
    }

    /// Where the files of content are.
    var contentPath: String { directory.path + "/content" }

    /// The name of the engine, without secrets.
    var engine: String { address.engine }

    private var databasePath: String { directory.path + "/backend.sqlite" }

    /// Whether there is a server already. Whether there is one in PostgreSQL its tables know.
    var isThere: Bool { address != .sqlite || access(databasePath, F_OK) == 0 }

    /// Opens the database, which is made if it is not there. The commands of an operator do so beside a server that runs.
    func openDatabase() throws -> BackendDatabase {
        try directory.make()
        switch address {
        case .sqlite: return try .sqlite(path: databasePath)
        case .postgres(let url): return try .postgres(url)
        }
    }

    /// Throws if there is no server: a name that was mistyped makes no other one.
    func requireThere() throws {
        guard isThere else {
            throw CommandFailure(
                .inputMissing,
                "there is no server in \(directory.path); name its folder with --data, or begin one by till backend serve"
            )
        }
    }

    /// The right to serve from this folder, which one process has at a time.
    func lock() throws -> StoreLock {
        try directory.make()
        guard let lock = try StoreLock(directory) else {
            let holder = StoreLock.description(directory).map { " (\($0))" } ?? ""
            throw CommandFailure(
                .tryAgain,
                "another process serves from \(directory.path)\(holder); stop it first, or use another --data")
        }
        return lock
    }
}

extension CommandFailure {
    /// The exit status of a command that the backend refused something.
    static func exitCode(of code: BackendError.Code) -> ExitCode {
        switch code {
        case .storeUnavailable: .unavailable
        case .database, .outcomeUnknown: .inputOutput
        case .tooManyRequests, .databaseBusy: .tryAgain
        case .unknownApp, .unknownProduct, .unknownContent, .unknownSubscription, .contentUnavailable: .inputMissing
        case .nameTaken: .cannotCreate
        default: .badData
        }
    }
}

extension BackendFolder {
    /// What a command ends with that finds no server.
    static let missing = ExitCode.inputMissing.when("There is no server in the data directory.")

    /// The same, of a command that may also not find what it was asked for.
    static func missing(or what: String) -> ExitCode {
        .inputMissing.when("There is \(what), or no server in the data directory.")
    }

    /// Runs a command of the operator on the backend of the folder, which a server may have open too.
    ///
    /// - Parameters:
    ///   - apps: those that the command is about.
    ///   - isFirst: whether the command may be the first one there is for a server: then it makes what is missing, and says so.
    static func open<Value>(
        _ arguments: ParsedArguments, _ context: CommandContext, apps: Set<BundleID> = [],
        beginning isFirst: Bool = false,
        _ body: (Backend) async throws -> Value
    ) async throws -> Value {
        let folder = BackendFolder(arguments)
        if !isFirst { try folder.requireThere() }
        let isNew = !folder.isThere
        let database = try folder.openDatabase()
        defer { database.close() }
        let backend = Backend(
            database: database, verifier: NothingVerified(), settings: BackendSettings(bundleIDs: apps),
            library: try ContentLibrary(folder: folder.contentPath))
        try await backend.prepare(at: context.now)
        if isNew { context.printError("A new server begins in \(folder.directory.path).") }
        return try await body(backend)
    }
}

/// Verifies nothing: no command of the operator takes a proof.
private struct NothingVerified: PaymentVerifier {
    func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
        throw BackendError(.storeUnavailable, "This command asks no store.")
    }
}
