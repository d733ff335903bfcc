import Synchronization

/// Wakes a task that waits; a ring while nobody waits is kept for the next who does.
final class Bell: Sendable {
    private struct State {
        var isRung = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func ring() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isRung = state.waiting == nil
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Returns when the bell was rung since the last waiting, or the task is cancelled. One task waits at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isRung || Task.isCancelled {
                        state.isRung = false
                        return true
                    }
                    state.waiting = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            ring()
        }
    }

    /// Returns at the latest after a time.
    func wait(upTo duration: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await sleep(duration) }
            await group.next()
            group.cancelAll()
        }
    }
}
