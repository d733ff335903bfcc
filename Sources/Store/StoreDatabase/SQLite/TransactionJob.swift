/// A closure that waits for its transaction, and the task that waits for the closure.
// Safe: the task sets it up before it gets into a queue; the queue's lock guards `isWithdrawn`; the rest belongs to the
// thread that took the job from the queue, or, if none did, to whoever refuses it, which only one can.
class TransactionJob: QueuedJob, @unchecked Sendable {
    final var isWithdrawn = false
    let changes: Bool

    init(changes: Bool) {
        self.changes = changes
    }

    /// Runs the closure, once more if it has run before, and keeps what it returned or threw.
    func run(in transaction: SQLiteTransaction) {}

    /// The error that the last run threw.
    var failure: (any Error)? { nil }

    /// Puts an error in the place of what the last run returned.
    func fail(_ error: any Error) {}

    /// Lets the task go on with what the last run returned or threw.
    func conclude() {}

    /// Lets the task go on with an error.
    func refuse(_ error: any Error) {}
}

/// A closure that returns something.
// Safe: as its superclass says.
final class ReturningJob<Output: Sendable>: TransactionJob, @unchecked Sendable {
    private let body: @Sendable (SQLiteTransaction) throws -> Output
    private var outcome: Result<Output, any Error>
    private var continuation: CheckedContinuation<Output, any Error>?

    init(changes: Bool, _ body: @escaping @Sendable (SQLiteTransaction) throws -> Output) {
        self.body = body
        outcome = .failure(DatabaseError(.closed, "the closure has not run"))
        super.init(changes: changes)
    }

    /// Lets the job wait in a queue, and the task for the job.
    func value(from queue: JobQueue<TransactionJob>) async throws -> Output {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.continuation = continuation
                queue.append(self)
            }
        } onCancel: {
            queue.withdraw(self)
        }
    }

    override func run(in transaction: SQLiteTransaction) {
        outcome = Result { try body(transaction) }
    }

    override var failure: (any Error)? {
        if case .failure(let error) = outcome { error } else { nil }
    }

    override func fail(_ error: any Error) {
        outcome = .failure(error)
    }

    override func conclude() {
        resume(with: outcome)
    }

    override func refuse(_ error: any Error) {
        resume(with: .failure(error))
    }

    private func resume(with result: Result<Output, any Error>) {
        continuation?.resume(with: result)
        continuation = nil
    }
}
