import Synchronization

/// The connections that several listeners of a process may have together, because they share its descriptors.
///
/// Each listener has a share of its own that the others cannot use up. What is beyond the shares belongs to whoever comes
/// first.
///
/// ```swift
/// let budget = ConnectionBudget(total: 768, listeners: 2)
/// production.budget = budget.part(0)
/// sandbox.budget = budget.part(1)
/// ```
package final class ConnectionBudget: Sendable {
    package let total: Int
    private let share: Int
    private let taken: Mutex<[Int]>

    /// A quarter of the whole is the share of one listener of two.
    package init(total: Int, listeners: Int) {
        self.total = total
        share = total / (2 * max(1, listeners))
        taken = Mutex(Array(repeating: 0, count: listeners))
    }

    /// What a listener takes its connections from.
    package struct Part: Sendable {
        let budget: ConnectionBudget
        let index: Int

        func take() -> Bool { budget.take(index) }
        func release() { budget.taken.withLock { $0[index] -= 1 } }
    }

    package func part(_ index: Int) -> Part { Part(budget: self, index: index) }

    private func take(_ index: Int) -> Bool {
        taken.withLock { taken in
            let others = taken.indices.filter { $0 != index }.map { max(taken[$0], share) }.reduce(0, +)
            guard taken[index] + others < total else { return false }
            taken[index] += 1
            return true
        }
    }
}
