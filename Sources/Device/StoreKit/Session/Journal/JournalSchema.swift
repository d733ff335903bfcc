import StoreSQLite

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
            product_id TEXT NOT NULL,
            quantity INTEGER NOT NULL,
            username TEXT,
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
        """
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
