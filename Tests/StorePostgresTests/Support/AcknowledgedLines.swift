import Synchronization

/// What a writer was told is durable, and whoever waits for so many lines of it.
final class AcknowledgedLines: Sendable {
    private struct State {
        var lines: [String] = []
        var isComplete = false
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }

    func append(_ line: String) {
        let reached = state.withLock { state in
            state.lines.append(line)
            let count = state.lines.count
            defer { state.waiting.removeAll { $0.count <= count } }
            return state.waiting.filter { $0.count <= count }.map(\.continuation)
        }
        for continuation in reached { continuation.resume() }
    }

    /// There will be no more lines.
    func complete() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isComplete = true
            return state.waiting
        }
        for (_, continuation) in waiting { continuation.resume() }
    }

    /// Waits until there are so many lines, or there will be no more.
    func reach(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isComplete || state.lines.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
