import Synchronization

/// Counts what goes out of a body, and tells once how that ended.
final class BodyPassage: Sendable {
    private let state = Mutex<(bytes: Int, isOver: Bool)>((0, false))
    private let ended: @Sendable (ResponseEnd) -> Void

    init(ended: @escaping @Sendable (ResponseEnd) -> Void) {
        self.ended = ended
    }

    func passed(_ count: Int) { state.withLock { $0.bytes += count } }

    func end(isComplete: Bool) {
        let end = state.withLock { state -> ResponseEnd? in
            guard !state.isOver else { return nil }
            state.isOver = true
            return ResponseEnd(bytes: state.bytes, isComplete: isComplete)
        }
        if let end { ended(end) }
    }
}
