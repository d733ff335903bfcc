import TestSupport
import Testing

@testable import StoreSigning

@Suite struct PasswordHashTests {
    /// Cheap enough for many rounds.
    private static func cheap() throws -> Scrypt { try Scrypt(logarithmicCost: 4, blockSize: 1, parallelism: 1) }

    // MARK: scrypt

    // RFC 7914, section 12.
    @Test(
        "Has the test vectors of RFC 7914",
        arguments: [
            (
                "", "", 4, 1, 1,
                """
                77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
                fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
                """
            ),
            (
                "password", "NaCl", 10, 8, 16,
                """
                fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
                2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                """
            ),
            (
                "pleaseletmein", "SodiumChloride", 14, 8, 1,
                """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
                d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
                """
            ),
        ])
    func hasTestVectors(
        password: String, salt: String, cost: Int, blockSize: Int, parallelism: Int, expected: String
    ) throws {
        let scrypt = try Scrypt(logarithmicCost: cost, blockSize: blockSize, parallelism: parallelism)
        let key = try scrypt.derive(password: Array(password.utf8), salt: Array(salt.utf8), count: 64)
        #expect(key == bytes(hex: expected))
    }

    @Test("Parameters that ask for too much are refused before any work") func parametersAskToo() {
        for (cost, blockSize, parallelism) in [
            (0, 8, 1), (25, 8, 1), (63, 8, 1), (-1, 8, 1), (15, 0, 1), (15, 33, 1),
            (15, 8, 0), (15, 8, 17), (Int.max, Int.max, Int.max), (.min, .min, .min),
        ] {
            expectRefusal(.malformed) {
                try Scrypt(logarithmicCost: cost, blockSize: blockSize, parallelism: parallelism)
            }
        }
        expectRefusal(.tooLarge) { try Scrypt(logarithmicCost: 18, blockSize: 8, parallelism: 1) }
        expectRefusal(.tooLarge) { try Scrypt(logarithmicCost: 24, blockSize: 32, parallelism: 16) }
    }

    // MARK: Passwords

    @Test(
        "A password matches its hash, before and after it was kept, and no other does",
        arguments: ["", "correct horse", "grün 🗝️", "a\u{0}b", String(repeating: "x", count: 1024)])
    func passwordMatchesHash(password: String) throws {
        let hash = try PasswordHash(password, scrypt: Self.cheap())
        let kept = try PasswordHash(text: hash.text)
        #expect(kept == hash)
        for other in ["!", password + "x", password.uppercased() + "!", " " + password] {
            #expect(try !kept.matches(other))
        }
        #expect(try hash.matches(password))
        #expect(try kept.matches(password))
    }

    @Test("Long passwords are refused when set, and never match") func longPasswordsRefused() throws {
        let long = String(repeating: "x", count: PasswordHash.longestPassword + 1)
        expectRefusal(.tooLarge) { try PasswordHash(long, scrypt: Self.cheap()) }
        #expect(try !PasswordHash("x", scrypt: Self.cheap()).matches(long))
    }

    @Test("The same password has another hash each time, at the price of today") func samePasswordHas() throws {
        let (one, other) = try (PasswordHash("same", scrypt: Self.cheap()), PasswordHash("same", scrypt: Self.cheap()))
        #expect(one != other)
        #expect(one.isOutdated)
        let standard = try PasswordHash("same")
        #expect(!standard.isOutdated)
        #expect(standard.text.hasPrefix("$scrypt$ln=15,r=8,p=1$"))
        #expect(try PasswordHash(text: standard.text).matches("same"))
    }

    @Test("Reads a hash that Python made") func readsHashPython() throws {
        // hashlib.scrypt(b'hunter2', salt=bytes(range(16)), n=1024, r=8, p=1, dklen=32), in Base64 without padding
        let text = "$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$DXBGFk5ctjv6hJ1qqn6/vDJxvAFTl2yR3xWBXu/gyII"
        #expect(try PasswordHash(text: text).matches("hunter2"))
        #expect(try !PasswordHash(text: text).matches("hunter3"))
        #expect(try PasswordHash(text: text).text == text)
    }

    @Test(
        "Text of another form is refused",
        arguments: [
            "", "$", "scrypt", "$scrypt$$$", "$scrypt$ln=4,r=1,p=1$AAECAwQFBgcICQoLDA0ODw",
            "$argon2$ln=4,r=1,p=1$AAEC$AAEC",
            "$scrypt$ln=4,r=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
            "$scrypt$r=1,ln=4,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
            "$scrypt$ln=4,r=1,p=1,q=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
            "$scrypt$ln=four,r=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
            "$scrypt$ln=99,r=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
            "$scrypt$ln=4,r=1,p=1$$AAECAwQFBgcICQoLDA0ODw", "$scrypt$ln=4,r=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAEC",
            "$scrypt$ln=4,r=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0OD!",
            "$scrypt$ln=4,r=1,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw$",
            String(repeating: "$", count: 10_000),
        ])
    func textAnotherForm(text: String) {
        expectRefusal(.malformed, text) { try PasswordHash(text: text) }
    }

    @Test("A damaged hash is refused or matches no more than before", .mutationTimeLimit) func damagedHashRefused()
        throws
    {
        let hash = try PasswordHash("correct", scrypt: Self.cheap())
        #expect(try PasswordHash(text: hash.text).matches("correct"))
        for mutant in Mutants("Password hashes", of: [hash.text], rounds: 3000) {
            guard let read = reading(mutant, { try PasswordHash(text: mutant.text) }) else { continue }
            #expect(reading(mutant) { try PasswordHash(text: read.text) } == read, "\(mutant)")
            // Parameters may have become expensive ones; only equal ones are tried out.
            if read.text.hasPrefix("$scrypt$ln=4,r=1,p=1$") {
                #expect(reading(mutant) { try read.matches("incorrect") } != true, "\(mutant)")
            }
        }
    }

    @Test("Secrets are equal only if every byte is") func secretsEqualOnly() {
        #expect(SecretComparison.areEqual([], []))
        #expect(SecretComparison.areEqual([1, 2], [1, 2]))
        for other: [UInt8] in [[], [1], [1, 2, 3], [1, 3], [0, 2]] {
            #expect(!SecretComparison.areEqual([1, 2], other))
        }
    }
}
