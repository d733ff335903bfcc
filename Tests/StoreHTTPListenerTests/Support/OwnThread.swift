import Foundation
import Synchronization
import Testing

/// Runs a test on a thread of its own.
///
/// A server counts time. The threads that all tests of a run share may be busy with others for minutes; what is told a
/// server in steps must not wait for them in between.
final class OwnThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)

    func start() {
        Thread.detachNewThread { self.run() }
    }

    func end() {
        state.withLock { $0.isOver = true }
        signal.signal()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        signal.signal()
    }

    private func run() {
        while true {
            signal.wait()
            let (job, isOver) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isOver)
            }
            if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else if isOver { return }
        }
    }
}

/// Gives each test of a suite a thread of its own.
struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let thread = OwnThread()
        thread.start()
        defer { thread.end() }
        try await withTaskExecutorPreference(thread) { try await function() }
    }
}

extension Trait where Self == OwnThreadTrait {
    static var ownThread: Self { Self() }
}
