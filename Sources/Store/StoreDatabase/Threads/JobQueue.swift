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
    /// Threads that wait for a job.
    private var sleeping = 0
    /// Whether one of them was woken and has not looked yet.
    private var isWaking = false

    package init(limit: Int) {
        self.limit = limit
    }

    /// Lets a job wait, or refuses it at once.
    package func append(_ job: Job) {
        if let error = accept(job) { job.refuse(error) }
    }

    private func accept(_ job: Job) -> (any Error)? {
        condition.lock()
        let error = refusal(of: job)
        if error == nil { waiting.append(job) }
        let wakes = wakesOne()
        condition.unlock()
        // Who is woken before would only wait for the lock.
        if wakes { condition.signal() }
        return error
    }

    private func refusal(of job: Job) -> (any Error)? {
        // A task may be cancelled before its job comes into the queue.
        if job.isWithdrawn { return CancellationError() }
        if isClosed { return DatabaseError(.closed, "the database was closed") }
        guard waiting.count < limit else {
            return DatabaseError(.queueFull, "\(limit) are waiting for the database already", isRetryable: true)
        }
        return nil
    }

    /// Whether a thread has to be woken: one at a time, which wakes the next if it leaves jobs behind. So a thread that is
    /// at work and done in a moment finds jobs for which nobody else had to be woken.
    private func wakesOne() -> Bool {
        guard !waiting.isEmpty, sleeping > 0, !isWaking else { return false }
        isWaking = true
        return true
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
        while waiting.isEmpty, !isClosed {
            sleeping += 1
            condition.wait()
            sleeping -= 1
            isWaking = false
        }
        let job = waiting.popFirst()
        let wakes = wakesOne()
        condition.unlock()
        if wakes { condition.signal() }
        return job
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
