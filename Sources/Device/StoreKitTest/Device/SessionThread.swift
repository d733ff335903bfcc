import Dispatch
import Foundation
import StoreFoundation
import StoreHTTP
import Synchronization

/// Where the store and the device of a test session run: one thread at a time, which belongs to nobody else.
///
/// The methods of `SKTestSession` return when something is done, and tests call them on threads that tasks share. If what
/// they wait for ran there too, two waiting tests would stop a machine with two cores. Here it never needs those threads,
/// and never the main one.
final class SessionThread: TaskExecutor {
    private let queue = DispatchQueue(label: "StoreKitTest")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            guard Self.jobs.begin() else { return }
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            Self.jobs.end()
        }
    }

    private static let jobs = SessionJobs()

    /// Lets nothing begin any more on any such thread, because the process ends; returns when what has begun is over.
    static func stopAll() { jobs.stop() }

    /// Begins something there.
    @discardableResult
    func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self) {
            await TaskThreads.$executor.withValue(self) { await body() }
        }
    }

    /// Does something there.
    func task<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: self) {
            try await TaskThreads.$executor.withValue(self) { try await body() }
        }
    }

    /// Does something there and waits until it is done. Nothing that is done there calls this.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        dispatchPrecondition(condition: .notOnQueue(queue))
        let answer = Answer<Value>()
        start {
            do {
                answer.give(.success(try await body()))
            } catch {
                answer.give(.failure(error))
            }
        }
        return try answer.wait().get()
    }
}

/// A result that one thread waits for.
private final class Answer<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ result: Result<Value, any Error>) {
        self.result.withLock { $0 = result }
        isThere.signal()
    }

    func wait() -> Result<Value, any Error> {
        while true {
            isThere.wait()
            if let result = result.withLock({ $0 }) { return result }
        }
    }
}
