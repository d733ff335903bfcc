import Synchronization

/// A clock that stands until it is moved.
final class ManualClock: Sendable {
    private let instant: Mutex<Int64>

    init(_ nanoseconds: Int64 = 0) {
        instant = Mutex(nanoseconds)
    }

    var now: Int64 { instant.withLock { $0 } }

    func advance(seconds: Double) { instant.withLock { $0 += Int64(seconds * 1e9) } }
}

/// Keeps what it is given.
final class Collector<Element: Sendable>: Sendable {
    private let kept = Mutex<[Element]>([])

    var all: [Element] { kept.withLock { $0 } }

    func keep(_ element: Element) { kept.withLock { $0.append(element) } }
}
