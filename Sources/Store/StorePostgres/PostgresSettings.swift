/// Which database of PostgreSQL is used, and how.
package struct PostgresSettings: Sendable {
    package var address: PostgresAddress
    /// The schema of PostgreSQL that holds the tables: small letters, digits and underscores. Nil: it is called as the
    /// database is, `catalogue`, `production` or `sandbox`.
    package var schemaName: String?
    /// Whether a pooler may stand in between that gives each transaction another session, as PgBouncer does when it pools
    /// transactions. Nothing is prepared then, and every transaction sets up its session anew, which costs time.
    package var isPooled = false
    /// Where to listen for signals, if not at the address: a pooler lets nobody listen. Nil: at the address.
    package var listeningAddress: PostgresAddress?
    package var limits = PostgresLimits()

    package init(_ address: PostgresAddress) {
        self.address = address
    }
}

/// How much the driver of PostgreSQL takes on, beside what ``DatabaseLimits`` says of every database.
package struct PostgresLimits: Hashable, Sendable {
    /// How many connections write at a time. Each database has these, `DatabaseLimits.readers` that read, and one that
    /// listens; they are opened when they are first needed.
    package var writers = 8
    /// How long making a connection may take, unless the address says so itself.
    package var connectSeconds = 10
    /// How long one statement may take at the server.
    package var statementMilliseconds = 30_000
    /// How long a closure may let the server wait for its next statement.
    package var idleInTransactionMilliseconds = 30_000
    /// How long after the end of a statement's time the server may be silent before it is taken for gone.
    package var silenceMilliseconds = 10_000
    /// How often a closure is begun again because a connection broke, or could not be made.
    package var connectionAttempts = 4
    /// How often the server is asked what came of a commit whose answer was lost.
    package var commitInquiries = 20
    /// The longest pause before something is tried again.
    package var pauseMilliseconds = 500
    /// How long ``PostgresDatabase/close()`` lets running statements go on before it has the server stop them.
    package var closingMilliseconds = 5000
    /// How often the connection that listens makes sure that its server is there.
    package var listenerCheckMilliseconds = 30_000

    package init() {}
}
