package import StoreModel

/// One attempt to do a piece of work, claimed for one scheduler.
package struct WorkTurn: Hashable, Sendable {
    package let work: Work
    /// The time by the clock of the work.
    package let at: Instant
    /// What tells this claim from every other.
    let lease: String

    /// Settles the turn in the transaction of what was done, so that both come to be or neither.
    ///
    /// Throws a `DatabaseError` of code `leaseLost` if somebody else has the work by now, or if it was scheduled anew
    /// meanwhile. The handler lets that end its transaction: the work will have another turn.
    package func settle(_ outcome: WorkOutcome = .done, in transaction: any WriteTransaction) throws {
        switch outcome.step {
        case .settled: break
        case .done: try WorkTable.remove(self, in: transaction)
        case .again(let instant): try WorkTable.move(self, to: instant, in: transaction)
        }
    }
}
