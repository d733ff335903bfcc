/// What a transaction can be found by if the answer to its COMMIT gets lost.
struct TransactionMark: Hashable, Sendable {
    /// The server's number of the transaction.
    let transaction: UInt64
    /// The process at the server.
    let process: Int
    /// What changes when the server loses its memory: when its counters began. A server that crashed may give the number
    /// of a transaction that it forgot to another one.
    let life: String

    private static let life = "coalesce(pg_stat_get_bgwriter_stat_reset_time()::text, '')"

    /// Asks for the mark of the running transaction. It gets a number by that, if it had none.
    static let query = "SELECT pg_current_xact_id()::text, pg_backend_pid()::text, \(life)"

    init?(_ result: PostgresResult) {
        guard result.rowCount == 1, result.columnCount == 3,
            let transaction = result.text(0, 0).flatMap({ UInt64($0) }),
            let process = result.text(0, 1).flatMap({ Int($0) }), let life = result.text(0, 2)
        else { return nil }
        (self.transaction, self.process, self.life) = (transaction, process, life)
    }

    /// Asks what became of the transaction, and for the life of the server.
    var statusQuery: String { "SELECT pg_xact_status('\(transaction)'::xid8), \(Self.life)" }

    /// Ends the transaction if it is still open, as it may be when the server has not noticed that nobody is there.
    var endingQuery: String {
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid = \(process) AND backend_xid = '\(transaction & 0xFFFF_FFFF)'::xid
        """
    }
}
