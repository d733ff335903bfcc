import StoreModel

/// What becomes of one subscription, calculated from what its customer does: no machine, no database, only dates.
///
/// A monthly subscription in three levels (1 to 3, at 9, 5 and 3 dollars), with 16 days of grace.
struct SubscriptionOracle {
    /// What a customer does, and when.
    struct Act: Hashable {
        // Closed: of these the test draws.
        enum Kind: Hashable {
            case turnOff
            case turnOn
            case card(pays: Bool)
            case buy(level: Int)
            case refund
            /// Of the period that runs, also where the next one was charged ahead.
            case refundRunning
        }

        let at: Instant
        let kind: Kind
    }

    struct Period: Hashable {
        let level: Int
        let start: Instant
        let end: Instant
    }

    /// All that were sold.
    private(set) var periods: [Period] = []
    /// What is had, or was had last.
    private var current: Period
    private var isAlive = false
    private var isRevoked = false
    private var renews = true
    private var pays = true
    private var next: Int?
    private var anchor: Instant
    private var number = 1
    private var lastTry: Instant?
    /// The level that the period costs that is being tried.
    private var owed: Int?
    /// Up to when the life was followed.
    private var reached = Instant.earliest

    private static let day: Int64 = 86_400_000
    private static let graceDays: Int64 = 16
    private static let tryDays: [Int64] = [0, 1, 2, 3, 5, 7, 10, 14, 21, 28, 35, 42, 49, 56]

    /// Follows a life from its first purchase.
    init(level: Int, at start: Instant, _ acts: [Act], until end: Instant) {
        anchor = start
        current = Period(level: level, start: start, end: start)
        begin(level, at: start)
        for act in acts.sorted(by: { $0.at < $1.at }) {
            run(until: act.at)
            apply(act)
        }
        run(until: end)
    }

    /// `active`, `grace`, `retry`, `expired` or `revoked`.
    func state(at now: Instant) -> String {
        if isRevoked { return "revoked" }
        if !isAlive { return "expired" }
        if now < end { return "active" }
        return now < graceEnd ? "grace" : "retry"
    }

    private var level: Int { current.level }
    private var end: Instant { current.end }
    private var graceEnd: Instant { end.adding(milliseconds: Self.graceDays * Self.day) }

    private mutating func begin(_ level: Int, at start: Instant) {
        (anchor, number, isAlive, isRevoked, renews, next, lastTry, owed) = (start, 1, true, false, true, nil, nil, nil)
        enter(Period(level: level, start: start, end: start.adding(.oneMonth)))
    }

    private mutating func goOn(_ level: Int) {
        if next == level { next = nil }
        number += 1
        (lastTry, owed) = (nil, nil)
        enter(Period(level: level, start: end, end: anchor.adding(.oneMonth, times: number)))
    }

    private mutating func enter(_ period: Period) {
        periods.append(period)
        current = period
    }

    /// The next attempt; nil if there is none.
    private func nextTry() -> Instant? {
        guard renews else { return nil }
        let tries = [-1] + Self.tryDays
        return tries.map { end.adding(milliseconds: $0 * Self.day) }.first { at in lastTry.map { at > $0 } ?? true }
    }

    private mutating func run(until now: Instant) {
        var clock = reached
        defer { reached = now }
        while isAlive {
            var dates: [Instant] = [end.adding(milliseconds: 60 * Self.day)]
            if let attempt = nextTry() { dates.append(attempt) }
            if !renews { dates.append(clock < end ? end : graceEnd) }
            guard let due = dates.min() else { return }
            let at = max(due, clock, current.start)
            guard at <= now else { return }
            clock = at
            if !renews || at >= end.adding(milliseconds: 60 * Self.day) {
                isAlive = false
                return
            }
            attempt(at: at)
        }
    }

    private mutating func attempt(at now: Instant) {
        lastTry = now
        let wanted = owed ?? next ?? level
        guard pays else {
            owed = wanted
            return
        }
        if now < graceEnd {
            goOn(wanted)
        } else {
            // What was planned meanwhile comes after what was owed.
            let planned = next
            begin(wanted, at: now)
            next = planned == wanted ? nil : planned
        }
    }

    private mutating func apply(_ act: Act) {
        switch act.kind {
        case .card(let pays): self.pays = pays
        case .turnOff:
            guard isAlive else { return }
            (renews, owed) = (false, nil)
            if act.at >= graceEnd { isAlive = false }
        case .turnOn:
            guard isAlive else { return }
            turnOn(at: act.at)
        case .refund where isAlive && current.start > act.at:
            // The period before it is had, and nothing renews.
            current = periods.last { $0.start <= act.at } ?? current
            (number, renews, next, lastTry, owed) = (number - 1, false, nil, nil, nil)
        case .refund, .refundRunning:
            guard !isRevoked else { return }
            (isAlive, isRevoked) = (false, true)
        case .buy(let asked):
            let counts = isAlive && act.at < graceEnd
            let running = current.start > act.at ? periods.last { $0.start <= act.at }?.level ?? level : level
            if counts, asked > running, asked < level {
                // It is better than what was paid ahead, and takes nothing away from what runs.
                next = asked
                turnOn(at: act.at)
            } else if counts, asked == level, act.at >= end {
                // In the grace period a purchase pays for the renewal.
                guard pays else { return }
                (next, renews) = (nil, true)
                goOn(asked)
            } else if counts, asked == level {
                next = nil
                turnOn(at: act.at)
            } else if counts, asked > level {
                next = asked
                turnOn(at: act.at)
            } else if pays {
                begin(asked, at: act.at)
            }
        }
    }

    /// What was due while it was off is due now.
    private mutating func turnOn(at now: Instant) {
        renews = true
        if let attempt = nextTry(), attempt <= now { self.attempt(at: now) }
    }
}
