import StoreDatabase
import StoreFoundation

/// Finds out what came of a COMMIT whose answer was lost.
///
/// The server knows it by the number of the transaction. While it lived on, its word is final. If it lost its memory in
/// between, it may have forgotten the transaction and given its number to another one: then *committed* may speak of
/// that other one, and nothing else is sure but what is not committed.
struct CommitInquiry {
    enum Finding: Hashable {
        case committed, undone, unknown
    }

    let source: PostgresSource
    let mark: TransactionMark

    /// Asks until there is a final answer, or as often as the limit allows. Gives the session that answered, too.
    func find(pause: Pause) -> (Finding, PostgresSession?) {
        var pause = pause
        var session: PostgresSession?
        for _ in 0..<source.limits.commitInquiries {
            do {
                let open = try session ?? source.session()
                session = open
                if let finding = try ask(open.connection) { return (finding, open) }
            } catch {
                session = nil
            }
            if source.abandon.wait(milliseconds: pause.nextMilliseconds()) { break }
        }
        return (.unknown, session)
    }

    /// Asks once; nil if the transaction is still running.
    private func ask(_ connection: PostgresConnection) throws -> Finding? {
        let answer: PostgresResult
        do {
            answer = try connection.run(mark.statusQuery)
        } catch let error as PostgresError where error.sqlState == Self.invalidParameter {
            // "The transaction is in the future": the server came back without it.
            return .undone
        }
        let isSameLife = answer.text(0, 1) == mark.life
        switch answer.text(0, 0) {
        case "committed": return isSameLife ? .committed : .unknown
        case "aborted": return .undone
        case "in progress":
            guard isSameLife else { return .undone }
            try connection.run(mark.endingQuery)
            return nil
        default: return .unknown
        }
    }

    private static let invalidParameter = "22023"
}

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

    /// Ends the transaction if it is still open, as it may be when the server has not noticed that its client is gone.
    var endingQuery: String {
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid = \(process) AND backend_xid = '\(transaction & 0xFFFF_FFFF)'::xid
        """
    }
}
