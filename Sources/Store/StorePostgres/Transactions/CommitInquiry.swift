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
