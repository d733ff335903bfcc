import Synchronization

/// The signals that wait for one listener. When there are too many, they become the one that says so.
final class SignalBuffer: Sendable {
    private struct State {
        var waiting: [Signal] = []
        var consumer: CheckedContinuation<Signal?, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let topic: SignalTopic
    private let limit: Int

    init(_ topic: SignalTopic, limit: Int) {
        self.topic = topic
        self.limit = limit
    }

    func put(_ signal: Signal) {
        let consumer = state.withLock { state -> CheckedContinuation<Signal?, Never>? in
            defer { state.consumer = nil }
            if let consumer = state.consumer { return consumer }
            // Who has to look at everything, or at the same thing already, need not be told again.
            guard !state.isClosed, !state.waiting.contains(signal),
                state.waiting.first?.subject != nil || state.waiting.isEmpty
            else { return nil }
            state.waiting.append(signal)
            if signal.subject == nil || state.waiting.count > limit { state.waiting = [Signal(missedOn: topic)] }
            return nil
        }
        consumer?.resume(returning: signal)
    }

    /// The next signal; nil once the buffer is closed or the consumer's task cancelled.
    func next() async -> Signal? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { consumer in
                let (signal, isOver) = state.withLock { state -> (Signal?, Bool) in
                    if !state.waiting.isEmpty { return (state.waiting.removeFirst(), true) }
                    if state.isClosed { return (nil, true) }
                    state.consumer = consumer
                    return (nil, false)
                }
                if isOver { consumer.resume(returning: signal) }
            }
        } onCancel: {
            close()
        }
    }

    func close() {
        let consumer = state.withLock { state in
            defer { state.consumer = nil }
            state.isClosed = true
            return state.consumer
        }
        consumer?.resume(returning: nil)
    }
}
