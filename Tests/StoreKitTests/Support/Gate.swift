import Synchronization

/// A door that tasks wait at until it is opened, or until they are cancelled.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var next = 0
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// How many tasks were cancelled at the door.
    var cancellations: Int { state.withLock { $0.cancelled.count } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    func pass() async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayPass = state.withLock { state in
                    if state.isOpen || state.cancelled.contains(number) { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if mayPass { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancelled.insert(number)
                return state.waiting.removeValue(forKey: number)
            }
            continuation?.resume()
        }
    }
}
