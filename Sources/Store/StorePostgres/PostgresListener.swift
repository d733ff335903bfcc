import StoreDatabase
import StoreFoundation
import Synchronization

/// Hears what is signalled, on a connection of its own, and makes a new one when it breaks.
final class PostgresListener: Sendable {
    private struct State {
        var isStarted = false
        var isClosed = false
        var isListening = false
        /// Counts how often listening began; whatever was signalled between two was missed.
        var beginnings = 0
        var waiting: [CheckedContinuation<Int, any Error>] = []
    }

    private let state = Mutex(State())
    private let source: PostgresSource
    private let hub: SignalHub
    private let threads: DatabaseThreads
    private let end = Waker()
    private let random: @Sendable () -> UInt64

    init(
        _ source: PostgresSource, _ hub: SignalHub, _ threads: DatabaseThreads, random: @escaping @Sendable () -> UInt64
    ) {
        (self.source, self.hub, self.threads, self.random) = (source, hub, threads, random)
    }

    /// Signals on a topic, of which none is missed from now on.
    func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal> {
        let beginnings = try await begun()
        let signals = hub.signals(on: topic)
        if state.withLock({ $0.beginnings }) != beginnings { hub.publishMissed() }
        return signals
    }

    func close() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isClosed = true
            return state.waiting
        }
        end.wake()
        for continuation in waiting { continuation.resume(throwing: Self.closed) }
    }

    /// Waits until the connection listens; gives how often it began to.
    private func begun() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let answer = state.withLock { state -> Result<Int, any Error>? in
                if state.isClosed { return .failure(Self.closed) }
                if !state.isStarted {
                    state.isStarted = true
                    threads.start(named: "till-listener", ()) { self.work() }
                }
                if state.isListening { return .success(state.beginnings) }
                state.waiting.append(continuation)
                return nil
            }
            if let answer { continuation.resume(with: answer) }
        }
    }

    private func work() {
        var pause = newPause()
        while !end.isAwake {
            do {
                try listen { pause = self.newPause() }
            } catch {
                ended(error)
            }
            end.wait(milliseconds: pause.nextMilliseconds())
        }
    }

    private func newPause() -> Pause {
        Pause(longest: source.limits.pauseMilliseconds, random: random)
    }

    private func listen(onBegin: () -> Void) throws {
        let connection = try source.session().connection
        try connection.run("LISTEN \"\(source.schemaName)\"")
        began()
        onBegin()
        while !end.isAwake {
            var heard: [Signal] = []
            try connection.awaitNotifications(milliseconds: source.limits.listenerCheckMilliseconds, end) {
                heard.append(Signal(payload: $0))
            }
            hub.publish(heard)
            // A server that is gone without a word answers nothing.
            if heard.isEmpty, !end.isAwake { try connection.run("") }
        }
    }

    private func began() {
        let (waiting, beginnings) = state.withLock { state in
            defer { state.waiting = [] }
            state.isListening = true
            state.beginnings += 1
            return (state.waiting, state.beginnings)
        }
        if beginnings > 1 { hub.publishMissed() }
        for continuation in waiting { continuation.resume(returning: beginnings) }
    }

    private func ended(_ error: any Error) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isListening = false
            return state.waiting
        }
        let failure = (error as? PostgresError)?.databaseError ?? error
        for continuation in waiting { continuation.resume(throwing: failure) }
    }

    private static let closed = DatabaseError(.closed, "the database was closed")
}

extension Signal {
    /// The signal as a notification carries it: the topic, and after a space the subject, if there is one.
    var payload: String {
        subject.map { "\(topic.name) \($0)" } ?? topic.name
    }

    init(payload: String) {
        let parts = payload.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let topic = SignalTopic(received: String(parts[0]))
        self = parts.count == 2 ? Signal(topic, subject: String(parts[1])) : Signal(missedOn: topic)
    }
}
