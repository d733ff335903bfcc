import StoreSQLite

extension SQLiteSession {
    /// A write-ahead log that is on the disk before a commit returns; the writer leaves checkpoints to others.
    func prepareForWriting(isInMemory: Bool) throws {
        guard !isInMemory else { return }
        try connection.run("PRAGMA journal_mode = WAL")
        try connection.run("PRAGMA synchronous = FULL")
        connection.leaveCheckpointsToOthers()
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
