/// A transaction in which one statement runs, and no second one.
final class SingleStatement: ReadTransaction {
    private let transaction: any ReadTransaction
    private var isUsed = false

    init(in transaction: any ReadTransaction) {
        self.transaction = transaction
    }

    var engine: DatabaseEngine { transaction.engine }
    var limits: DatabaseLimits { transaction.limits }

    func forEachRow(_ sql: SQL, binding values: [DatabaseValue], _ body: (Row) throws -> Void) throws {
        guard !isUsed else { throw DatabaseError(.statement, "this look-up is of one statement only") }
        isUsed = true
        try transaction.forEachRow(sql, binding: values, body)
    }
}
