import Synchronization

/// Hands signals to those who listen within this process.
package final class SignalHub: Sendable {
    private struct State {
        var listeners: [SignalTopic: [ObjectIdentifier: SignalBuffer]] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int

    /// Keeps so many signals for each listener that has not come to take them.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Signals on a topic from now on, until the consumer stops or the hub is closed.
    package func signals(on topic: SignalTopic) -> AsyncStream<Signal> {
        let buffer = SignalBuffer(topic, limit: limit)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.listeners[topic, default: [:]][ObjectIdentifier(buffer)] = buffer }
            return state.isClosed
        }
        if isClosed { buffer.close() }
        return AsyncStream {
            let signal = await buffer.next()
            if signal == nil { self.forget(buffer, topic) }
            return signal
        }
    }

    private func forget(_ buffer: SignalBuffer, _ topic: SignalTopic) {
        state.withLock { state in
            state.listeners[topic]?[ObjectIdentifier(buffer)] = nil
            if state.listeners[topic]?.isEmpty == true { state.listeners[topic] = nil }
        }
    }

    /// Hands signals to all listeners.
    package func publish(_ signals: [Signal]) {
        for signal in signals {
            let listeners = state.withLock { $0.listeners[signal.topic]?.values.map { $0 } ?? [] }
            for listener in listeners { listener.put(signal) }
        }
    }

    /// Tells everybody that signals may have been lost, as when a connection broke.
    package func publishMissed() {
        let listeners = state.withLock { $0.listeners.mapValues { Array($0.values) } }
        for (topic, buffers) in listeners {
            for buffer in buffers { buffer.put(Signal(missedOn: topic)) }
        }
    }

    /// Ends every stream.
    package func close() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            state.isClosed = true
            return state.listeners.values.flatMap(\.values)
        }
        for listener in listeners { listener.close() }
    }
}

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
