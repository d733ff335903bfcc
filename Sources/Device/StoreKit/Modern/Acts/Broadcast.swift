import Synchronization

/// Something that is told to every reader. What comes before the first one waits for it.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var readers: [Int: AsyncStream<Element>.Continuation] = [:]
        var count = 0
        var waiting: [Element] = []
    }

    private let state = Mutex(State())

    var hasReaders: Bool { state.withLock { !$0.readers.isEmpty } }

    func send(_ element: Element) {
        state.withLock { state in
            if state.readers.isEmpty { state.waiting.append(element) }
            for reader in state.readers.values { reader.yield(element) }
        }
    }

    /// Ends all readers, and forgets what waits.
    func restart() {
        let readers = state.withLock { state in
            defer {
                state.readers = [:]
                state.waiting = []
            }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    /// What is told from now on, and what waited.
    func elements() -> AsyncStream<Element> {
        AsyncStream { continuation in
            let number = state.withLock { state in
                state.count += 1
                state.readers[state.count] = continuation
                for element in state.waiting { continuation.yield(element) }
                state.waiting = []
                return state.count
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.readers[number] = nil }
            }
        }
    }
}
