import Synchronization

/// A number that closures of other threads may add to.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add(_ number: Int) { count.add(number, ordering: .releasing) }
}
