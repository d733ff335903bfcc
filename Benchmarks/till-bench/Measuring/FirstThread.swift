import Foundation
import Synchronization

/// The program's first thread, which no task ever needs, so that it may wait for one.
enum FirstThread {
    static func wait<Output: Sendable>(for body: @escaping @Sendable () async throws -> Output) throws -> Output {
        let outcome = Outcome<Output>()
        let isOver = DispatchSemaphore(value: 0)
        Task {
            do {
                outcome.put(.success(try await body()))
            } catch {
                outcome.put(.failure(error))
            }
            isOver.signal()
        }
        isOver.wait()
        return try outcome.get()
    }
}

/// Where a task leaves its outcome.
private final class Outcome<Output: Sendable>: Sendable {
    private let result = Mutex<Result<Output, any Error>?>(nil)

    func put(_ result: Result<Output, any Error>) { self.result.withLock { $0 = result } }

    func get() throws -> Output {
        guard let result = result.withLock({ $0 }) else { throw BenchmarkError("a task has ended without an outcome") }
        return try result.get()
    }
}
