import CSQLite

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
