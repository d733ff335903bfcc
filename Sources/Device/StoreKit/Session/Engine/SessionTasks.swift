import StoreFoundation
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

    /// - Parameter executor: where they run; nil for the default executor.
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

/// Runs closures one after the other, in the order in which they were given.
final class SerialQueue: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Waits for the closures that were given before, and then runs this one. Cancelling the caller cancels its closure.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let task = last.withLock { last in
            let former = last
            let task = Task(executorPreference: TaskThreads.executor) { () -> Value in
                await former?.value
                return await body()
            }
            last = Task(executorPreference: TaskThreads.executor) { _ = await task.value }
            return task
        }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// Runs one closure at a time: a caller that comes while one runs gets the result of that.
actor SingleFlight {
    typealias Outcome = Result<Void, ConnectionError>

    private var running: Task<Outcome, Never>?

    func run(_ body: @escaping @Sendable () async throws(ConnectionError) -> Void) async throws(ConnectionError) {
        if let running { return try await running.value.get() }
        let task = Task(executorPreference: TaskThreads.executor) { () -> Outcome in
            let outcome: Outcome
            do throws(ConnectionError) {
                outcome = .success(try await body())
            } catch {
                outcome = .failure(error)
            }
            // Before the task has ended: a later caller must not get what was done before.
            await self.land()
            return outcome
        }
        running = task
        try await task.value.get()
    }

    private func land() { running = nil }
}
