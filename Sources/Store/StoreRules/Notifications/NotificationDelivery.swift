package import StoreModel

/// How the delivery of one notification to the address of its app goes on: a state machine.
///
/// The first attempt waits for its turn in the stream. After a failure the next one comes after a pause that belongs to
/// how many there were, and the notifications behind it go on.
package struct NotificationDelivery: Hashable, Sendable {
    package private(set) var state: NotificationState
    /// How many attempts were made.
    package private(set) var attempts: Int
    /// When the last one was made, and when the next one is due, by the clock of whom it concerns.
    package private(set) var attemptedAt: Instant?
    package private(set) var nextAt: Instant?

    package init(state: NotificationState, attempts: Int, attemptedAt: Instant?, nextAt: Instant?) {
        (self.state, self.attempts, self.attemptedAt, self.nextAt) = (state, attempts, attemptedAt, nextAt)
    }

    /// What happens to a notification.
    // Closed: each event has its line in the machine.
    package enum Event: Hashable, Sendable {
        /// An attempt succeeded.
        case delivered
        /// An attempt failed; with the pauses that the address has.
        case failed(NotificationRetries)
        /// The pause is over.
        case retryDue
        /// Somebody asks for another attempt now.
        case resent
        /// There is no address any more, or it has no form of this notification.
        case withdrawn

        /// Whether it is what came of an attempt. With any other event an attempt that is under way goes on, and is noted.
        package var endsAttempt: Bool {
            switch self {
            case .delivered, .failed: true
            case .retryDue, .resent, .withdrawn: false
            }
        }
    }

    /// What has to be done in the same transaction.
    // Closed: the caller does each of them.
    package enum Action: Hashable, Sendable {
        /// An attempt is to be made at this instant, by the clock of whom it concerns.
        case retry(at: Instant)
        /// The attempt that was to come later comes now, or not at all.
        case forgetRetry
        /// An attempt is to be made now.
        case send
    }

    /// Takes in what happened, at an instant by the clock of whom it concerns.
    package mutating func handle(_ event: Event, at instant: Instant) -> [Action] {
        switch event {
        case .delivered: attempted(at: instant, .delivered)
        case .failed(let retries): return failed(retries, at: instant)
        case .retryDue:
            guard state == .resting else { return [] }
            state = .due
            return [.send]
        case .resent:
            guard state != .waiting, state != .due else { return [] }
            let isResting = state == .resting
            (state, nextAt) = (.due, nil)
            return isResting ? [.forgetRetry, .send] : [.send]
        case .withdrawn:
            guard state.isOpen else { return [] }
            let isResting = state == .resting
            (state, nextAt) = (.failed, nil)
            return isResting ? [.forgetRetry] : []
        }
        return []
    }

    private mutating func failed(_ retries: NotificationRetries, at instant: Instant) -> [Action] {
        // What was withdrawn during the attempt is not tried again.
        guard state.isOpen, let pause = retries.pause(after: attempts + 1) else {
            attempted(at: instant, .failed)
            return []
        }
        attempted(at: instant, .resting)
        let next = instant + pause
        nextAt = next
        return [.retry(at: next)]
    }

    private mutating func attempted(at instant: Instant, _ state: NotificationState) {
        (self.state, attemptedAt, nextAt) = (state, instant, nil)
        attempts += 1
    }
}

/// How long it takes after each attempt that failed until the next one.
package struct NotificationRetries: Hashable, Sendable {
    private let hours: [Int]

    /// Those of an environment. The sandbox tries once, unless it was asked to do as production does.
    package init(version: Int, in environment: StoreEnvironment, asInProduction: Bool) {
        guard environment == .production || asInProduction else {
            hours = []
            return
        }
        hours = version == 1 ? [6, 24, 48] : [1, 12, 24, 48, 72]
    }

    /// How many attempts there are altogether.
    package var attempts: Int { hours.count + 1 }

    /// The pause after so many attempts; nil if there is none.
    package func pause(after attempts: Int) -> Duration? {
        guard attempts >= 1, attempts <= hours.count else { return nil }
        return .seconds(hours[attempts - 1] * 60 * 60)
    }
}
