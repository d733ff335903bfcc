import Foundation
import Synchronization

/// What happened, line by line, with someone who waits for lines.
final class Transcript: Sendable {
    private struct State {
        var lines: [String] = []
        var waiting: [(line: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }

    func write(_ line: String) {
        let ready = state.withLock { state in
            state.lines.append(line)
            let ready = state.waiting.filter { $0.line == line }
            state.waiting.removeAll { $0.line == line }
            return ready
        }
        for waiting in ready { waiting.continuation.resume() }
    }

    /// Waits until a line was written.
    func until(_ line: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.lines.contains(line) { return true }
                state.waiting.append((line, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// Waits until everything that is on its way to the main queue has arrived.
func mainQueueDrained() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}
