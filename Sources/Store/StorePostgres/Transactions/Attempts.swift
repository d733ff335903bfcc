import StoreDatabase

/// How often one closure may be begun again, and how soon.
struct Attempts {
    /// Why a closure is begun again.
    enum Cause {
        case connection
        /// Others were in the way.
        case conflict
        /// There is such a row already, which the transaction may not have been able to see.
        case duplicate
    }

    private var remaining: [Cause: Int]
    private var pause: Pause
    private var conflicts = 0

    init(_ isolation: TransactionIsolation?, _ limits: PostgresLimits, _ databaseLimits: DatabaseLimits, _ pause: Pause)
    {
        remaining = [
            .connection: limits.connectionAttempts - 1, .conflict: databaseLimits.serializationAttempts - 1,
            .duplicate: isolation == .serializable ? 1 : 0,
        ]
        self.pause = pause
    }

    /// Whether the closure has been in conflict so often that it should be alone.
    var shouldBeAlone: Bool { conflicts >= Self.conflictsAmongOthers }

    /// How long to wait before the next attempt; nil if there is to be none.
    mutating func millisecondsBeforeNext(after cause: Cause) -> Int? {
        guard remaining[cause, default: 0] > 0 else { return nil }
        remaining[cause, default: 0] -= 1
        if cause == .conflict { conflicts += 1 }
        return cause == .duplicate || shouldBeAlone ? 0 : pause.nextMilliseconds()
    }

    private static let conflictsAmongOthers = 3
}
