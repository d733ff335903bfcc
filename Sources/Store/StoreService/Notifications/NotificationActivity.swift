package import StoreModel
import Synchronization

/// What this process does about notifications at the moment, for figures and for those who wait. It keeps nothing that another
/// process has to know.
package final class NotificationActivity: Sendable {
    private struct State {
        var senders = 0
        var results: [SendAttemptResult: Int] = [:]
        var waiting = 0
        var oldest: Instant?
        /// Those who wait for the end, each under a number.
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())
    /// Apps whose servers it was told of lately that they do not take what is sent.
    let troubles = Throttle<AppID>(step: .seconds(10 * 60))

    init() {}

    /// Whether a sender is at work in this process.
    var isSending: Bool { state.withLock { $0.senders > 0 } }

    func begin() { state.withLock { $0.senders += 1 } }

    func end() {
        let waiters = state.withLock { state in
            state.senders -= 1
            guard state.senders == 0 else { return [:] as [Int: CheckedContinuation<Void, Never>] }
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Returns when no sender is at work any more, or after some time.
    package func ended(within time: Duration) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let number = state.withLock { state -> Int? in
                guard state.senders > 0 else { return nil }
                state.lastWaiter += 1
                state.waiters[state.lastWaiter] = continuation
                return state.lastWaiter
            }
            guard let number else { return continuation.resume() }
            Task {
                try? await Task.sleep(for: time)
                state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
            }
        }
    }

    func count(_ result: SendAttemptResult) { state.withLock { $0.results[result, default: 0] += 1 } }

    func note(waiting: Int, since oldest: Instant?) {
        state.withLock { ($0.waiting, $0.oldest) = (waiting, oldest) }
    }

    /// How many attempts had which result, since the process began.
    package var results: [SendAttemptResult: Int] { state.withLock(\.results) }

    /// How many notifications were to be sent when it was looked last, and since when the oldest waited, by the wall clock.
    package var backlog: (count: Int, oldest: Instant?) { state.withLock { ($0.waiting, $0.oldest) } }
}
