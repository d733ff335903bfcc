public import StoreModel

/// A record of what was fulfilled, in the same database as what fulfilling changes.
///
/// ``fulfil(_:at:_:)`` runs its closure at most once for each revision of a transaction. That it ran, what it changed and
/// what it returned are written together or not at all, so that a crash at any moment leaves nothing half and a repeated
/// call finds what was done:
///
/// ```swift
/// let ledger = SQLFulfilmentLedger(SQLiteHandle(handle))
/// let fulfilment = try ledger.fulfil(transaction, at: now) { act in
///     let amount: Int64 = act == .grant ? 100 : -100
///     try connection.run("UPDATE account SET credits = credits + $1 WHERE name = $2", [.integer(amount), .text(name)])
///     return "\(amount) credits"
/// }
/// ```
///
/// ``SQLFulfilmentLedger`` is the one for SQL. For another database, write these five functions: `claim` and `keep` read
/// and write in the transaction that `begin` began, and two claims of one transaction never proceed beside each other.
public protocol FulfilmentLedger {
    /// Begins a transaction of the database; throws if one is open.
    func begin() throws

    /// Notes what the store says, and tells what is to be done about it.
    ///
    /// `isNew` of the answer says that the revision is the caller's to fulfil in this transaction. What was stated earlier
    /// than what is known changes nothing; of two statements of one instant the one that takes back holds.
    func claim(_ transaction: VerifiedTransaction, at now: Instant) throws -> Fulfilment

    /// Keeps the result of a revision that was claimed.
    func keep(_ result: String, ofRevision revision: Int, of transaction: VerifiedTransaction) throws

    /// Writes the transaction. Where the connection breaks meanwhile it throws ``BackendError/Code/outcomeUnknown``.
    func commit() throws

    /// Undoes the transaction.
    func rollback() throws
}

extension FulfilmentLedger {
    /// Fulfils a transaction in a database transaction of its own.
    ///
    /// The closure does nothing but use the connection: it is undone and run again when another transaction was in the way.
    /// After an error the same call may be repeated, whatever the error was: it does what was not done and finds what was.
    ///
    /// - Parameter body: does what the act says, and returns a text that later calls are given.
    @discardableResult
    public func fulfil(
        _ transaction: VerifiedTransaction, at now: Instant, _ body: (FulfilmentAct) throws -> String
    ) throws -> Fulfilment {
        for attempt in 1... {
            var isBegun = false
            do {
                try begin()
                isBegun = true
                let fulfilment = try fulfilled(try claim(transaction, at: now), of: transaction, body)
                try commit()
                return fulfilment
            } catch {
                if isBegun { try? rollback() }
                let isBusy = (error as? BackendError)?.code == .databaseBusy
                guard isBusy, attempt < FulfilmentLimits.tries else { throw error }
            }
        }
        throw BackendError(.databaseBusy, "Other transactions were in the way each time.")
    }

    /// Runs the closure if the revision that was claimed is the caller's.
    func fulfilled(
        _ claim: Fulfilment, of transaction: VerifiedTransaction, _ body: (FulfilmentAct) throws -> String
    ) throws -> Fulfilment {
        guard claim.isNew, let act = claim.act else { return claim }
        var fulfilment = claim
        let result = try body(act)
        try FulfilmentLimits.check(result)
        try keep(result, ofRevision: fulfilment.revision, of: transaction)
        fulfilment.result = result
        return fulfilment
    }
}

/// The limits of fulfilling.
package enum FulfilmentLimits {
    /// How often a transaction is run that others were in the way of.
    package static let tries = 20
    /// How many bytes the result of a closure has at most.
    package static let resultBytes = 65_536

    static func check(_ result: String) throws {
        guard result.utf8.count <= resultBytes else {
            throw BackendError(
                .invalidValue,
                "The result of a fulfilment has \(result.utf8.count) bytes, more than \(resultBytes).",
                parameter: "result")
        }
        guard !result.utf8.contains(0) else {
            throw BackendError(
                .invalidValue, "The result of a fulfilment has a zero character, which no database keeps in a text.",
                parameter: "result")
        }
    }
}
