/// How much the scheduler takes on.
package struct WorkLimits: Hashable, Sendable {
    /// How many turns one draining has, before it says what kept it busy.
    package var turnsPerDrain = 100_000
    /// How many turns one round claims.
    package var turnsPerRound = 64
    /// How many turns of a round run at a time.
    package var turnsAtOnce = 8
    /// How long a claim keeps others away, in milliseconds of wall time. A turn that takes longer may be run twice.
    package var leaseMilliseconds: Int64 = 120_000
    /// How much of an error is kept.
    package static let errorBytes = 500
    /// The longest name of a kind or subject.
    package static let nameBytes = 200

    package init() {}
}
