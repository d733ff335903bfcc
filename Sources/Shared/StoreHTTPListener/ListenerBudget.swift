import Synchronization

/// What several listeners of a process share: its descriptors, and the memory for bodies of requests.
///
/// Of the connections each listener has a share of its own that the others cannot use up; what is beyond the shares goes to
/// the first who asks. Of the memory, none has a share: bodies are short, and slow ones end.
///
/// ```swift
/// let budget = ListenerBudget(connections: 768, listeners: 2)
/// let production = try HTTPListener(configuration, budget: budget.part(0), serving: service)
/// ```
package final class ListenerBudget: Sendable {
    /// Enough for 128 bodies of the largest size at once.
    package static let standardBodyBytes = 128 * 1024 * 1024

    package let connections: Int
    private let share: Int
    private let taken: Mutex<[Int]>
    private let bodies: BodyMemory

    /// With two listeners, a quarter of the connections is the share of each.
    package init(connections: Int, bodyBytes: Int = standardBodyBytes, listeners: Int) {
        self.connections = connections
        bodies = BodyMemory(bytes: bodyBytes)
        share = connections / (2 * max(1, listeners))
        taken = Mutex(Array(repeating: 0, count: listeners))
    }

    /// What one listener takes from.
    package struct Part: Sendable {
        let budget: ListenerBudget
        let index: Int

        func takeConnection() -> Bool { budget.takeConnection(index) }
        func releaseConnection() { budget.taken.withLock { $0[index] -= 1 } }
        var bodies: BodyMemory { budget.bodies }
    }

    /// The memory that bodies have, in bytes: those that are arriving, and those whose requests are being answered.
    package var bodyBytes: Int { bodies.taken }

    package func part(_ index: Int) -> Part { Part(budget: self, index: index) }

    private func takeConnection(_ index: Int) -> Bool {
        taken.withLock { taken in
            let others = taken.indices.filter { $0 != index }.map { max(taken[$0], share) }.reduce(0, +)
            guard taken[index] + others < connections else { return false }
            taken[index] += 1
            return true
        }
    }
}
