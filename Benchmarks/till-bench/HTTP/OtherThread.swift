import Foundation

/// A thread that does something for handlers, as the one that writes to the database does, and wakes them.
final class OtherThread: Sendable {
    private let condition = NSCondition()
    // Safe: touched only under the lock of the condition.
    private nonisolated(unsafe) var waiting: [CheckedContinuation<Void, Never>] = []

    init() {
        Thread.detachNewThread { [self] in
            while true { for visitor in next() { visitor.resume() } }
        }
    }

    func visit() async {
        await withCheckedContinuation { continuation in
            condition.withLock {
                waiting.append(continuation)
                condition.signal()
            }
        }
    }

    private func next() -> [CheckedContinuation<Void, Never>] {
        condition.withLock {
            while waiting.isEmpty { condition.wait() }
            defer { waiting = [] }
            return waiting
        }
    }
}
