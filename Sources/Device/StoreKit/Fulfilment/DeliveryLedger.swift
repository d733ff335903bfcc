import Foundation
import StoreSQLite

/// The file of ``PurchaseFulfilment``: what the customer has, and what was done about each transaction.
// Safe: the connection is used while the lock is held, and nothing else of it ever changes.
final class DeliveryLedger: @unchecked Sendable {
    /// How the store's word on a transaction stands.
    struct Row {
        /// How often it has changed, 1 being the first that was heard.
        var revision: Int64
        /// Whether the customer has what was bought.
        var isHeld: Bool
        /// When the newest word was signed, in milliseconds.
        var statedAt: Int64
        /// What was returned by the last that did something.
        var result: String?
    }

    /// What a change may change.
    struct Stored {
        /// In JSON; nil before the first change.
        var goods: Data?
    }

    private static let wait = 5_000
    private let connection: SQLiteConnection
    private let lock = NSRecursiveLock()

    init(_ path: String) throws {
        connection = try SQLiteConnection(.file(path))
        try connection.setBusyTimeout(milliseconds: Self.wait)
        // What was given and what was finished must not be told apart by a power failure.
        try connection.run("PRAGMA journal_mode = WAL")
        try connection.run("PRAGMA synchronous = FULL")
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS goods (id INTEGER PRIMARY KEY CHECK (id = 1), value BLOB NOT NULL);
            CREATE TABLE IF NOT EXISTS delivery (
                id INTEGER PRIMARY KEY, revision INTEGER NOT NULL, is_held INTEGER NOT NULL, stated_at INTEGER NOT NULL,
                result TEXT
            );
            """)
    }

    /// Whether the customer has what a transaction is of.
    static func isHeld(_ transaction: Transaction) -> Bool {
        transaction.revocationDate == nil && !transaction.isUpgraded
    }

    func read<Result>(_ body: (Data?) throws -> Result) throws -> Result {
        try lock.withLock { try body(try Self.goods(connection)) }
    }

    func row(of transaction: Transaction.ID) throws -> Row? {
        try lock.withLock { try Self.row(transaction, connection) }
    }

    /// Changes what the customer has, or nothing.
    func change<Result>(_ body: (inout Stored) throws -> Result) throws -> Result {
        try lock.withLock {
            try Self.transaction(connection) {
                var stored = Stored(goods: try Self.goods(connection))
                let result = try body(&stored)
                try Self.write(stored, connection)
                return result
            }
        }
    }

    /// Does what the store's word on a transaction asks for, if that was not done.
    ///
    /// Of two words the later one holds, and of two of one instant that which takes back.
    ///
    /// - Returns: whether the closure did something.
    func fulfil(
        _ transaction: Transaction, _ body: (inout Data?, PurchaseDelivery) throws -> String
    ) throws -> Bool {
        let isHeld = Self.isHeld(transaction)
        let statedAt = Int64((transaction.signedDate.timeIntervalSince1970 * 1000).rounded())
        return try lock.withLock {
            try Self.transaction(connection) {
                let known = try Self.row(transaction.id, connection)
                if let known, (known.statedAt, known.isHeld ? 0 : 1) >= (statedAt, isHeld ? 0 : 1) { return false }
                var row = Row(
                    revision: known?.revision ?? 0, isHeld: isHeld, statedAt: statedAt, result: known?.result)
                guard known?.isHeld != isHeld else {
                    try Self.write(row, of: transaction.id, connection)
                    return false
                }
                row.revision += 1
                // What was taken back before it was given is neither.
                let act: PurchaseDelivery.Act? = isHeld ? .grant : known == nil ? nil : .takeBack
                if let act {
                    var stored = Stored(goods: try Self.goods(connection))
                    row.result = try body(
                        &stored.goods,
                        PurchaseDelivery(transaction: transaction, act: act, revision: Int(row.revision)))
                    try Self.write(stored, connection)
                }
                try Self.write(row, of: transaction.id, connection)
                return act != nil
            }
        }
    }

    // MARK: Statements

    private static func transaction<Result>(_ connection: SQLiteConnection, _ body: () throws -> Result) throws
        -> Result
    {
        try connection.run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try connection.run("COMMIT")
            return result
        } catch {
            if !connection.isInAutocommit { try? connection.run("ROLLBACK") }
            throw error
        }
    }

    private static func goods(_ connection: SQLiteConnection) throws -> Data? {
        let statement = try connection.prepare("SELECT value FROM goods")
        guard try statement.step(), case .bytes(let bytes)? = statement.value(at: 0) else { return nil }
        return Data(bytes)
    }

    private static func write(_ stored: Stored, _ connection: SQLiteConnection) throws {
        guard let goods = stored.goods else { return }
        let statement = try connection.prepare(
            "INSERT INTO goods (id, value) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET value = excluded.value")
        try statement.bind([.bytes(Array(goods))])
        _ = try statement.step()
    }

    private static func row(_ id: Transaction.ID, _ connection: SQLiteConnection) throws -> Row? {
        let statement = try connection.prepare(
            "SELECT revision, is_held, stated_at, result FROM delivery WHERE id = $1")
        try statement.bind([.integer(Int64(clamping: id))])
        guard try statement.step(), case .integer(let revision)? = statement.value(at: 0),
            case .integer(let isHeld)? = statement.value(at: 1),
            case .integer(let statedAt)? = statement.value(at: 2)
        else { return nil }
        var row = Row(revision: revision, isHeld: isHeld != 0, statedAt: statedAt)
        if case .text(let result)? = statement.value(at: 3) { row.result = result }
        return row
    }

    private static func write(_ row: Row, of id: Transaction.ID, _ connection: SQLiteConnection) throws {
        let statement = try connection.prepare(
            """
            INSERT INTO delivery (id, revision, is_held, stated_at, result) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, is_held = excluded.is_held,
                stated_at = excluded.stated_at, result = excluded.result
            """)
        try statement.bind([
            .integer(Int64(clamping: id)), .integer(row.revision), .integer(row.isHeld ? 1 : 0),
            .integer(row.statedAt), row.result.map { .text($0) } ?? .null,
        ])
        _ = try statement.step()
    }
}
