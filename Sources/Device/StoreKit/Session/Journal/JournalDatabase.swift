import Foundation
import StoreModel
import StoreSQLite

/// The connection of a journal with its statements. One thread at a time uses it.
final class JournalDatabase {
    private static let busy: Int32 = 5

    private let connection: SQLiteConnection
    private var statements: [String: SQLiteStatement] = [:]
    /// Is told of every statement that may change something, before it runs, and before those of a transaction that does not
    /// wait for the disk, of that.
    private let observer: (@Sendable (String) throws -> Void)?

    /// Opens the file, or makes it.
    init(_ path: String, observer: (@Sendable (String) throws -> Void)? = nil) throws {
        connection = try SQLiteConnection(.file(path))
        self.observer = observer
        try connection.setBusyTimeout(milliseconds: Int(JournalLimits.wait.components.seconds) * 1000)
        try Self.useWriteAheadLog(connection)
        // What a customer has said yes to, and what an app has finished, must not be forgotten in a power failure.
        try connection.run("PRAGMA synchronous = FULL")
        try transaction { _ in try JournalSchema.migrate(connection) }
    }

    /// Where processes make the file at once, all but one are refused without any waiting: each holds what another needs.
    private static func useWriteAheadLog(_ connection: SQLiteConnection) throws {
        for attempt in 1... {
            do {
                return try connection.run("PRAGMA journal_mode = WAL")
            } catch let error as SQLiteError where error.primaryCode == busy && attempt < JournalLimits.openings {
                usleep(JournalLimits.openingPause)
            }
        }
    }

    /// Does several things or none. Another process waits meanwhile.
    ///
    /// - Parameter isDurable: whether it waits for the disk. What does not outlives the process, like all else, and may be lost
    ///   in a power failure until something is kept that waits.
    func transaction<Result>(
        isDurable: Bool = true, _ body: (JournalDatabase) throws -> Result
    ) throws -> Result {
        if !isDurable {
            let setting = "PRAGMA synchronous = NORMAL"
            try observer?(setting)
            try connection.run(setting)
        }
        defer { if !isDurable { try? connection.run("PRAGMA synchronous = FULL") } }
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body(self)
            try execute("COMMIT")
            return result
        } catch {
            if !connection.isInAutocommit { try? connection.run("ROLLBACK") }
            throw error
        }
    }

    /// The whole database, as a file of it would be.
    func contents() throws -> [UInt8] { try connection.contents() }

    /// Reads several things as they are at one moment.
    func reading<Result>(_ body: (JournalDatabase) throws -> Result) throws -> Result {
        try connection.run("BEGIN")
        defer { try? connection.run("COMMIT") }
        return try body(self)
    }

    /// Runs a statement that gives no rows; tells how many rows it changed.
    @discardableResult
    func execute(_ text: String, _ values: SQLiteValue...) throws -> Int {
        try observer?(text)
        let statement = try statement(text)
        defer { statement.reset() }
        try statement.bind(values)
        _ = try statement.step()
        return connection.changes
    }

    func query<Element>(
        _ text: String, _ values: SQLiteValue..., row: (JournalRow) throws -> Element
    ) throws -> [Element] {
        let statement = try statement(text)
        defer { statement.reset() }
        try statement.bind(values)
        var found: [Element] = []
        while try statement.step() { found.append(try row(JournalRow(statement))) }
        return found
    }

    /// The next number of payments, transactions and changes.
    func nextNumber() throws -> Int64 {
        try execute("UPDATE sequence SET number = number + 1")
        return try lastNumber()
    }

    func lastNumber() throws -> Int64 {
        try query("SELECT number FROM sequence") { try $0.integer(0) }.first ?? 0
    }

    private func statement(_ text: String) throws -> SQLiteStatement {
        if let known = statements[text] { return known }
        let prepared = try connection.prepare(text)
        statements[text] = prepared
        return prepared
    }
}

/// A row of the journal. What is not as it should be means that the file is damaged.
struct JournalRow {
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    func integer(_ column: Int) throws -> Int64 {
        guard case .integer(let number)? = statement.value(at: column) else { throw Journal.damage }
        return number
    }

    func text(_ column: Int) throws -> String {
        guard case .text(let text)? = statement.value(at: column) else { throw Journal.damage }
        return text
    }

    func optionalText(_ column: Int) throws -> String? {
        statement.value(at: column) == .null ? nil : try text(column)
    }

    func optionalInteger(_ column: Int) throws -> Int64? {
        statement.value(at: column) == .null ? nil : try integer(column)
    }

    func optionalBytes(_ column: Int) throws -> [UInt8]? {
        switch statement.value(at: column) {
        case .null: nil
        case .bytes(let bytes): bytes
        default: throw Journal.damage
        }
    }

    /// The value of a text.
    func value<Value>(_ column: Int, _ parse: (String) -> Value?) throws -> Value {
        guard let value = parse(try text(column)) else { throw Journal.damage }
        return value
    }
}

extension SQLiteValue {
    static func optional(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    static func optional(_ bytes: [UInt8]?) -> SQLiteValue { bytes.map { .bytes($0) } ?? .null }
    static func optional(_ number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }
}

/// The tables of the journal, in numbered steps. A step that was released is never changed.
enum JournalSchema {
    static let steps = [
        """
        CREATE TABLE property (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE sequence (number INTEGER NOT NULL);
        INSERT INTO sequence (number) VALUES (0);
        CREATE TABLE payment (
            key TEXT PRIMARY KEY,
            number INTEGER NOT NULL,
            payment TEXT NOT NULL,
            state TEXT NOT NULL,
            failure_code INTEGER,
            failure_reason TEXT,
            failure_text TEXT,
            failure_request TEXT,
            transaction_id INTEGER,
            owner TEXT NOT NULL,
            added_at INTEGER NOT NULL,
            change INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX payment_change ON payment (change);
        CREATE TABLE bought (
            id INTEGER PRIMARY KEY,
            number INTEGER NOT NULL,
            signed TEXT NOT NULL,
            original_signed TEXT,
            receipt BLOB,
            payment_key TEXT,
            username TEXT,
            state TEXT NOT NULL,
            is_revoked INTEGER NOT NULL,
            change INTEGER NOT NULL
        );
        CREATE INDEX bought_change ON bought (change);
        CREATE INDEX bought_waiting ON bought (number) WHERE state = 'waiting';
        CREATE TABLE finishing (id INTEGER PRIMARY KEY);
        """,
        """
        ALTER TABLE bought ADD COLUMN content_version TEXT;
        ALTER TABLE bought ADD COLUMN content_length INTEGER;
        CREATE TABLE download (id INTEGER PRIMARY KEY, entry TEXT NOT NULL);
        """,
        "ALTER TABLE bought ADD COLUMN original_receipt BLOB",
        """
        ALTER TABLE bought ADD COLUMN was_had INTEGER NOT NULL DEFAULT 1;
        CREATE TABLE had (id INTEGER PRIMARY KEY);
        """,
        """
        ALTER TABLE bought ADD COLUMN news INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX bought_news ON bought (number) WHERE news = 1;
        """,
    ]

    /// Brings a database up to the newest step, in one transaction.
    static func migrate(_ connection: SQLiteConnection) throws {
        let version = try version(of: connection)
        guard version <= steps.count else {
            throw SQLiteError(code: Journal.tooNew, message: "the journal was written by a newer StoreKit")
        }
        for (index, step) in steps.enumerated().dropFirst(version) {
            try connection.run(step)
            try connection.run("PRAGMA user_version = \(index + 1)")
        }
    }

    static func version(of connection: SQLiteConnection) throws -> Int {
        let statement = try connection.prepare("PRAGMA user_version")
        guard try statement.step(), case .integer(let version)? = statement.value(at: 0) else { return 0 }
        return Int(version)
    }
}
