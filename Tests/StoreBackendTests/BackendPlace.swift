import CPostgres
import CSQLite
import Foundation
import PostgresTestServer
import StoreBackend

/// A database of one test, on either engine, which goes away afterwards.
struct BackendPlace: Sendable {
    let dialect: SQLDialect
    /// A path, or an address for libpq.
    let address: String
    /// The database of the server, if it is on PostgreSQL.
    private let name: String

    static func with<Result>(_ dialect: SQLDialect, _ body: (BackendPlace) async throws -> Result) async throws
        -> Result
    {
        switch dialect {
        case .sqlite:
            let path = FileManager.default.temporaryDirectory.appending(path: "backend-\(UUID()).sqlite").path()
            defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
            return try await body(BackendPlace(dialect: dialect, address: path, name: path))
        case .postgres:
            let cluster = try await PostgresCluster.shared.value
            let name = try await cluster.borrowDatabase()
            do {
                try await cluster.run("CREATE SCHEMA backend", in: name)
                let address = cluster.address(of: name) + schema
                let result = try await body(BackendPlace(dialect: dialect, address: address, name: name))
                try await cluster.giveBackDatabase(name)
                return result
            } catch {
                try? await cluster.giveBackDatabase(name)
                throw error
            }
        }
    }

    private static let schema = " options=-csearch_path=backend"

    /// The same database of PostgreSQL by a way on which things go wrong.
    func through<Result>(_ body: (FaultProxy, BackendPlace) async throws -> Result) async throws -> Result {
        let proxy = try FaultProxy(to: try await PostgresCluster.shared.value)
        defer { proxy.close() }
        let address = proxy.address(of: name) + Self.schema
        return try await body(proxy, BackendPlace(dialect: dialect, address: address, name: name))
    }

    /// Opens it as a database of the backend's own.
    func open() throws -> BackendDatabase {
        switch dialect {
        case .sqlite: try .sqlite(path: address)
        case .postgres: try .postgres(address)
        }
    }

    /// Opens it as a program that knows nothing of the backend does.
    func connect() throws -> OwnConnection { try OwnConnection(dialect, address) }
}

/// A connection that a developer has opened, and the adapter for it.
final class OwnConnection: BackendConnection {
    let dialect: SQLDialect
    private let pointer: OpaquePointer
    private var adapter: (any BackendConnection)?

    init(_ dialect: SQLDialect, _ address: String) throws {
        self.dialect = dialect
        switch dialect {
        case .sqlite:
            var handle: OpaquePointer?
            guard sqlite3_open(address, &handle) == SQLITE_OK, let handle else {
                throw BackendError(.database, "The file does not open.")
            }
            sqlite3_busy_timeout(handle, 10_000)
            (pointer, adapter) = (handle, SQLiteHandle(handle))
        case .postgres:
            guard let connection = PQconnectdb(address), PQstatus(connection) == CONNECTION_OK else {
                throw BackendError(.database, "Nobody answers.")
            }
            (pointer, adapter) = (connection, PostgresHandle(connection))
        }
    }

    deinit {
        adapter = nil
        switch dialect {
        case .sqlite: sqlite3_close(pointer)
        case .postgres: PQfinish(pointer)
        }
    }

    var isInTransaction: Bool { adapter?.isInTransaction ?? false }

    @discardableResult
    func run(_ statement: String, _ values: [SQLValue]) throws -> [SQLRow] {
        try adapter?.run(statement, values) ?? []
    }

    /// The one number that a statement gives.
    func number(_ statement: String) throws -> Int64? { try run(statement).first?.integer(0) }
}
