import Foundation

/// Counts what is being done for all sessions, so that it can be stopped when the process ends.
// Safe: everything that changes is touched with the condition locked.
final class SessionJobs: @unchecked Sendable {
    private let condition = NSCondition()
    private var running = 0
    private var isOver = false

    /// Whether something may begin.
    func begin() -> Bool {
        condition.withLock {
            if !isOver { running += 1 }
            return !isOver
        }
    }

    func end() {
        condition.withLock {
            running -= 1
            if running == 0 { condition.broadcast() }
        }
    }

    /// Lets nothing begin any more, and waits until what has begun is over: no part of it waits for
    /// anybody.
    func stop() {
        condition.withLock {
            isOver = true
            while running > 0 { condition.wait() }
        }
    }
}
