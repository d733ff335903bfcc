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
        while requests.next() {
            // What fails now is done after one of the next commits: the log keeps everything until then.
            let pages = try? session.connection.checkpoint(.passive)
            // Under constant load there is always somebody in the way of beginning the log anew.
            if let pages, pages > limits.pagesInLog { _ = try? session.connection.checkpoint(.truncate) }
        }
    }
}
