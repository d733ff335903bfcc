import StoreDatabase
import TestSupport

/// A database that counts the statements of its read transactions.
final class CountingDatabase: Database {
    private let database: any Database
    /// How many there were.
    let statements: Observed<Int>

    var engine: DatabaseEngine { database.engine }

    /// - Parameter statements: where they are counted; several databases may share it.
    init(_ database: any Database, _ statements: Observed<Int> = Observed(0)) {
        self.database = database
        self.statements = statements
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await database.read { transaction in
            try body(Counting(transaction) { self.statements.update { $0 += 1 } })
        }
    }

    func write<Result: Sendable>(
        isolation: TransactionIsolation, _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await database.write(isolation: isolation, body)
    }

    func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal> { try await database.signals(on: topic) }

    func close() async {}

    private final class Counting: ReadTransaction {
        private let transaction: any ReadTransaction
        private let count: () -> Void

        var engine: DatabaseEngine { transaction.engine }
        var limits: DatabaseLimits { transaction.limits }

        init(_ transaction: any ReadTransaction, count: @escaping () -> Void) {
            self.transaction = transaction
            self.count = count
        }

        func forEachRow(_ sql: SQL, binding values: [DatabaseValue], _ body: (Row) throws -> Void) throws {
            count()
            try transaction.forEachRow(sql, binding: values, body)
        }
    }
}
