import Synchronization

/// Remembers what a few recent runs of bytes were verified to mean.
///
/// A store signs with one chain for months, so that almost everything a verifier sees arrives under bytes it has
/// already judged. Only success is remembered; the number of entries is limited.
final class RecentChains<Value: Sendable>: Sendable {
    private struct Entry {
        let key: [UInt8]
        let value: Value
    }
    private let entries = Mutex<[Entry]>([])

    func value(for key: UnsafeRawBufferPointer) -> Value? {
        value(for: key, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// What is remembered for two runs of bytes, the second behind the first.
    func value(for first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Value? {
        entries.withLock { entries in
            entries.last { entry in
                entry.key.count == first.count + second.count
                    && entry.key.withUnsafeBytes { key in
                        UnsafeRawBufferPointer(rebasing: key[..<first.count]).holdsSame(as: first)
                            && UnsafeRawBufferPointer(rebasing: key[first.count...]).holdsSame(as: second)
                    }
            }?.value
        }
    }

    func remember(_ value: Value, for key: [UInt8]) {
        entries.withLock { entries in
            if entries.contains(where: { $0.key == key }) { return }
            if entries.count >= SigningLimits.cachedChains { entries.removeFirst() }
            entries.append(Entry(key: key, value: value))
        }
    }
}
