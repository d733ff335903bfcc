import TestSupport
import Testing

@testable import StoreSigning

@Suite struct AESGCMTests {
    // Test cases 13, 14 and 16 of the GCM specification, checked with Python's cryptography: key, nonce, context,
    // plaintext, ciphertext and tag.
    private static let golden: [(key: String, nonce: String, context: String, plain: String, sealed: String)] = [
        (
            String(repeating: "00", count: 32), String(repeating: "00", count: 12), "", "",
            "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        (
            String(repeating: "00", count: 32), String(repeating: "00", count: 12), "",
            String(repeating: "00", count: 16), "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
            "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            """
            d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
            1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
            """,
            """
            522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
            8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b
            """
        ),
    ]

    private let key: AESGCM

    init() throws {
        key = try AESGCM(key: Array(0..<32))
    }

    @Test("Opens the test cases of the specification", arguments: golden.indices) func opensTestCases(index: Int) throws
    {
        let golden = Self.golden[index]
        let key = try AESGCM(key: bytes(hex: golden.key))
        let sealed = bytes(hex: golden.nonce) + bytes(hex: golden.sealed)
        #expect(try key.open(sealed, context: bytes(hex: golden.context)) == bytes(hex: golden.plain))
    }

    @Test("What is sealed is opened", arguments: [0, 1, 15, 16, 17, 1000, 100_000]) func whatSealedOpened(count: Int)
        throws
    {
        let plain = [UInt8](repeating: 0x5A, count: count)
        for context: [UInt8] in [[], [1, 2, 3]] {
            let sealed = try key.seal(plain, context: context)
            #expect(sealed.count == count + AESGCM.nonceBytes + AESGCM.tagBytes)
            #expect(try key.open(sealed, context: context) == plain)
        }
    }

    @Test("The same bytes are sealed under another nonce each time") func sameBytesSealed() throws {
        let sealed = try (0..<10).map { _ in try key.seal([1, 2, 3]) }
        #expect(Set(sealed.map { Array($0.prefix(AESGCM.nonceBytes)) }).count == 10)
    }

    @Test("One bit of the sealed bytes, the context or the key makes all the difference") func oneBitSealed() throws {
        let plain = Array("Nothing but the truth".utf8)
        let sealed = try key.seal(plain, context: [7])
        #expect(try key.open(sealed, context: [7]) == plain)
        for bit in 0..<(sealed.count * 8) {
            var damaged = sealed
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            expectRefusal(.invalidSignature, "bit \(bit)") { try key.open(damaged, context: [7]) }
        }
        for context: [UInt8] in [[], [6], [7, 0]] {
            expectRefusal(.invalidSignature) { try key.open(sealed, context: context) }
        }
        let other = try AESGCM(key: Array(1..<33))
        expectRefusal(.invalidSignature) { try other.open(sealed, context: [7]) }
    }

    @Test("Bytes too few to be sealed, and keys of another length, are refused") func bytesTooFew() {
        for count in 0..<(AESGCM.nonceBytes + AESGCM.tagBytes) {
            expectRefusal(.malformed, "\(count)") { try key.open([UInt8](repeating: 0, count: count)) }
        }
        for count in [0, 16, 31, 33, 64] {
            expectRefusal(.cryptography) { try AESGCM(key: [UInt8](repeating: 0, count: count)) }
        }
    }

    @Test("Damaged sealed bytes are never opened", .mutationTimeLimit) func damagedSealedBytes() throws {
        let sealed = try [key.seal(Array("one".utf8)), key.seal(Array("another".utf8))]
        for one in sealed { _ = try key.open(one) }
        for mutant in Mutants("AES-GCM", of: sealed, rounds: 3000) {
            #expect(reading(mutant) { try key.open(mutant.bytes) } == nil, "\(mutant)")
        }
    }
}
