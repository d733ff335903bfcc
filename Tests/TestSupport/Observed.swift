import Synchronization

/// A value that one side of a test changes and the other waits for.
///
/// A waiter looks at the value once, and again after each change, so nothing spins and nothing depends on speed:
///
/// ```swift
/// let sent = Observed(0)
/// let server = Server { sent.update { $0 += 1 } }
/// try await sent.wait { $0 == 3 }
/// ```
///
/// A wait ends with `CancellationError` when the time limit ``Testing/Trait/bounded`` of its test is over.
package final class Observed<Value: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var lastID = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    package var value: Value { state.withLock { $0.value } }

    /// Changes the value, and resumes those whose condition it meets now.
    @discardableResult
    package func update<Result: Sendable>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        let (result, value, met) = try state.withLock { state in
            let result = try change(&state.value)
            let met = state.waiters.filter { $0.value.isMet(state.value) }
            for id in met.keys { state.waiters[id] = nil }
            return (result, state.value, met.values.map(\.continuation))
        }
        for continuation in met { continuation.resume(returning: value) }
        return result
    }

    /// Waits until the value meets a condition, and returns the value that did. The condition runs under a lock.
    @discardableResult
    package func wait(until isMet: @escaping @Sendable (Value) -> Bool) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Value, any Error>? in
                    if isMet(state.value) { return .success(state.value) }
                    // The handler below runs after the flag is set: either it finds the waiter, or this finds the flag.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }
}
