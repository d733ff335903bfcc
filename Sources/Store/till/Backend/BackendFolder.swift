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

    /// Opens the database. The commands of an operator do so beside a server that runs.
    func openDatabase() throws -> BackendDatabase {
        try directory.make()
        switch address {
        case .sqlite: return try .sqlite(path: directory.path + "/backend.sqlite")
        case .postgres(let url): return try .postgres(url)
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
    /// Runs a command of the operator on the backend of the folder, which a server may have open too.
    ///
    /// - Parameter apps: those that the command is about.
    static func open<Value>(
        _ arguments: ParsedArguments, _ context: CommandContext, apps: Set<BundleID> = [],
        _ body: (Backend) async throws -> Value
    ) async throws -> Value {
        let folder = BackendFolder(arguments)
        let database = try folder.openDatabase()
        defer { database.close() }
        let backend = Backend(
            database: database, verifier: NothingVerified(), settings: BackendSettings(bundleIDs: apps),
            library: try ContentLibrary(folder: folder.contentPath))
        try await backend.prepare(at: context.now)
        return try await body(backend)
    }
}

/// Verifies nothing: no command of the operator takes a proof.
private struct NothingVerified: PaymentVerifier {
    func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
        throw BackendError(.storeUnavailable, "This command asks no store.")
    }
}
