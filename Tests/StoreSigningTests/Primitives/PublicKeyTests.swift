import COpenSSL
import TestSupport
import Testing

@testable import StoreSigning

@Suite struct PublicKeyTests {
    private let message = GoldenSignatures.message

    @Test(
        "Verifies what the openssl command signed",
        arguments: [
            (GoldenKeys.p256, GoldenSignatures.p256SHA256, DigestAlgorithm.sha256),
            (GoldenKeys.p256, GoldenSignatures.p256SHA1, .sha1),
            (GoldenKeys.p384, GoldenSignatures.p384SHA384, .sha384),
            (GoldenKeys.rsa, GoldenSignatures.rsaSHA1, .sha1), (GoldenKeys.rsa, GoldenSignatures.rsaSHA256, .sha256),
        ])
    func verifiesWhatOpenssl(golden: GoldenKey, signature: String, digest: DigestAlgorithm)
        throws
    {
        let key = try golden.privateKey().publicKey
        let signature = try #require(Base64.decode(signature))
        #expect(try key.isValidSignature(signature, for: message, digest: digest))
        #expect(try !key.isValidSignature(signature, for: message.dropLast(), digest: digest))
    }

    @Test("Reads and writes PEM and DER") func readsWritesPEM() throws {
        for (pem, algorithm) in [(GoldenKeys.p256Public.pem, KeyAlgorithm.p256), (GoldenKeys.rsaPublic.pem, .rsa)] {
            let key = try PublicKey(pemRepresentation: pem)
            #expect(key.algorithm == algorithm)
            #expect(try key.pemRepresentation == pem + "\n")
            #expect(try PublicKey(derRepresentation: key.derRepresentation).pemRepresentation == pem + "\n")
        }
    }

    @Test("Refuses a key of another kind than the three") func refusesKeyAnother() throws {
        expectRefusal(.algorithmNotAllowed) { try PublicKey(pemRepresentation: GoldenKeys.ed25519Public.pem) }
        let body = GoldenKeys.ed25519Public.pem.split(separator: "\n")[1]
        let der = try #require(Base64.decode(body))
        expectRefusal(.algorithmNotAllowed) { try PublicKey(derRepresentation: der) }
    }

    @Test("Refuses bytes after the key, cut keys and oversize ones") func refusesBytesAfter() throws {
        let der = try PublicKey(pemRepresentation: GoldenKeys.p256Public.pem).derRepresentation
        expectRefusal(.malformed) { try PublicKey(derRepresentation: der + [0]) }
        for count in 0..<der.count {
            expectRefusal(.malformed, "\(count)") { try PublicKey(derRepresentation: Array(der.prefix(count))) }
        }
        let room = [UInt8](repeating: 0, count: SigningLimits.keyFileBytes)
        expectRefusal(.tooLarge) { try PublicKey(derRepresentation: der + room) }
        expectRefusal(.tooLarge) {
            try PublicKey(pemRepresentation: GoldenKeys.p256Public.pem + String(decoding: room, as: UTF8.self))
        }
    }

    @Test(
        "Refuses text that holds no public key",
        arguments: [
            "", "no key", GoldenKeys.p256.pem, "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n",
        ])
    func refusesTextHolds(pem: String) {
        expectRefusal(.malformed) { try PublicKey(pemRepresentation: pem) }
    }

    @Test("A damaged public key is refused or verifies nothing", .mutationTimeLimit) func damagedPublicKey() throws {
        let keys = try [GoldenKeys.p256Public.pem, GoldenKeys.rsaPublic.pem].map {
            try PublicKey(pemRepresentation: $0).derRepresentation
        }
        let signatures = try [GoldenSignatures.p256SHA256, GoldenSignatures.rsaSHA256].map {
            try #require(Base64.decode($0))
        }
        for (key, signature) in zip(keys, signatures) {
            #expect(try PublicKey(derRepresentation: key).isValidSignature(signature, for: message))
        }
        for mutant in Mutants("Public keys", of: keys, rounds: 1000) {
            guard let key = reading(mutant, { try PublicKey(derRepresentation: mutant.bytes) }) else { continue }
            let isValid = reading(mutant) { try key.isValidSignature(signatures[mutant.origin], for: message) }
            guard isValid == true else { continue }
            // Another encoding of the same key, such as the hybrid form of a point, may verify; another key may not.
            let original = try PublicKey(derRepresentation: keys[mutant.origin])
            #expect(EVP_PKEY_eq(key.handle.pointer, original.handle.pointer) == 1, "\(mutant)")
        }
    }

    @Test("A damaged signature is refused", .mutationTimeLimit) func damagedSignatureRefused() throws {
        let keys = try [GoldenKeys.p256Public.pem, GoldenKeys.rsaPublic.pem].map {
            try PublicKey(pemRepresentation: $0)
        }
        let signatures = try [GoldenSignatures.p256SHA256, GoldenSignatures.rsaSHA256].map {
            try #require(Base64.decode($0))
        }
        for (key, signature) in zip(keys, signatures) { #expect(try key.isValidSignature(signature, for: message)) }
        for mutant in Mutants("Signatures", of: signatures, rounds: 2000) {
            #expect(try !keys[mutant.origin].isValidSignature(mutant.bytes, for: message), "\(mutant)")
        }
    }
}
