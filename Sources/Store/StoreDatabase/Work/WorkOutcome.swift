package import StoreModel

/// What came of a turn.
package struct WorkOutcome: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case done
        case again(Instant)
        case settled
    }

    let step: Step

    /// It is done and goes out of the table.
    package static let done = WorkOutcome(step: .done)
    /// It is done for now, and due again.
    package static func again(at instant: Instant) -> WorkOutcome { WorkOutcome(step: .again(instant)) }
    /// The handler has settled the turn itself, in the transaction of what it did.
    package static let settled = WorkOutcome(step: .settled)
}
