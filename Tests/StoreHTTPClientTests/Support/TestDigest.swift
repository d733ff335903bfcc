import StoreHTTPClient

/// A digest that tests can make without a library of cryptography (FNV-1a).
struct TestDigest: ContentDigest {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    mutating func finish() -> [UInt8] { withUnsafeBytes(of: hash) { Array($0) } }

    static func expected(of bytes: [UInt8]) -> ExpectedDigest {
        var digest = TestDigest()
        bytes.withUnsafeBytes { digest.update($0) }
        return ExpectedDigest(digest.finish()) { TestDigest() }
    }
}
