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
