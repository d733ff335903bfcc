/// Which receivers get attempts next, so that one that is slow or dead holds up no other.
///
/// Attempts have places of four kinds, each shared in turn by the receivers that have something to get: those that answered
/// quickly last time, those of which nothing is known, and the doubtful ones, whose last attempt was slow or failed. The fourth
/// kind is for attempts that are not answered soon, which leave the first two for it. So the places of those that answer are
/// taken by others for a moment only. Whoever has not answered yet gets one attempt at a time.
///
/// It knows no clock: the caller says when attempts begin, when some time has passed, and when they end.
package struct DeliveryPlan<Receiver: Hashable & Sendable>: Sendable {
    /// How many attempts there may be at once.
    package struct Limits: Hashable, Sendable {
        /// Those that began just now, to receivers that answer quickly.
        package var quick: Int
        /// Those that began just now, to receivers of which nothing is known.
        package var new: Int
        /// Those that were among them and are slow.
        package var slow: Int
        /// To receivers that are doubtful.
        package var doubtful: Int
        /// To one receiver that answers quickly, and to one that answers slowly.
        package var perReceiver: Int
        package var perSlowReceiver: Int

        package init(quick: Int, new: Int, slow: Int, doubtful: Int, perReceiver: Int, perSlowReceiver: Int) {
            (self.quick, self.new, self.slow, self.doubtful) = (quick, new, slow, doubtful)
            (self.perReceiver, self.perSlowReceiver) = (perReceiver, perSlowReceiver)
        }

        /// All together.
        package var all: Int { quick + new + slow + doubtful }
    }

    /// A receiver that may be sent so many.
    package struct Turn: Hashable, Sendable {
        package let receiver: Receiver
        package let count: Int

        package init(receiver: Receiver, count: Int) { (self.receiver, self.count) = (receiver, count) }
    }

    /// An attempt on its way.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    // Closed: the kinds of places.
    private enum Place {
        case quick, new, slow, doubtful
    }

    private struct Attempt: Sendable {
        let receiver: Receiver
        var place: Place
        /// How often some time had passed while it was on its way.
        var sweeps = 0

        var isSlow: Bool { sweeps > 1 }
    }

    private struct Standing: Sendable {
        var count = 0
        /// Whether its last attempt succeeded, and whether that took long; it has not answered yet if it is neither.
        var (hasAnswered, isSlow, hasFailed) = (false, false, false)
        /// Whether it stands in the line, and whether it was called since its last turn.
        var (isInLine, isCalled) = (false, false)

        var place: Place {
            if isSlow || hasFailed { return .doubtful }
            return hasAnswered ? .quick : .new
        }

        func budget(_ limits: Limits) -> Int {
            guard hasAnswered, !hasFailed else { return 1 - count }
            return (isSlow ? limits.perSlowReceiver : limits.perReceiver) - count
        }
    }

    private let limits: Limits
    private var standings: [Receiver: Standing] = [:]
    private var attempts: [Int: Attempt] = [:]
    private var taken: [Place: Int] = [:]
    private var line: [Receiver] = []
    private var begun = 0

    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// How many attempts are on their way.
    package var count: Int { attempts.count }

    /// Says how the last attempt to a receiver went, which somebody else made.
    package mutating func note(_ receiver: Receiver, isSuccess: Bool) {
        standings[receiver, default: Standing()].hasAnswered = isSuccess
        standings[receiver]?.hasFailed = !isSuccess
    }

    /// There may be something for a receiver.
    package mutating func call(_ receiver: Receiver) {
        standings[receiver, default: Standing()].isCalled = true
        guard standings[receiver]?.isInLine == false else { return }
        standings[receiver]?.isInLine = true
        line.append(receiver)
    }

    /// Who gets attempts now, and how many each, in the order of the line. Whoever has had a turn stands at its end then.
    package mutating func turns() -> [Turn] {
        var turns: [Turn] = []
        var (waiting, served): ([Receiver], [Receiver]) = ([], [])
        var free: [Place: Int] = [
            .quick: free(.quick, limits.quick), .new: free(.new, limits.new),
            .doubtful: free(.doubtful, limits.doubtful),
        ]
        let shares = shares(of: free)
        for receiver in line {
            guard let standing = standings[receiver] else { continue }
            let (budget, place) = (standing.budget(limits), standing.place)
            if budget > 0, let room = free[place], room > 0 {
                let count = min(budget, room, shares[place] ?? 1)
                free[place] = room - count
                turns.append(Turn(receiver: receiver, count: count))
                standings[receiver]?.isCalled = false
                served.append(receiver)
            } else if budget > 0 {
                waiting.append(receiver)
            } else {
                // It is called again when one of its attempts ends.
                standings[receiver]?.isInLine = false
            }
        }
        line = waiting + served
        return turns
    }

    /// How many places of a kind each receiver gets that wants one.
    private func shares(of free: [Place: Int]) -> [Place: Int] {
        var wanting: [Place: Int] = [:]
        for receiver in line {
            guard let standing = standings[receiver], standing.budget(limits) > 0 else { continue }
            wanting[standing.place, default: 0] += 1
        }
        return free.reduce(into: [:]) { $0[$1.key] = max(1, $1.value / max(1, wanting[$1.key] ?? 0)) }
    }

    /// There was less for some receivers than their turns allowed: they leave the line, but for those called since.
    package mutating func finish(_ receivers: Set<Receiver>) {
        let leaving = receivers.filter { standings[$0]?.isCalled == false }
        guard !leaving.isEmpty else { return }
        line.removeAll(where: leaving.contains)
        for receiver in leaving { standings[receiver]?.isInLine = false }
    }

    /// An attempt begins.
    package mutating func begin(_ receiver: Receiver) -> Ticket {
        begun += 1
        let place = standings[receiver]?.place ?? .new
        standings[receiver, default: Standing()].count += 1
        attempts[begun] = Attempt(receiver: receiver, place: place)
        taken[place, default: 0] += 1
        return Ticket(number: begun)
    }

    /// Some time has passed: attempts that were on their way already when it began are slow.
    package mutating func sweep() {
        for number in attempts.keys {
            attempts[number]?.sweeps += 1
            guard let attempt = attempts[number], attempt.isSlow else { continue }
            standings[attempt.receiver]?.isSlow = true
            guard attempt.place == .quick || attempt.place == .new, free(.slow, limits.slow) > 0 else { continue }
            attempts[number]?.place = .slow
            taken[attempt.place, default: 0] -= 1
            taken[.slow, default: 0] += 1
        }
    }

    /// An attempt ends. There may be more for its receiver, such as the next of the stream.
    package mutating func end(_ ticket: Ticket, isSuccess: Bool) {
        guard let attempt = attempts.removeValue(forKey: ticket.number) else { return }
        taken[attempt.place, default: 0] -= 1
        var standing = standings[attempt.receiver] ?? Standing()
        standing.count -= 1
        standing.hasFailed = !isSuccess
        if isSuccess {
            standing.hasAnswered = true
            standing.isSlow = attempt.isSlow
        }
        standings[attempt.receiver] = standing
        call(attempt.receiver)
    }

    private func free(_ place: Place, _ limit: Int) -> Int { limit - (taken[place] ?? 0) }
}
