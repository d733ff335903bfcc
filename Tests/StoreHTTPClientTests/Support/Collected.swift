import Synchronization

/// What threads have seen, for a test to look at.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    var all: [Element] { elements.withLock { $0 } }

    func append(_ element: Element) {
        elements.withLock { $0.append(element) }
        let woken = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for one in woken { one.resume() }
    }

    /// Waits until there are so many.
    func wait(for count: Int) async {
        while all.count < count {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0.append(continuation) }
                // What came before this was in place has woken nobody.
                guard all.count >= count else { return }
                let woken = waiting.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                for one in woken { one.resume() }
            }
        }
    }
}
