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

    /// Hands signals to whoever listens.
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
