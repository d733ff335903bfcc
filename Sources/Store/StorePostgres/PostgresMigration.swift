import StoreDatabase

/// Makes the schema and brings it up to date, one migration in one transaction at a time.
struct PostgresMigration: Sendable {
    let source: PostgresSource
    let schema: Schema

    /// Runs on a thread of its own.
    func run() async throws {
        let threads = DatabaseThreads()
        let outcome: Result<Void, any Error> = await withCheckedContinuation { continuation in
            threads.start(named: "till-migration", ()) {
                continuation.resume(returning: Result { try self.migrate() })
            }
        }
        await threads.end()
        try outcome.get()
    }

    private func migrate() throws {
        do {
            let session = PostgresSession(
                try source.session().connection, prepares: false, source.databaseLimits)
            // Changing a large table takes as long as it takes.
            session.connection.silenceMilliseconds = nil
            let migrator = Migrator(schema)
            while try apply(migrator, in: session) != nil {}
        } catch let error as PostgresError {
            throw error.databaseError
        }
    }

    private func apply(_ migrator: Migrator, in session: PostgresSession) throws -> Migration? {
        let connection = session.connection
        try connection.run(source.beginning(.readCommitted))
        do {
            try connection.run("SET LOCAL statement_timeout TO 0; SET LOCAL lock_timeout TO 0")
            try connection.run("SELECT pg_advisory_xact_lock(\(lock))")
            try makeSchema(connection)
            let transaction = PostgresTransaction(in: session, source.databaseLimits, channel: source.schemaName)
            defer { transaction.close() }
            let applied = try migrator.applyNext(in: transaction)
            try connection.run("COMMIT")
            return applied
        } catch {
            if connection.isLost { throw error }
            try connection.run("ROLLBACK")
            throw error
        }
    }

    /// Makes the schema unless it is there: who may not make one can be given one.
    private func makeSchema(_ connection: PostgresConnection) throws {
        let name = source.schemaName
        let found = try connection.run("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = '\(name)'")
        if found.rowCount == 0 { try connection.run("CREATE SCHEMA \"\(name)\"") }
    }

    /// The number of the lock that keeps others out: "till" and a sum over the schema's name.
    private var lock: Int64 {
        source.schemaName.utf8.reduce(0x7469_6C6C_0000_0000) { sum, byte in
            sum & ~0xFFFF_FFFF | (sum & 0xFFFF_FFFF &* 31 &+ Int64(byte)) & 0xFFFF_FFFF
        }
    }
}
