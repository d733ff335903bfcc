/// A closure that waits for its transaction, and the task that waits for the closure.
// Safe: the task sets it up before it gets into a queue; the queue's lock guards `isWithdrawn`; the rest belongs to the
// thread that took the job from the queue, or, if none did, to whoever refuses it, which only one can.
package class TransactionJob: QueuedJob, @unchecked Sendable {
    package final var isWithdrawn = false
    /// How much the closure may see of others; nil if it only reads.
    package let isolation: TransactionIsolation?

    init(_ isolation: TransactionIsolation?) {
        self.isolation = isolation
    }

    /// Whether the closure may change the database.
    package final var changes: Bool { isolation != nil }

    /// Runs the closure, once more if it has run before, and keeps what it returned or threw.
    package func run(in transaction: any WriteTransaction) {}

    /// The error that the last run threw.
    package var failure: (any Error)? { nil }

    /// Puts an error in the place of what the last run returned.
    package func fail(_ error: any Error) {}

    /// Lets the task go on with what the last run returned or threw.
    package func conclude() {}

    /// Lets the task go on with an error.
    package func refuse(_ error: any Error) {}
}

/// A closure that returns something.
// Safe: as its superclass says.
package final class ReturningJob<Output: Sendable>: TransactionJob, @unchecked Sendable {
    private let body: @Sendable (any WriteTransaction) throws -> Output
    private var outcome: Result<Output, any Error>
    private var continuation: CheckedContinuation<Output, any Error>?

    /// A closure that changes the database in such a transaction, or, without one, only reads.
    package init(
        _ isolation: TransactionIsolation?, _ body: @escaping @Sendable (any WriteTransaction) throws -> Output
    ) {
        self.body = body
        outcome = .failure(DatabaseError(.closed, "the closure has not run"))
        super.init(isolation)
    }

    /// Lets the job wait in a queue, and the task for the job.
    package func value(from queue: JobQueue<TransactionJob>) async throws -> Output {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.continuation = continuation
                queue.append(self)
            }
        } onCancel: {
            queue.withdraw(self)
        }
    }

    package override func run(in transaction: any WriteTransaction) {
        outcome = Result { try body(transaction) }
    }

    package override var failure: (any Error)? {
        if case .failure(let error) = outcome { error } else { nil }
    }

    package override func fail(_ error: any Error) {
        outcome = .failure(error)
    }

    package override func conclude() {
        resume(with: outcome)
    }

    package override func refuse(_ error: any Error) {
        resume(with: .failure(error))
    }

    private func resume(with result: Result<Output, any Error>) {
        continuation?.resume(with: result)
        continuation = nil
    }
}
