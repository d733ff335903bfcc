import StoreDatabase
import Synchronization

/// A database that fails in a way once it is told to.
final class TroubledDatabase: Database {
    private let database: any Database
    private let error = Mutex<DatabaseError?>(nil)

    var engine: DatabaseEngine { database.engine }

    init(_ database: any Database) {
        self.database = database
    }

    func fail(_ error: DatabaseError?) { self.error.withLock { $0 = error } }

    private func check() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try check()
        return try await database.read(body)
    }

    func write<Result: Sendable>(
        isolation: TransactionIsolation, _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result {
        try check()
        return try await database.write(isolation: isolation, body)
    }

    func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal> { try await database.signals(on: topic) }

    func close() async {}
}
