import StoreFoundation
import Synchronization

/// The threads of one database, on which its blocking calls run.
package final class DatabaseThreads: Sendable {
    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Starts a thread that alone uses `owned`.
    package func start<Owned>(named name: String, _ owned: sending Owned, _ work: @escaping @Sendable (Owned) -> Void) {
        state.withLock { $0.running += 1 }
        let handedOver = HandedOver(owned)
        OwnThread.start(named: name) {
            if let owned = handedOver.value { work(owned) }
            handedOver.giveBack()
            self.threadEnded()
        }
    }

    private func threadEnded() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.running -= 1
            guard state.running == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until every thread has ended.
    package func end() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.running > 0 { state.waiting.append(continuation) }
                return state.running == 0
            }
            if isOver { continuation.resume() }
        }
    }
}

/// Something that a thread is given for itself.
// Safe: `sending` proves that whoever made the value keeps no way to it, and one thread at a time takes it.
final class HandedOver<Value>: @unchecked Sendable {
    private(set) var value: Value?

    init(_ value: sending Value) {
        self.value = value
    }

    /// Lets go of the value, on the thread that used it.
    func giveBack() { value = nil }
}
