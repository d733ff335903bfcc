import Foundation

/// Lets writing transactions of this process in, many at a time, or one that must be alone.
///
/// Transactions that PostgreSQL cannot serialise may get into each other's way again and again. One that has failed often
/// runs alone, so that it ends whatever the others do.
// Safe: the counts are read and written only while the condition's lock is held.
final class TransactionGate: @unchecked Sendable {
    private let condition = NSCondition()
    private var inside = 0
    private var waitingAlone = 0
    private var isTakenAlone = false

    /// Waits until the transaction may begin.
    func enter(alone: Bool) {
        condition.lock()
        defer { condition.unlock() }
        if alone {
            waitingAlone += 1
            while inside > 0 || isTakenAlone { condition.wait() }
            waitingAlone -= 1
            isTakenAlone = true
        } else {
            while waitingAlone > 0 || isTakenAlone { condition.wait() }
            inside += 1
        }
    }

    func leave(alone: Bool) {
        condition.lock()
        defer { condition.unlock() }
        if alone { isTakenAlone = false } else { inside -= 1 }
        if alone || waitingAlone > 0 { condition.broadcast() }
    }
}
