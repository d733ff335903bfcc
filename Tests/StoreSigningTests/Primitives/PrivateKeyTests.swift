import TestSupport
import Testing

@testable import StoreSigning

@Suite struct PrivateKeyTests {
    private let message = GoldenSignatures.message

    private func read(_ pem: String, _ passphrase: String? = nil) throws -> PrivateKey {
        try PrivateKey(pemRepresentation: pem, passphrase: passphrase.map { Array($0.utf8) })
    }

    // MARK: Reading

    @Test("Reads P-256 keys in PKCS8 and the older form", arguments: [GoldenKeys.p256, GoldenKeys.p256Older])
    func readsP256(golden: GoldenKey) throws {
        let key = try golden.privateKey()
        #expect(key.algorithm == .p256)
        #expect(try key.publicKey.pemRepresentation == GoldenKeys.p256Public.pem + "\n")
    }

    @Test("Reads RSA keys in PKCS8 and the older form", arguments: [GoldenKeys.rsa, GoldenKeys.rsaOlder])
    func readsRSAKeys(golden: GoldenKey) throws {
        let key = try golden.privateKey()
        #expect(key.algorithm == .rsa)
        #expect(try key.publicKey.pemRepresentation == GoldenKeys.rsaPublic.pem + "\n")
    }

    @Test("Reads P-384 keys, which foreign roots have") func readsP384() throws {
        #expect(try GoldenKeys.p384.privateKey().algorithm == .p384)
    }

    @Test("Refuses keys of every other kind", arguments: [GoldenKeys.ed25519, GoldenKeys.secp256k1, GoldenKeys.rsaPSS])
    func refusesKeysEvery(golden: GoldenKey) {
        expectRefusal(.algorithmNotAllowed) { try golden.privateKey() }
    }

    @Test("Text around the key and other line ends are no hindrance") func textAroundKey() throws {
        #expect(try read("Key of the shop\n\n" + GoldenKeys.p256.pem + "\n\n# end\n").algorithm == .p256)
        #expect(try read(GoldenKeys.p256.pem.replacing("\n", with: "\r\n")).algorithm == .p256)
    }

    @Test(
        "Refuses what holds no private key",
        arguments: [
            "", "\n", "no key", "-----BEGIN PRIVATE KEY-----", GoldenKeys.p256Public.pem, GoldenKeys.ed25519Public.pem,
            "-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n",
            "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", "\u{0}\u{0}", "🗝️",
        ])
    func refusesWhatHolds(pem: String) {
        expectRefusal(.malformed) { try read(pem) }
    }

    @Test("A key cut off anywhere is refused") func keyCutOff() {
        // Without its last line end alone the key is whole.
        for count in 0..<GoldenKeys.p256.pem.count {
            expectRefusal(.malformed, "\(count)") { try read(String(GoldenKeys.p256.pem.prefix(count))) }
        }
    }

    @Test("A file above the limit is refused, one at the limit is read") func fileAboveLimit() throws {
        let padding = SigningLimits.keyFileBytes - GoldenKeys.p256.pem.utf8.count
        #expect(try read(GoldenKeys.p256.pem + String(repeating: "\n", count: padding)).algorithm == .p256)
        expectRefusal(.tooLarge) { try read(GoldenKeys.p256.pem + String(repeating: "\n", count: padding + 1)) }
    }

    // MARK: Passphrases

    @Test(
        "An encrypted key opens with its passphrase only",
        arguments: [GoldenKeys.p256UnderPBKDF2, GoldenKeys.p256UnderScrypt, GoldenKeys.p256OlderEncrypted])
    func encryptedKeyOpens(golden: GoldenKey) throws {
        let pem = golden.pem
        #expect(PrivateKey.isEncrypted(pem))
        let key = try read(pem, GoldenKeys.passphrase)
        #expect(try key.publicKey.pemRepresentation == GoldenKeys.p256Public.pem + "\n")
        for wrong in ["", "Correct", "correct ", "correc", String(repeating: "x", count: 5000)] {
            expectRefusal(.wrongPassphrase, wrong) { try read(pem, wrong) }
        }
        expectRefusal(.wrongPassphrase) { try read(pem) }
    }

    @Test("A plain key needs no passphrase and ignores one") func plainKeyNeeds() throws {
        #expect(!PrivateKey.isEncrypted(GoldenKeys.p256.pem))
        #expect(try read(GoldenKeys.p256.pem, "unneeded").algorithm == .p256)
    }

    @Test(
        "Written under a passphrase, a key is read back with it and with no other",
        arguments: ["", "correct", "grün 🗝️", "\u{0}\u{1}", String(repeating: "long", count: 256)])
    func writtenUnderPassphrase(passphrase: String) throws {
        let key = try read(GoldenKeys.p256.pem)
        let secret = Array(passphrase.utf8)
        let pem = try key.pemRepresentation(passphrase: secret)
        #expect(pem.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----"))
        let again = try PrivateKey(pemRepresentation: pem, passphrase: secret)
        #expect(try again.publicKey.derRepresentation == key.publicKey.derRepresentation)
        expectRefusal(.wrongPassphrase) { try PrivateKey(pemRepresentation: pem, passphrase: secret + [0x21]) }
    }

    @Test("A passphrase that could not be given again is refused before it locks a key away") func passphraseCouldNot()
        throws
    {
        let key = try read(GoldenKeys.p256.pem)
        expectRefusal(.tooLarge) {
            try key.pemRepresentation(passphrase: [UInt8](repeating: 0x78, count: SigningLimits.passphraseBytes + 1))
        }
    }

    // MARK: Round trips

    @Test("Written plain, a key is PKCS8 and reads back") func writtenPlainKey() throws {
        for (pem, older) in [
            (GoldenKeys.p256.pem, GoldenKeys.p256Older.pem), (GoldenKeys.rsa.pem, GoldenKeys.rsaOlder.pem),
        ] {
            #expect(try read(pem).pemRepresentation() == pem + "\n")
            #expect(try read(older).pemRepresentation() == pem + "\n")
        }
    }

    @Test("New keys are of their kind and never the same") func newKeysTheir() throws {
        let (one, other) = try (PrivateKey.p256(), PrivateKey.p256())
        #expect(one.algorithm == .p256)
        #expect(try one.publicKey.derRepresentation != other.publicKey.derRepresentation)
        #expect(try Fixture.chain(.receipt).key.algorithm == .rsa)
    }

    // MARK: Signing

    @Test(
        "What a key signs, its public half verifies, and nothing else",
        arguments: [GoldenKeys.p256, GoldenKeys.p384, GoldenKeys.rsa], [DigestAlgorithm.sha1, .sha256, .sha384])
    func whatKeySigns(golden: GoldenKey, digest: DigestAlgorithm)
        throws
    {
        let key = try golden.privateKey()
        let publicKey = try key.publicKey
        let signature = try key.signature(for: message, digest: digest)
        #expect(try publicKey.isValidSignature(signature, for: message, digest: digest))
        #expect(try !publicKey.isValidSignature(signature, for: message + [0], digest: digest))
        #expect(try !publicKey.isValidSignature(signature.dropLast(), for: message, digest: digest))
        #expect(try !publicKey.isValidSignature([], for: message, digest: digest))
        let otherDigest = digest == .sha256 ? DigestAlgorithm.sha1 : .sha256
        #expect(try !publicKey.isValidSignature(signature, for: message, digest: otherDigest))
        // A refusal leaves nothing behind in the reused context.
        #expect(try publicKey.isValidSignature(signature, for: message, digest: digest))
    }

    @Test("A damaged key file is refused or holds a key, and never crashes", .mutationTimeLimit) func damagedKeyFile()
        throws
    {
        let genuine = [GoldenKeys.p256, GoldenKeys.rsa, GoldenKeys.p256Older].map(\.pem)
        for pem in genuine { _ = try read(pem) }
        for mutant in Mutants("PEM keys", of: genuine, rounds: 800) {
            guard let key = reading(mutant, { try read(mutant.text) }) else { continue }
            // OpenSSL reads keys whose numbers do not belong together; signing with one must fail softly at worst.
            _ = reading(mutant) { try key.signature(for: message) }
            _ = reading(mutant) { try key.publicKey.pemRepresentation }
        }
    }

    @Test("A damaged encrypted key is refused or is the same key", .mutationTimeLimit) func damagedEncryptedKey() throws
    {
        let pem = GoldenKeys.p256UnderScrypt.pem
        let expected = try read(pem, GoldenKeys.passphrase).publicKey.derRepresentation
        // The cost that the file itself asks for is left alone: a damaged one only makes the test slow.
        let header = pem.prefix { $0 != "\n" }.count + 200
        for mutant in Mutants("Encrypted PEM", of: [String(pem.dropFirst(header))], rounds: 200) {
            let damaged = pem.prefix(header) + mutant.text
            guard let key = reading(mutant, { try read(String(damaged), GoldenKeys.passphrase) }) else { continue }
            let publicKey = reading(mutant) { try key.publicKey.derRepresentation }
            #expect(publicKey == expected, "\(mutant)")
        }
    }
}
