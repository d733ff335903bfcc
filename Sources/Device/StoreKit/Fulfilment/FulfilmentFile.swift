import Foundation
import StoreSQLite

/// The file of ``PurchaseFulfilment``: what the customer has, and what was done about each transaction.
// Safe: the connection is used while the lock is held, and nothing else of it ever changes.
final class FulfilmentFile<Contents: Codable & Sendable>: FulfilmentStorage, @unchecked Sendable {
    private static var wait: Int { 5_000 }
    private let connection: SQLiteConnection
    private let first: Contents
    private let lock = NSRecursiveLock()

    /// - Parameter contents: what there is before the first change.
    init(_ path: String, initially contents: Contents) throws {
        first = contents
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

    var contents: Contents {
        get throws { try lock.withLock { try readContents() } }
    }

    func record(of transaction: Transaction.ID) throws -> FulfilmentRecord? {
        try lock.withLock { try readRecord(of: transaction) }
    }

    func change<Result: Sendable>(
        _ transaction: Transaction.ID?, _ body: (inout Contents, inout FulfilmentRecord?) throws -> Result
    ) throws -> Result {
        try lock.withLock {
            try connection.run("BEGIN IMMEDIATE")
            do {
                var contents = try readContents()
                let former = (bytes: try Self.bytes(contents), record: try transaction.flatMap(readRecord(of:)))
                var record = former.record
                let result = try body(&contents, &record)
                let bytes = try Self.bytes(contents)
                if bytes != former.bytes { try write(bytes) }
                if let transaction, let record, record != former.record { try write(record, of: transaction) }
                try connection.run("COMMIT")
                return result
            } catch {
                if !connection.isInAutocommit { try? connection.run("ROLLBACK") }
                throw error
            }
        }
    }

    // MARK: Statements

    private func readContents() throws -> Contents {
        let statement = try connection.prepare("SELECT value FROM goods")
        guard try statement.step(), case .bytes(let bytes)? = statement.value(at: 0) else { return first }
        return try JSONDecoder().decode(Contents.self, from: Data(bytes))
    }

    /// In one order, so that the same contents are the same bytes.
    private static func bytes(_ contents: Contents) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(contents)
    }

    private func write(_ contents: Data) throws {
        let statement = try connection.prepare(
            "INSERT INTO goods (id, value) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET value = excluded.value")
        try statement.bind([.bytes(Array(contents))])
        _ = try statement.step()
    }

    private func readRecord(of id: Transaction.ID) throws -> FulfilmentRecord? {
        let statement = try connection.prepare(
            "SELECT revision, is_held, stated_at, result FROM delivery WHERE id = $1")
        try statement.bind([.integer(Int64(clamping: id))])
        guard try statement.step(), case .integer(let revision)? = statement.value(at: 0),
            case .integer(let isHeld)? = statement.value(at: 1),
            case .integer(let statedAt)? = statement.value(at: 2)
        else { return nil }
        var result: String?
        if case .text(let text)? = statement.value(at: 3) { result = text }
        return FulfilmentRecord(revision: Int(revision), isHeld: isHeld != 0, statedAt: statedAt, result: result)
    }

    private func write(_ record: FulfilmentRecord, of id: Transaction.ID) throws {
        let statement = try connection.prepare(
            """
            INSERT INTO delivery (id, revision, is_held, stated_at, result) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, is_held = excluded.is_held,
                stated_at = excluded.stated_at, result = excluded.result
            """)
        try statement.bind([
            .integer(Int64(clamping: id)), .integer(Int64(record.revision)), .integer(record.isHeld ? 1 : 0),
            .integer(record.statedAt), record.result.map { .text($0) } ?? .null,
        ])
        _ = try statement.step()
    }
}
