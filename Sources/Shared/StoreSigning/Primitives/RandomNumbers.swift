import COpenSSL
import Synchronization

/// Unpredictable numbers. They are drawn in batches, because asking the system for each takes longer than its use.
package final class RandomNumbers: Sendable {
    private static let drawn = 64

    private let source: RandomBytes
    private let stock = Mutex<[UInt64]>([])

    package init(_ source: RandomBytes = RandomBytes()) {
        self.source = source
    }

    /// The next number.
    package func next() -> UInt64 {
        stock.withLock { stock in
            if stock.isEmpty { stock = draw() }
            return stock.popLast() ?? .random(in: .min ... .max)
        }
    }

    /// nil if the source fails: then the system is asked.
    private func draw() -> [UInt64] {
        let size = MemoryLayout<UInt64>.size
        guard let bytes = try? source(Self.drawn * size) else { return [] }
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / size).map { bytes.loadUnaligned(fromByteOffset: $0 * size, as: UInt64.self) }
        }
    }
}

/// Random bytes: of OpenSSL's generator, which seeds itself from the kernel, unless another source is handed in.
package struct RandomBytes: Sendable {
    private let source: @Sendable (_ count: Int) throws -> [UInt8]

    package init() {
        self.init { count in
            var bytes = [UInt8](repeating: 0, count: count)
            try OpenSSLFailure.check(RAND_bytes(&bytes, Int32(count)), "drawing random bytes")
            return bytes
        }
    }

    package init(_ source: @escaping @Sendable (_ count: Int) throws -> [UInt8]) {
        self.source = source
    }

    /// The requested number of unpredictable bytes.
    package func callAsFunction(_ count: Int) throws -> [UInt8] { try source(count) }
}
