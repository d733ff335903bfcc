/// A database that tells of damage which is met while it is used.
///
/// Whoever met it gets the same error; this is for those who look after the store.
package final class WatchedDatabase: Database {
    private let database: any Database
    private let damaged: @Sendable (DatabaseError) -> Void

    package var engine: DatabaseEngine { database.engine }

    /// - Parameter damaged: gets each error that says that the database is damaged.
    package init(_ database: any Database, damaged: @escaping @Sendable (DatabaseError) -> Void) {
        self.database = database
        self.damaged = damaged
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        do {
            return try await database.read(body)
        } catch {
            throw told(error)
        }
    }

    package func lookUp<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        do {
            return try await database.lookUp(body)
        } catch {
            throw told(error)
        }
    }

    package func lookUpOnce<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        do {
            return try await database.lookUpOnce(body)
        } catch {
            throw told(error)
        }
    }

    package func write<Result: Sendable>(
        isolation: TransactionIsolation, _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result {
        do {
            return try await database.write(isolation: isolation, body)
        } catch {
            throw told(error)
        }
    }

    package func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal> {
        try await database.signals(on: topic)
    }

    package func close() async { await database.close() }

    private func told(_ error: any Error) -> any Error {
        if let error = error as? DatabaseError, error.code == .corrupt { damaged(error) }
        return error
    }
}

extension StoreDatabases {
    /// What the databases are called.
    package static let names = ["catalogue", "production", "sandbox"]

    /// The same databases, of which damage is told with the name of the one that has it.
    package func watched(_ damaged: @escaping @Sendable (String, DatabaseError) -> Void) -> StoreDatabases {
        func watch(_ name: String, _ database: any Database) -> WatchedDatabase {
            WatchedDatabase(database) { damaged(name, $0) }
        }
        return StoreDatabases(
            catalogue: watch("catalogue", catalogue), production: watch("production", production),
            sandbox: watch("sandbox", sandbox))
    }
}
