import Foundation

/// What waits for a thread of a database.
package protocol QueuedJob: AnyObject, Sendable {
    /// Whether the task that waits for the job was cancelled. Belongs to the queue.
    var isWithdrawn: Bool { get set }

    /// Ends the job without having begun it.
    func refuse(_ error: any Error)
}

/// Jobs that wait for a thread, first come, first served.
// Safe: the state is read and written only while the condition's lock is held.
package final class JobQueue<Job: QueuedJob>: @unchecked Sendable {
    private let condition = NSCondition()
    private let limit: Int
    private var waiting: ArraySlice<Job> = []
    private var isClosed = false

    package init(limit: Int) {
        self.limit = limit
    }

    /// Lets a job wait, or refuses it at once.
    package func append(_ job: Job) {
        if let error = accept(job) { job.refuse(error) }
    }

    private func accept(_ job: Job) -> (any Error)? {
        condition.lock()
        defer { condition.unlock() }
        // A task may be cancelled before its job comes into the queue.
        if job.isWithdrawn { return CancellationError() }
        if isClosed { return DatabaseError(.closed, "the database was closed") }
        guard waiting.count < limit else {
            return DatabaseError(.queueFull, "\(limit) are waiting for the database already", isRetryable: true)
        }
        waiting.append(job)
        condition.signal()
        return nil
    }

    /// Takes a job back whose task was cancelled; does nothing once it has begun.
    package func withdraw(_ job: Job) {
        condition.lock()
        job.isWithdrawn = true
        let index = waiting.firstIndex { $0 === job }
        if let index { waiting.remove(at: index) }
        condition.unlock()
        if index != nil { job.refuse(CancellationError()) }
    }

    /// The next job; waits for one. Nil once the queue is closed.
    package func next() -> Job? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty {
            if isClosed { return nil }
            condition.wait()
        }
        return waiting.removeFirst()
    }

    /// The next job if one is waiting and is of the right kind.
    package func nextWaiting(where isWanted: (Job) -> Bool) -> Job? {
        condition.lock()
        defer { condition.unlock() }
        return waiting.first.map(isWanted) == true ? waiting.removeFirst() : nil
    }

    /// Refuses every job that waits or comes.
    package func close() {
        condition.lock()
        let refused = waiting
        waiting = []
        isClosed = true
        condition.broadcast()
        condition.unlock()
        for job in refused { job.refuse(DatabaseError(.closed, "the database was closed")) }
    }
}
