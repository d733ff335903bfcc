/// What is done about one kind of work.
///
/// A turn may run more than once for the same work: when the process ends in the middle of it, or its lease does. So what
/// it does is idempotent: it settles the turn in the transaction of its changes, and uses keys with everybody else.
package struct WorkHandler: Sendable {
    package typealias Run = @Sendable (WorkTurn) async throws -> WorkOutcome
    package typealias GiveUp = @Sendable (WorkTurn, String, any WriteTransaction) throws -> WorkOutcome

    package let kind: String
    package let retries: RetrySchedule
    let run: Run
    let giveUp: GiveUp?

    /// - Parameters:
    ///   - kind: the kind of work that it is for.
    ///   - retries: how often and when to try again.
    ///   - giveUp: what to do after the last failure, in the transaction that settles the turn; it is given the error.
    ///     Without it the work is kept among the dead.
    ///   - run: one attempt. What it throws is a failure, and its description is kept.
    package init(_ kind: String, retries: RetrySchedule, giveUp: GiveUp? = nil, run: @escaping Run) {
        self.kind = kind
        self.retries = retries
        self.giveUp = giveUp
        self.run = run
    }
}
