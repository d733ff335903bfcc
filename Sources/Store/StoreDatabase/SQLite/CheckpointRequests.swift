import Foundation

/// Tells the thread that makes checkpoints when the log has grown.
// Safe: the state is read and written only while the condition's lock is held.
final class CheckpointRequests: @unchecked Sendable {
    private let condition = NSCondition()
    private let pagesPerCheckpoint: Int
    private var isWanted = false
    private var isClosed = false

    init(_ limits: DatabaseLimits) {
        pagesPerCheckpoint = limits.pagesPerCheckpoint
    }

    /// The writer says how long the log is after a commit.
    func noteCommit(logPages: Int) {
        guard logPages >= pagesPerCheckpoint else { return }
        condition.lock()
        isWanted = true
        condition.signal()
        condition.unlock()
    }

    /// Waits until a checkpoint is wanted; false once the database is closed.
    func next() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !isWanted && !isClosed { condition.wait() }
        isWanted = false
        return !isClosed
    }

    func close() {
        condition.lock()
        isClosed = true
        condition.signal()
        condition.unlock()
    }
}
