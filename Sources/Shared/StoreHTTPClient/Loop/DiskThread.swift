import Foundation
import StoreFoundation
import Synchronization

/// A thread for the work of a client that waits for disks, one piece after another.
final class DiskThread: Sendable {
    typealias Job = @Sendable () -> Void

    /// What the thread keeps; it must not keep the one who tells it to end.
    private final class Jobs: Sendable {
        private let waiting = Mutex<[Job?]>([])
        private let available = DispatchSemaphore(value: 0)

        /// Adds a job; `nil` ends the thread.
        func add(_ job: Job?) {
            waiting.withLock { $0.append(job) }
            available.signal()
        }

        func run() {
            while true {
                available.wait()
                guard let job = waiting.withLock({ $0.removeFirst() }) else { return }
                job()
            }
        }
    }

    private let jobs = Jobs()
    private let isRunning: Bool

    init() {
        isRunning = OwnThread.start(named: "till-disk") { [jobs] in jobs.run() }
    }

    /// Ends the thread behind what it still has to do.
    deinit { jobs.add(nil) }

    func post(_ job: @escaping Job) {
        // Without a thread there is only the caller's.
        if isRunning { jobs.add(job) } else { job() }
    }

    /// Returns what the work makes.
    func perform<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            post {
                do throws(Failure) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
