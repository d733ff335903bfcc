import StoreSigning
import TestSupport
import Testing

@Suite("A digest over pieces")
struct RunningDigestTests {
    @Test("It is that of the whole, however the whole is cut", arguments: [DigestAlgorithm.sha1, .sha256, .sha384])
    func pieces(algorithm: DigestAlgorithm) throws {
        var generator = RandomizedRun.generator(named: "running digests")
        for _ in 0..<50 {
            let bytes = (0..<Int.random(in: 0...500, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let digest = try RunningDigest(algorithm)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...64, using: &generator))
                try piece.withUnsafeBytes { try digest.update($0) }
                rest = rest.dropFirst(piece.count)
            }
            #expect(try digest.finish() == algorithm.digest(bytes))
        }
    }
}
