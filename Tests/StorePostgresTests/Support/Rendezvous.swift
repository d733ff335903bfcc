import Foundation

/// Where closures on several threads wait for one another, the first time each comes.
// Safe: the count is read and written only while the condition's lock is held.
final class Rendezvous: @unchecked Sendable {
    private let condition = NSCondition()
    private var missing: Int

    init(of count: Int) {
        missing = count
    }

    /// Waits until as many have come as are expected; whoever comes later need not wait.
    func meet() {
        condition.lock()
        defer { condition.unlock() }
        missing -= 1
        if missing <= 0 { condition.broadcast() }
        while missing > 0 { condition.wait() }
    }
}
