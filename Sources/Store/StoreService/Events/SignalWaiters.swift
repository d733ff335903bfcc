package import StoreDatabase
import Synchronization

/// Lets requests wait until something is signalled in the database, each no longer than it was told to.
///
/// A waiter takes its place first, looks whether there is something already, and only then waits: what is signalled between
/// looking and waiting ends the waiting at once.
package final class SignalWaiters: Sendable {
    fileprivate struct Key: Hashable {
        let topic: SignalTopic
        let subject: String
    }

    private struct Waiter {
        var isWoken = false
        var isLate = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private struct State {
        var waiters: [Key: [Int: Waiter]] = [:]
        var count = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let pause: @Sendable (Duration) async throws -> Void

    /// - Parameter pause: waits for so long, or until the task is cancelled.
    package init(pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
        self.pause = pause
    }

    /// Hands on what is signalled on a topic, until the database is closed or the task is cancelled.
    package func follow(_ topic: SignalTopic, of database: any Database) async throws {
        for await signal in try await database.signals(on: topic) { wake(topic, signal.subject) }
    }

    /// Asks `look` until it finds something: at once, each time that the subject is signalled, and once more when the time
    /// is over, or when nobody is to wait any more. Gives what the last look found.
    package func wait<Found: Sendable>(
        for subject: String, on topic: SignalTopic, upTo time: Duration, look: () async throws -> Found?
    ) async throws -> Found? {
        let key = Key(topic: topic, subject: subject)
        let number = enter(key)
        defer { leave(key, number) }
        if let found = try await look() { return found }
        guard time > .zero, !state.withLock({ $0.isOver }) else { return nil }
        let timer = Task { [pause] in
            try await pause(time)
            self.end(key, number)
        }
        defer { timer.cancel() }
        while true {
            let isLate = await withTaskCancellationHandler {
                await self.sleep(key, number)
            } onCancel: {
                self.end(key, number)
            }
            if let found = try await look() { return found }
            if isLate { return nil }
        }
    }

    /// A place for somebody who waits again and again, and misses nothing that is signalled between two times.
    package func place(for subject: String, on topic: SignalTopic) -> Place {
        let key = Key(topic: topic, subject: subject)
        return Place(self, key, enter(key))
    }

    /// See ``SignalWaiters/place(for:on:)``. Whoever has it waits with one task.
    package final class Place: Sendable {
        private let waiters: SignalWaiters
        private let key: Key
        private let number: Int

        fileprivate init(_ waiters: SignalWaiters, _ key: Key, _ number: Int) {
            self.waiters = waiters
            self.key = key
            self.number = number
        }

        deinit { waiters.leave(key, number) }

        /// Until something is signalled, or was since the last time; for so long at most, or until the task is cancelled.
        package func pause(upTo time: Duration) async throws {
            guard !waiters.isOver else { throw CancellationError() }
            let timer = Task { [waiters, key, number] in
                try await waiters.pause(time)
                waiters.end(key, number)
            }
            defer { timer.cancel() }
            _ = await withTaskCancellationHandler {
                await waiters.sleep(key, number)
            } onCancel: {
                waiters.end(key, number)
            }
            try Task.checkCancellation()
        }
    }

    /// Whether nobody is to wait any more.
    package var isOver: Bool { state.withLock(\.isOver) }

    /// Ends all waiting, also of those who come later: the store is being stopped.
    package func end() {
        let woken = state.withLock { state in
            state.isOver = true
            let waiting = state.waiters
            return waiting.flatMap { key, waiters in
                waiters.keys.compactMap { number in
                    state.waiters[key]?[number]?.isLate = true
                    return rouse(key, number, &state)
                }
            }
        }
        for continuation in woken { continuation.resume() }
    }

    private func enter(_ key: Key) -> Int {
        state.withLock { state in
            state.count += 1
            state.waiters[key, default: [:]][state.count] = Waiter()
            return state.count
        }
    }

    private func leave(_ key: Key, _ number: Int) {
        state.withLock { state in
            state.waiters[key]?[number] = nil
            if state.waiters[key]?.isEmpty == true { state.waiters[key] = nil }
        }
    }

    /// Returns once the waiter was woken or its time is over; says which.
    private func sleep(_ key: Key, _ number: Int) async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isAwake = state.withLock { state in
                guard let waiter = state.waiters[key]?[number], !waiter.isWoken else { return true }
                state.waiters[key]?[number]?.continuation = continuation
                return false
            }
            if isAwake { continuation.resume() }
        }
        return state.withLock { state in
            state.waiters[key]?[number]?.isWoken = false
            return state.waiters[key]?[number]?.isLate ?? true
        }
    }

    private func wake(_ topic: SignalTopic, _ subject: String?) {
        let woken = state.withLock { state in
            // Without a subject signals were missed, and everybody looks.
            let keys =
                subject.map { [Key(topic: topic, subject: $0)] } ?? state.waiters.keys.filter { $0.topic == topic }
            return keys.flatMap { key in (state.waiters[key] ?? [:]).keys.compactMap { rouse(key, $0, &state) } }
        }
        for continuation in woken { continuation.resume() }
    }

    private func end(_ key: Key, _ number: Int) {
        let woken = state.withLock { state in
            state.waiters[key]?[number]?.isLate = true
            return rouse(key, number, &state)
        }
        woken?.resume()
    }

    private func rouse(_ key: Key, _ number: Int, _ state: inout State) -> CheckedContinuation<Void, Never>? {
        let continuation = state.waiters[key]?[number]?.continuation
        state.waiters[key]?[number]?.isWoken = true
        state.waiters[key]?[number]?.continuation = nil
        return continuation
    }
}
