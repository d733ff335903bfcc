import Synchronization

/// Numbers that nobody can guess, one after the other. Many are drawn at a time, as asking the system for each takes longer
/// than everything else that is done with it.
package final class RandomNumbers: Sendable {
    private static let drawn = 64

    private let source: RandomBytes
    private let stock = Mutex<[UInt64]>([])

    package init(_ source: RandomBytes = RandomBytes()) {
        self.source = source
    }

    /// The next number. It never comes again but by chance.
    package func next() -> UInt64 {
        stock.withLock { stock in
            if stock.isEmpty { stock = draw() }
            return stock.popLast() ?? .random(in: .min ... .max)
        }
    }

    /// Nothing if the source fails: then the system is asked.
    private func draw() -> [UInt64] {
        let size = MemoryLayout<UInt64>.size
        guard let bytes = try? source(Self.drawn * size) else { return [] }
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / size).map { bytes.loadUnaligned(fromByteOffset: $0 * size, as: UInt64.self) }
        }
    }
}
