import StoreHTTP
import Synchronization

/// Does things one after the other, in the order in which they were asked for.
final class Turns: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Waits until all is done that was asked for before, and then does this. Whoever is cancelled cancels what he asked for.
    func take<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
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
