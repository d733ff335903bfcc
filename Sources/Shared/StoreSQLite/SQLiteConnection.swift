import CSQLite
import Foundation

/// One connection to a SQLite database.
///
/// It is used by one thread at a time, which is why it is not `Sendable`; whoever shares one proves how.
package final class SQLiteConnection {
    let handle: OpaquePointer
    /// Where SQLite leaves the length of the write-ahead log after each commit.
    let logPageCounter: UnsafeMutablePointer<Int32>

    /// Opens a database. Texts compare by their bytes, also under the name `"C"` that PostgreSQL has for it.
    package init(_ opening: SQLiteOpening) throws {
        var handle: OpaquePointer?
        // One thread at a time uses a connection, so SQLite need not lock.
        let flags = opening.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        let code = sqlite3_open_v2(opening.path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(code: code, on: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        logPageCounter = .allocate(capacity: 1)
        logPageCounter.initialize(to: 0)
        try configure()
    }

    deinit {
        sqlite3_close_v2(handle)
        logPageCounter.deallocate()
    }

    private func configure() throws {
        // A file from elsewhere must not run functions or write to SQLite's own tables, and "name" is never a text.
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, Int32(1)), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
        ] {
            try check(till_sqlite_set_option(handle, Int32(option), value))
        }
        try check(
            sqlite3_create_collation_v2(
                handle, "C", SQLITE_UTF8, nil,
                { _, count, text, otherCount, other in
                    byteOrder(text, Int(count), other, Int(otherCount))
                }, nil))
        try keepPagesUntilCommit()
    }

    /// A cache that is full is never written before the commit: SQLite 3.40 may then leave wrong checksums in its log when
    /// a savepoint is rolled back, and a crash loses what was committed after that.
    private func keepPagesUntilCommit() throws {
        try run("PRAGMA cache_spill = OFF")
    }

    /// Runs statements that give no rows, one after the other.
    package func run(_ script: String) throws {
        try check(sqlite3_exec(handle, script, nil, nil, nil))
    }

    /// Prepares one statement that is to be used many times.
    package func prepare(_ text: String) throws -> SQLiteStatement {
        try SQLiteStatement(text, on: self)
    }

    /// Whether no transaction is open. Some failures end a transaction behind the caller's back; this tells.
    package var isInAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// How many rows the last statement that changes rows has changed.
    package var changes: Int { Int(sqlite3_changes64(handle)) }

    /// How long statements wait for the locks of others.
    ///
    /// They look for the lock every few milliseconds. SQLite's own handler soon looks only ten times a second, which never
    /// meets one of the moments in which a writer that commits again and again does not hold it.
    package func setBusyTimeout(milliseconds: Int) throws {
        // Safe: the address is a number that the handler reads back; no memory is there or touched.
        let limit = UnsafeMutableRawPointer(bitPattern: milliseconds)
        let code = sqlite3_busy_handler(
            handle,
            { limit, count in
                let pause = 2
                guard Int(count) * pause < Int(bitPattern: limit) else { return 0 }
                usleep(UInt32(pause) * 1000)
                return 1
            }, limit)
        try check(code)
    }

    /// Whether rows of the open transaction still point to rows that are not there.
    package var hasUnresolvedForeignKeys: Bool {
        var (current, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return current != 0
    }

    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw SQLiteError(code: code, on: handle) }
    }
}

/// Orders texts by their bytes, the shorter of two alike first.
private func byteOrder(
    _ text: UnsafeRawPointer?, _ count: Int, _ other: UnsafeRawPointer?, _ otherCount: Int
) -> Int32 {
    if let text, let other {
        let order = memcmp(text, other, min(count, otherCount))
        if order != 0 { return order }
    }
    return Int32((count - otherCount).signum())
}
