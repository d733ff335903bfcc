import StoreSQLite

extension SQLiteSession {
    /// A write-ahead log that is on the disk before a commit returns; the writer leaves checkpoints to others.
    func prepareForWriting(_ limits: DatabaseLimits, isInMemory: Bool) throws {
        guard !isInMemory else { return }
        try keepPages(kibibytes: limits.writerCacheKibibytes)
        try connection.run("PRAGMA journal_mode = WAL")
        try connection.run("PRAGMA synchronous = FULL")
        // What a savepoint may need again would else be written to a temporary file: more bytes than the log itself.
        try connection.run("PRAGMA temp_store = MEMORY")
        connection.leaveCheckpointsToOthers()
    }

    /// Keeps so many KiB of the database's pages in memory.
    func keepPages(kibibytes: Int) throws {
        try connection.run("PRAGMA cache_size = -\(kibibytes)")
    }

    /// Applies the migrations that are missing.
    func migrate(to schema: Schema, _ limits: DatabaseLimits) throws {
        let migrator = Migrator(schema)
        while true {
            try connection.run("BEGIN IMMEDIATE")
            do {
                let transaction = SQLiteTransaction(in: self, limits, mayChange: true)
                let applied = try migrator.applyNext(in: transaction)
                try connection.run("COMMIT")
                if applied == nil { return }
            } catch {
                if !connection.isInAutocommit { try connection.run("ROLLBACK") }
                throw error
            }
        }
    }
}
