import StoreSQLite

/// What the thread does that copies the write-ahead log into the database.
final class SQLiteCheckpointer {
    private let session: SQLiteSession
    private let limits: DatabaseLimits

    init(_ session: SQLiteSession, _ limits: DatabaseLimits) {
        self.session = session
        self.limits = limits
    }

    func work(on requests: CheckpointRequests) {
        var copied: Int?
        while requests.next(after: copied) { copied = checkpoint() }
    }

    /// Copies what can be copied; gives how long the log was if that was everything.
    ///
    /// What fails now is done after one of the next commits: the log keeps everything until then.
    @discardableResult
    func checkpoint() -> Int? {
        guard let done = try? session.connection.checkpoint(.passive) else { return nil }
        if done.logPages > limits.pagesInLog {
            // Under constant load there is always somebody in the way of beginning the log anew.
            _ = try? session.connection.checkpoint(.truncate)
        }
        return done.copiedPages == done.logPages ? done.logPages : nil
    }
}
