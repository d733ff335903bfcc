import StoreDatabase

/// Counts the statements of a transaction.
final class CountingTransaction: ReadTransaction {
    private let transaction: any ReadTransaction
    private(set) var count = 0

    init(_ transaction: any ReadTransaction) { self.transaction = transaction }

    var engine: DatabaseEngine { transaction.engine }
    var limits: DatabaseLimits { transaction.limits }

    func forEachRow(_ sql: SQL, binding values: [DatabaseValue], _ body: (Row) throws -> Void) throws {
        count += 1
        try transaction.forEachRow(sql, binding: values, body)
    }
}
