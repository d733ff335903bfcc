/// The changes of one closure, which all come to be, or none.
package protocol WriteTransaction: ReadTransaction {
    /// Runs a statement that changes rows; gives how many it changed.
    ///
    /// An error ends the transaction: whatever follows in it fails with `transactionFailed`, and the closure fails even
    /// if it catches the error. Where a failure is expected, use `ON CONFLICT`, or ``attempt(_:)``.
    @discardableResult
    func execute(_ sql: SQL, binding values: [DatabaseValue]) throws -> Int

    /// Does something that may fail. If it throws, what it changed is undone and the transaction goes on.
    ///
    /// Failures of the disk, of memory and of the connection end the transaction all the same.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result

    /// Tells everybody who listens, once this transaction is durable. A signal is a hint to look into the database; one
    /// that is signalled twice in a transaction may come once.
    func signal(_ signal: Signal) throws
}

extension WriteTransaction {
    /// Runs a statement that changes rows; gives how many it changed.
    @discardableResult
    package func execute(_ sql: SQL, _ values: any ColumnValue...) throws -> Int {
        try execute(sql, binding: values.map(\.databaseValue))
    }
}

/// How much a writing transaction sees of others that run at the same time. SQLite has one writer, so there every
/// transaction is serializable.
package struct TransactionIsolation: Hashable, Sendable {
    private let name: String

    /// As if transactions ran one after the other. It is the default, and right unless a key or a row guards the write.
    ///
    /// PostgreSQL pays for it by locks on what was read, as pages of indexes and whole tables that it scans: transactions
    /// that have nothing to do with each other fail and run again when they touch the same page.
    package static let serializable = TransactionIsolation(name: "serializable")
    /// All statements see the state of the database at the beginning. A transaction that changes a row which another has
    /// changed since fails and runs again; nothing else is noticed.
    ///
    /// So two transactions that each read what the other writes, and write different rows, may both succeed though they
    /// could not have run one after the other. **Whatever a transaction decides by what it reads needs a guard** that makes
    /// one of the two fail, against transactions of every isolation:
    ///
    /// * a unique key, where at most one may insert a row;
    /// * a row that both change: the one that was read (`WHERE id = $1 AND history_count = $2`), or one that stands for all
    ///   that the decision rests on, as that of the customer for everything a customer has.
    ///
    /// A row that one of them only reads guards nothing, not even with ``DialectPart/forUpdate``: the other may have begun
    /// before. Nor does it help that the other is serializable: PostgreSQL compares what was read among serializable
    /// transactions only.
    ///
    /// A closure that finds by itself that its guard has failed throws a `DatabaseError` of code `serialization`, and runs
    /// again.
    package static let snapshot = TransactionIsolation(name: "snapshot")
    /// Each statement sees what was committed before it. For claims that skip what others have locked, and for single
    /// statements whose conditions say all that must hold.
    package static let readCommitted = TransactionIsolation(name: "read committed")
}
