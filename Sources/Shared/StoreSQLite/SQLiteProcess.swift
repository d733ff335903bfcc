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

    /// Has SQLite take memory for one page at a time. By itself it takes twenty for every cache at once, also for the
    /// table of one row that a statement with `RETURNING` makes and throws away.
    ///
    /// A program calls this before anything of it uses SQLite; later it does nothing.
    package static func takePagesSingly() {
        _ = till_sqlite_take_pages_singly()
    }
}
