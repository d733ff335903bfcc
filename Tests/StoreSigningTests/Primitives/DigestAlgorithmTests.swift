import TestSupport
import Testing

@testable import StoreSigning

@Suite struct DigestAlgorithmTests {
    // FIPS 180-4 examples; the empty message from `openssl dgst -sha… /dev/null`.
    @Test(
        "Digests have their known values",
        arguments: [
            (DigestAlgorithm.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                .sha384, "",
                "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"
            ),
            (
                .sha384, "abc",
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
            ),
        ])
    func digestsHaveTheir(algorithm: DigestAlgorithm, text: String, expected: String) throws {
        #expect(try algorithm.digest(text.utf8) == bytes(hex: expected))
        #expect(try algorithm.digest(Array(text.utf8)) == bytes(hex: expected))
        #expect(try algorithm.digest(text.utf8.lazy.map { $0 }) == bytes(hex: expected))
        #expect(algorithm.byteCount == expected.utf8.count / 2)
    }

    @Test("A million letters have the digest of FIPS 180-4") func millionLettersHave() throws {
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(
            try DigestAlgorithm.sha256.digest(letters)
                == bytes(hex: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"))
        #expect(
            try DigestAlgorithm.sha1.digest(letters) == bytes(hex: "34aa973cd4c4daa4f61eeb2bdbad27316534016f"))
    }

    @Test("A prefix hashed ahead gives the digest of the whole, any number of times") func prefixHashedAhead() throws {
        let key = try GoldenKeys.p256.privateKey()
        var random = RandomizedRun.generator(named: "HashPrefix")
        for _ in 0..<50 {
            let beginning = random.bytes(Int.random(in: 0...200, using: &random))
            let prefix = try beginning.withUnsafeBytes { try HashPrefix($0) }
            for _ in 0..<3 {
                let rest = random.bytes(Int.random(in: 0...200, using: &random))
                let digest = try key.withContext { context in
                    var digest = [UInt8](repeating: 0, count: 32)
                    try rest.withUnsafeBytes { try prefix.digest($0, scratch: context.digest, into: &digest) }
                    return digest
                }
                #expect(try digest == DigestAlgorithm.sha256.digest(beginning + rest))
            }
        }
    }

    @Test("Random bytes are as many as asked for and differ") func randomBytesMany() throws {
        let random = RandomBytes()
        for count in [0, 1, 16, 1000] { #expect(try random(count).count == count) }
        #expect(try random(32) != random(32))
    }
}
