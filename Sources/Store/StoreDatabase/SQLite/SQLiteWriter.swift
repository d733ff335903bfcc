import StoreSQLite

/// What the one writing thread does. In memory it reads, too.
final class SQLiteWriter {
    private let reader: SQLiteReader
    private let commit: GroupCommit

    init(_ session: SQLiteSession, _ limits: DatabaseLimits, _ hub: SignalHub, _ checkpoints: CheckpointRequests) {
        reader = SQLiteReader(session, limits)
        commit = GroupCommit(session, limits) { signals in
            hub.publish(signals)
            checkpoints.noteCommit(logPages: session.connection.logPages)
        }
    }

    func work(on queue: JobQueue<TransactionJob>) {
        while let job = queue.next() {
            if job.changes {
                commit.process(job) { queue.nextWaiting { $0.changes } }
            } else {
                reader.process(job)
            }
        }
    }
}
