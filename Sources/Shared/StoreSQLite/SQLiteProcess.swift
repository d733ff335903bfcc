import CSQLite

/// What holds for SQLite in the whole process.
package enum SQLiteProcess {
    /// Has SQLite not count how much memory it takes: it does so under one lock for all connections, which threads that
    /// read and write at once wait for.
    ///
    /// A program calls this before anything of it uses SQLite; later it does nothing. A library leaves it to the program.
    package static func countNoMemory() {
        _ = till_sqlite_count_no_memory()
    }
}
