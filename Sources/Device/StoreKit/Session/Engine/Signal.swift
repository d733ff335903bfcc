import Synchronization

/// Wakes a task that waits; a signal that comes while no task waits is kept for the next one.
final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func raise() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isRaised = state.waiting == nil
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Returns when the signal was raised since the last wait, or the task is cancelled. One task waits at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isRaised || Task.isCancelled {
                        state.isRaised = false
                        return true
                    }
                    state.waiting = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            raise()
        }
    }

    /// Returns after a time at the latest.
    func wait(upTo duration: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await sleep(duration) }
            await group.next()
            group.cancelAll()
        }
    }
}

/// A value whose changes any number of readers can wait for.
package final class ObservedValue<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value?
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
        var count = 0
    }

    private let state: Mutex<State>

    /// - Parameter value: nil while it is unknown.
    package init(_ value: Value? = nil) { state = Mutex(State(value: value)) }

    package var current: Value? { state.withLock { $0.value } }

    /// The value as soon as it is known, and every change of it. A slow reader gets the newest alone.
    package func changes() -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                state.count += 1
                state.readers[state.count] = continuation
                if let value = state.value { continuation.yield(value) }
                return state.count
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.readers[number] = nil }
            }
        }
    }

    func set(_ value: Value) { update { _ in value } }

    func update(_ change: (Value?) -> Value) {
        state.withLock { state in
            let value = change(state.value)
            guard state.value != value else { return }
            state.value = value
            for reader in state.readers.values { reader.yield(value) }
        }
    }
}
