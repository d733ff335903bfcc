import Foundation
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

/// Tells the thread that makes checkpoints when the log has grown.
// Safe: the state is read and written only while the condition's lock is held.
final class CheckpointRequests: @unchecked Sendable {
    private let condition = NSCondition()
    private let pagesPerCheckpoint: Int
    /// How long the log was after the last commit.
    private var logPages = 0
    private var isWanted = false
    private var isClosed = false

    init(_ limits: DatabaseLimits) {
        pagesPerCheckpoint = limits.pagesPerCheckpoint
    }

    /// The writer says how long the log is after a commit.
    func noteCommit(logPages: Int) {
        condition.lock()
        self.logPages = logPages
        if logPages >= pagesPerCheckpoint {
            isWanted = true
            condition.signal()
        }
        condition.unlock()
    }

    /// Waits until a checkpoint is wanted; false once the database is closed.
    ///
    /// - Parameter copied: how long the log was when the last checkpoint copied all of it. None is made until there is more:
    ///   in SQLite before 3.51.3 one that begins with nothing to copy, just as the writer begins the log anew, takes the
    ///   new log for copied, and loses it. While something is left to copy no writer begins the log anew.
    func next(after copied: Int?) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !isClosed {
            let isDue = isWanted && logPages != copied
            isWanted = false
            if isDue { return true }
            condition.wait()
        }
        return false
    }

    func close() {
        condition.lock()
        isClosed = true
        condition.signal()
        condition.unlock()
    }
}
