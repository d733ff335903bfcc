import CSQLite
import Foundation

/// One connection to a SQLite database.
///
/// It is used by one thread at a time, which is why it is not `Sendable`; whoever shares one proves how.
package final class SQLiteConnection {
    let handle: OpaquePointer
    /// Where SQLite leaves the length of the write-ahead log after each commit.
    let logPageCounter: UnsafeMutablePointer<Int32>
    /// Whether the handle is closed with this.
    private let ownsHandle: Bool

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
        ownsHandle = true
        logPageCounter = .allocate(capacity: 1)
        logPageCounter.initialize(to: 0)
        try configure()
    }

    /// Uses a handle that somebody else opened and closes; its settings stay as they are.
    package init(borrowing handle: OpaquePointer) {
        self.handle = handle
        ownsHandle = false
        logPageCounter = .allocate(capacity: 1)
        logPageCounter.initialize(to: 0)
    }

    deinit {
        if ownsHandle { sqlite3_close_v2(handle) }
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

/// Which database a connection opens, and what it may do there.
package struct SQLiteOpening: Hashable, Sendable {
    package let path: String
    let flags: Int32

    /// A file that is read and written, and made if there is none.
    package static func file(_ path: String) -> SQLiteOpening {
        SQLiteOpening(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    /// A file that is there and is only read.
    package static func existing(_ path: String) -> SQLiteOpening {
        SQLiteOpening(path: path, flags: SQLITE_OPEN_READONLY)
    }

    /// A database of its own that lives in memory as long as the connection.
    package static let memory = SQLiteOpening(path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
}

extension SQLiteConnection {
    /// How much a checkpoint does about those who are in its way.
    package enum CheckpointMode: Hashable, Sendable {
        // Closed: the two of SQLite's ways that are of use here.
        /// Copies what it can without blocking readers or the writer.
        case passive
        /// Waits for others, makes writers wait, copies everything, and empties the log.
        case truncate
    }

    /// Leaves checkpoints to others, and counts the pages of the write-ahead log instead; ``logPages`` tells them.
    package func leaveCheckpointsToOthers() {
        sqlite3_wal_hook(
            handle,
            { counter, _, _, pages in
                counter?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            }, logPageCounter)
    }

    /// How many pages the write-ahead log had after the last commit.
    package var logPages: Int { Int(logPageCounter.pointee) }

    /// Copies pages from the write-ahead log into the database; gives how long the log is, and how much of
    /// it is in the database now.
    package func checkpoint(_ mode: CheckpointMode) throws -> (logPages: Int, copiedPages: Int) {
        // A connection that has read nothing yet does not know that there is a log, and would do nothing.
        try run("SELECT 1 FROM sqlite_schema LIMIT 1")
        var (pages, copied): (Int32, Int32) = (0, 0)
        let mode = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        try check(sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &copied))
        return (Int(pages), Int(copied))
    }
}

/// What holds for SQLite in the whole process.
package enum SQLiteProcess {
    /// Has SQLite not count how much memory it takes: it does so under one lock for all connections, which threads that
    /// read and write at once wait for.
    ///
    /// A program calls this before anything of it uses SQLite; later it does nothing. A library leaves it to the program.
    package static func countNoMemory() {
        _ = till_sqlite_count_no_memory()
    }

    /// Has SQLite take memory for one page at a time. By itself it takes twenty for every cache at once, also for the
    /// table of one row that a statement with `RETURNING` makes and throws away.
    ///
    /// A program calls this before anything of it uses SQLite; later it does nothing.
    package static func takePagesSingly() {
        _ = till_sqlite_take_pages_singly()
    }
}

/// Copies a database as it is at one moment, while others go on reading and writing it.
package struct SQLiteBackup {
    /// How many pages are copied before progress is told.
    private static let pagesPerStep: Int32 = 512

    private let source: SQLiteConnection
    private let copy: SQLiteConnection

    /// - Parameters:
    ///   - source: a connection without an open transaction.
    ///   - destination: the path of a file that is not there, or empty.
    package init(of source: SQLiteConnection, to destination: String) throws {
        self.source = source
        copy = try SQLiteConnection(.file(destination))
    }

    /// Copies everything; what was copied is on the disk when it returns.
    ///
    /// - Parameter progress: is told how many pages were copied, and of how many. What it throws ends the copying.
    package func run(progress: (_ pages: Int, _ of: Int) throws -> Void) throws {
        // One transaction from beginning to end: copying in steps would otherwise begin again with every write of others.
        try source.run("BEGIN")
        defer { try? source.run("ROLLBACK") }
        try source.run("SELECT count(*) FROM sqlite_schema")
        try copy.run("PRAGMA synchronous = FULL")
        guard let handle = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
            throw SQLiteError(code: sqlite3_extended_errcode(copy.handle), on: copy.handle)
        }
        var step = SQLITE_OK
        do {
            while step == SQLITE_OK {
                step = sqlite3_backup_step(handle, Self.pagesPerStep)
                let all = Int(sqlite3_backup_pagecount(handle))
                try progress(all - Int(sqlite3_backup_remaining(handle)), all)
            }
        } catch {
            sqlite3_backup_finish(handle)
            throw error
        }
        let end = sqlite3_backup_finish(handle)
        guard step == SQLITE_DONE, end == SQLITE_OK else {
            throw SQLiteError(code: step == SQLITE_DONE ? end : step, on: copy.handle)
        }
        // One file that can be read where nothing can be written; whoever opens it as a database has it back as it was.
        try copy.run("PRAGMA journal_mode = DELETE")
    }
}

extension SQLiteConnection {
    /// The whole database, as a file of it would be.
    package func contents() throws -> [UInt8] {
        var count: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(handle, "main", &count, 0) else {
            throw SQLiteError(code: SQLITE_NOMEM, on: handle)
        }
        defer { sqlite3_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Makes what this connection has open the database with some contents.
    package func become(_ contents: [UInt8]) throws {
        try contents.withUnsafeBufferPointer { bytes in
            let source = try SQLiteConnection(.memory)
            // Safe: it is read only, and whoever reads it ends with this closure.
            let code = sqlite3_deserialize(
                source.handle, "main", UnsafeMutablePointer(mutating: bytes.baseAddress), Int64(bytes.count),
                Int64(bytes.count), UInt32(SQLITE_DESERIALIZE_READONLY))
            try source.check(code)
            guard let copying = sqlite3_backup_init(handle, "main", source.handle, "main") else {
                throw SQLiteError(code: sqlite3_extended_errcode(handle), on: handle)
            }
            try withExtendedLifetime(source) {
                sqlite3_backup_step(copying, -1)
                try check(sqlite3_backup_finish(copying))
            }
        }
    }
}
