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
