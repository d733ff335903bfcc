import StoreModel

/// What happened while a clock was advanced.
package struct DrainReport: Hashable, Sendable {
    /// How many turns there were.
    package private(set) var turns = 0
    /// How many turns of each kind ended in each way.
    package private(set) var endings: [String: [WorkResult.Ending: Int]] = [:]
    /// The kind of work that was still due at the end; nil once all is quiet.
    package internal(set) var keptBusyBy: String?

    mutating func count(_ result: WorkResult) {
        turns += 1
        endings[result.turn.work.kind, default: [:]][result.ending, default: 0] += 1
    }
}

/// When the turns of a drain take place.
struct Timeline: Sendable {
    /// No turn takes place before it.
    private var instant: Instant
    /// The last turn of each subject that had one after ``instant``.
    private var latest: [String: Instant] = [:]

    init(from instant: Instant) {
        self.instant = instant
    }

    /// When work takes place whose turn it is.
    ///
    /// - Parameter passing: whether no later turn may take place before it.
    mutating func next(_ work: Work, passing: Bool) -> Instant {
        let time = max(work.dueAt, latest[work.subject] ?? instant, instant)
        if passing {
            instant = time
            if !latest.isEmpty { latest = latest.filter { $0.value > time } }
        } else {
            latest[work.subject] = time
        }
        return time
    }
}

/// Notices work that comes up again and again while the clock hardly moves.
struct Standstill {
    private let limit: Int
    private var since: Instant
    private var turns: [Key: Int] = [:]

    private struct Key: Hashable {
        let kind: String
        let subject: String
    }

    /// How far the clock has to move for everything to count anew, in milliseconds.
    private static let progress: Int64 = 60_000

    init(from instant: Instant, limit: Int) {
        (since, self.limit) = (instant, limit)
    }

    /// Counts a turn; true if there were too many of its work.
    mutating func isReached(by turn: WorkTurn) -> Bool {
        if turn.at.millisecondsSinceEpoch - since.millisecondsSinceEpoch >= Self.progress {
            (since, turns) = (turn.at, [:])
        }
        let key = Key(kind: turn.work.kind, subject: turn.work.subject)
        turns[key, default: 0] += 1
        return turns[key, default: 0] >= limit
    }
}
