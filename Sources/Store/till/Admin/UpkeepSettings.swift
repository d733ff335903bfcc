import CommandOptions
import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StorePostgres
import StoreServer
import StoreService

/// What a command needs to serve the admin routes itself, if no process has the store open.
struct UpkeepSettings: Sendable {
    let database: DatabaseAddress
    /// Receives the causes of errors in the service.
    let log: Log
    private let blobs: @Sendable (DataDirectory) -> BlobSource

    /// - Parameter blobs: those of a store that this process has open.
    init(database: DatabaseAddress, blobs: BlobSource, log: Log) {
        self.database = database
        self.blobs = { _ in blobs }
        self.log = log
    }

    init(_ arguments: ParsedArguments, _ context: CommandContext) {
        database = arguments[DatabaseOptions.database]
        log = LogWriter(format: .text, write: context.warn).log(least: .warning)
        let place = arguments.declares(BlobOptions.blobs) ? arguments[BlobOptions.blobs] : .folder
        let environment = context.environment
        blobs = { directory in
            if place == .folder { return BlobSource { FolderBlobStore(examining: directory.blobsPath) } }
            let bucket = OpenBlobs(directory, place, environment: environment)
            return BlobSource { try bucket.open() }
        }
    }

    func upkeep(_ directory: DataDirectory) throws -> StoreUpkeep {
        try database.upkeep(in: directory, blobs: blobs(directory))
    }

    /// The service that a running store has at its socket, for a store that is not running.
    ///
    /// - Parameter more: further routes, if the store was opened.
    func service(_ directory: DataDirectory, _ more: [Route] = []) throws -> HTTPService {
        let status = AdminStatus(
            version: TillProgram.version, process: getpid(), production: nil, sandbox: nil, database: database.engine)
        let routes = AdminRoutes(status: status, upkeep: try upkeep(directory), now: SystemClock.now).routes
        let log = log
        return HTTPService(
            routes + more, errors: JSONErrorForm(), explain: APIError.explaining,
            report: { error, _ in log.error("request.failed", "A command failed.", ["reason": "\(error)"]) })
    }
}

extension DatabaseAddress {
    /// What is done to the databases at this address as a whole.
    ///
    /// - Parameter blobs: what its catalogue refers to.
    func upkeep(in directory: DataDirectory, blobs: BlobSource = .none) throws -> StoreUpkeep {
        let databases: any DatabaseUpkeep
        switch self {
        case .sqlite: databases = SQLiteUpkeep(folder: directory.databasesPath)
        case .postgres(let text): databases = PostgresUpkeep(PostgresSettings(try PostgresAddress(text)))
        }
        return try StoreUpkeep(
            of: directory.path, databases, .current(), blobs: blobs, version: TillProgram.version)
    }
}
