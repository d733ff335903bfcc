public import StoreModel

/// The ledger of fulfilments in two tables of the developer's own database.
///
/// It works in any isolation that the database has: whoever states something new of a transaction holds its row until the
/// end of the database transaction, and others wait for that.
public final class SQLFulfilmentLedger: FulfilmentLedger {
    private let connection: any BackendConnection

    /// Makes a ledger over a connection, which nothing else uses while a function of the ledger runs but its closure.
    public init(_ connection: any BackendConnection) {
        self.connection = connection
    }

    /// Makes the tables if they are not there.
    public func prepare() throws {
        for statement in FulfilmentSQL.tables(connection.dialect) { try connection.run(statement) }
    }

    public func begin() throws {
        guard !connection.isInTransaction else {
            throw BackendError(
                .database, "A transaction is open on this connection: fulfil in it with fulfilInTransaction.")
        }
        try connection.run(FulfilmentSQL.begin(connection.dialect))
    }

    public func commit() throws { try connection.run("COMMIT") }

    public func rollback() throws {
        // Some failures end a transaction by themselves.
        guard connection.isInTransaction else { return }
        try connection.run("ROLLBACK")
    }

    public func claim(_ transaction: VerifiedTransaction, at now: Instant) throws -> Fulfilment {
        try known(transaction) ?? claimNewer(transaction, at: now)
    }

    public func keep(_ result: String, ofRevision revision: Int, of transaction: VerifiedTransaction) throws {
        try connection.run(
            FulfilmentSQL.keep, [.text(result)] + Self.key(of: transaction) + [.integer(Int64(revision))])
    }

    /// Fulfils a transaction in a database transaction that the caller has begun, and will commit.
    ///
    /// If the closure throws, what it and the ledger wrote is undone, the error is thrown on, and the caller's transaction
    /// goes on as if nothing had been called. Whoever fulfils several transactions in one goes by their ids, lowest first,
    /// so that two never wait for each other.
    ///
    /// - Parameter body: does what the act says, and returns a text that later calls are given.
    @discardableResult
    public func fulfilInTransaction(
        _ transaction: VerifiedTransaction, at now: Instant, _ body: (FulfilmentAct) throws -> String
    ) throws -> Fulfilment {
        if let known = try known(transaction) { return known }
        try connection.run("SAVEPOINT till_fulfilment")
        do {
            let fulfilment = try fulfilled(try claimNewer(transaction, at: now), of: transaction, body)
            try connection.run("RELEASE SAVEPOINT till_fulfilment")
            return fulfilment
        } catch {
            undoSavepoint()
            throw error
        }
    }

    private func undoSavepoint() {
        guard connection.isInTransaction else { return }
        do {
            try connection.run("ROLLBACK TO SAVEPOINT till_fulfilment")
            try connection.run("RELEASE SAVEPOINT till_fulfilment")
        } catch {
            // A claim without what it stands for must not be written.
            _ = try? connection.run("ROLLBACK")
        }
    }

    /// Everything that was done about a transaction, oldest first.
    public func history(of transaction: TransactionID, in environment: StoreEnvironment) throws -> [Fulfilment] {
        try connection.run(FulfilmentSQL.history, [.text(environment.rawValue), .text(transaction.description)])
            .map { row in try Known(row).fulfilment }
    }

    /// What was done, if the store says nothing newer than is known.
    private func known(_ transaction: VerifiedTransaction) throws -> Fulfilment? {
        guard connection.isInTransaction else {
            throw BackendError(.database, "A fulfilment is claimed in a transaction, and none is open.")
        }
        guard let known = try newest(of: transaction), !known.isOlder(than: transaction) else { return nil }
        return known.fulfilment
    }

    private func claimNewer(_ transaction: VerifiedTransaction, at now: Instant) throws -> Fulfilment {
        let key = Self.key(of: transaction)
        let statedAt = SQLValue.integer(transaction.statedAt.millisecondsSinceEpoch)
        try connection.run(FulfilmentSQL.state, key + [.integer(transaction.isTakenBack ? 0 : 1), statedAt])
        let claims = try connection.run(FulfilmentSQL.claim, [.integer(now.millisecondsSinceEpoch)] + key)
        if let claim = claims.first {
            let act = try claim.text(1).flatMap(FulfilmentAct.init)
            return Fulfilment(revision: Int(try claim.requiredInteger(0)), act: act, isNew: act != nil)
        }
        guard let known = try newest(of: transaction) else {
            throw BackendError(.database, "The tables of fulfilments have a transaction without a revision.")
        }
        return known.fulfilment
    }

    private func newest(of transaction: VerifiedTransaction) throws -> Known? {
        try connection.run(FulfilmentSQL.newest, Self.key(of: transaction)).first.map(Known.init)
    }

    private static func key(of transaction: VerifiedTransaction) -> [SQLValue] {
        [.text(transaction.environment.rawValue), .text(transaction.transactionID.description)]
    }
}

/// What the tables have of a transaction.
private struct Known {
    let fulfilment: Fulfilment
    private let isHeld: Bool
    private let statedAt: Instant

    init(_ row: SQLRow) throws {
        fulfilment = Fulfilment(
            revision: Int(try row.requiredInteger(0)), act: try row.text(1).flatMap(FulfilmentAct.init), isNew: false,
            result: try row.text(2))
        isHeld = try row.requiredInteger(3) == 1
        statedAt = Instant(millisecondsSinceEpoch: try row.requiredInteger(4))
    }

    /// Whether what the store says now is newer. Of two statements of one instant the one that takes back holds.
    func isOlder(than transaction: VerifiedTransaction) -> Bool {
        statedAt < transaction.statedAt || statedAt == transaction.statedAt && isHeld && transaction.isTakenBack
    }
}
