import StoreHTTP
import Synchronization

/// The tasks of a session, so that all of them end with it.
final class SessionTasks: Sendable {
    private struct State {
        var running: [Int: Task<Void, Never>] = [:]
        var count = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let executor: (any TaskExecutor)?

    /// - Parameter executor: where they run; nothing for where all tasks do.
    init(on executor: (any TaskExecutor)? = nil) {
        self.executor = executor
    }

    /// Starts a task, unless the session has ended.
    @discardableResult
    func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            state.count += 1
            let number = state.count
            // The lock is held until the task is known here, so that it is not forgotten before that.
            let task = Task(executorPreference: executor) { [executor] in
                await TaskThreads.$executor.withValue(executor) { await body() }
                self.ended(number)
            }
            state.running[number] = task
            return task
        }
    }

    private func ended(_ number: Int) {
        state.withLock { $0.running[number] = nil }
    }

    /// Cancels all of them and returns when they have ended.
    func shutDown() async {
        let running = state.withLock { state in
            state.isOver = true
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
        for task in running { await task.value }
    }
}
