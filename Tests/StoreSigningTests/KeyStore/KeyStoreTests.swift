import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

@Suite struct KeyStoreTests {
    private let now = Fixture.now
    private let temporary: TemporaryKeyStore
    private var store: KeyStore { temporary.store }

    init() throws {
        temporary = try TemporaryKeyStore()
    }

    private func sign() throws -> String {
        try store.load(.sandbox).jwsSigner().sign(Array(JWSForge.payload.utf8), at: now)
    }

    private func verify(_ jws: String) throws -> VerifiedJWS { try store.load(.sandbox).jwsVerifier().verify(jws) }

    private func later(_ days: Int64) -> Instant { now.adding(milliseconds: days * 86_400_000) }

    // MARK: Use

    @Test("Its keys sign and verify everything that a store signs") func keysSignVerify() throws {
        let keys = try store.load(.sandbox)
        #expect(try verify(sign()).signedAt == now)
        let receipt = SampleReceipts.plain()
        #expect(try keys.receiptVerifier().verify(keys.receiptSigner().sign(receipt)).receipt == receipt)
        let old = TransactionReceipt(
            productID: "p", transactionID: "1", originalTransactionID: "1", purchaseDate: now,
            originalPurchaseDate: now, itemID: "1", bundleID: "b", applicationVersion: "1", uniqueIdentifier: "u",
            uniqueVendorIdentifier: "v")
        #expect(try keys.transactionReceiptVerifier().verify(keys.transactionReceiptSigner().sign(old)) == old)
    }

    @Test("Keys are made once") func keysMadeOnce() throws {
        let before = try temporary.read("keyring.json")
        #expect(try !store.create(.sandbox, organization: "Another", at: later(1)))
        #expect(try temporary.read("keyring.json") == before)
    }

    @Test("Without keys it says so") func withoutKeysSays() throws {
        let empty = try TemporaryKeyStore(empty: true)
        expectRefusal(.keyStoreMissing) { try empty.store.load(.sandbox) }
        expectRefusal(.keyStoreMissing) { try empty.store.rotate(.sandbox, from: .leaf, at: now) }
        expectRefusal(.keyStoreMissing) { try store.load(.production) }
    }

    @Test("Private keys, and all else, are closed to others") func privateKeysAll() throws {
        for name in try temporary.fileNames { #expect(try temporary.mode(temporary.path(name)) == 0o600, "\(name)") }
        #expect(try temporary.mode(store.path) == 0o700)
        #expect(try temporary.mode(temporary.path("")) == 0o700)
    }

    @Test("A private key open to others is not used", arguments: [0o640, 0o604, 0o644, 0o660]) func privateKeyOpen(
        mode: Int
    ) throws {
        try temporary.setMode(mode, of: "jws-leaf-1.key")
        expectRefusal(.keyStore) { try store.load(.sandbox) }
        try temporary.setMode(0o600, of: "jws-leaf-1.key")
        #expect(throws: Never.self) { try store.load(.sandbox) }
    }

    // MARK: Rotation

    @Test("What was signed before a rotation goes on verifying (X11)", arguments: CertificateRole.chain)
    func whatWasSigned(role: CertificateRole) throws {
        let before = try sign()
        try store.rotate(.sandbox, purposes: [.jws], from: role, at: later(1))
        let after = try sign()
        #expect(try verify(before).signedAt == now)
        #expect(try verify(after).signedAt == now)
        let (old, new) = try (verify(before).chain.chain, verify(after).chain.chain)
        #expect(try old.leaf.fingerprint != new.leaf.fingerprint)
        #expect(try (old.intermediate.fingerprint == new.intermediate.fingerprint) == (role == .leaf))
        #expect(try (old.root.fingerprint == new.root.fingerprint) == (role != .root))
        #expect(
            try store.keyring(.sandbox).entries.count { $0.retiredAt == later(1) }
                == [.root: 4, .intermediate: 3, .leaf: 1][role])
    }

    @Test("What was signed before a revocation does not", arguments: CertificateRole.chain)
    func whatWasSignedBefore(role: CertificateRole) throws {
        let before = try sign()
        try store.rotate(.sandbox, purposes: [.jws], from: role, revoking: true, at: later(1))
        #expect(throws: SigningError.self) { try verify(before) }
        #expect(try verify(sign()).signedAt == now)
        #expect(try store.keyring(.sandbox).entries.contains { $0.role == role && $0.revokedAt == later(1) })
    }

    @Test("What was signed long ago is signed anew under certificates that were made since (X11)")
    func signedAnew() throws {
        let production = try TemporaryKeyStore(empty: true)
        _ = try production.store.create(.production, organization: "Corner Shop", at: now)
        for role in CertificateRole.chain {
            try production.store.rotate(.production, purposes: [.jws], from: role, at: later(400))
            let keys = try production.store.load(.production)
            let jws = try keys.jwsSigner().sign(Array(JWSForge.payload.utf8), at: now)
            #expect(try keys.jwsVerifier().verify(jws).signedAt == now, "\(role)")
        }
    }

    // MARK: Online checks

    private static let address = "http://127.0.0.1:8081/ocsp/sandbox"

    @Test("Keys of a store without an address get one, and keep it when they are replaced") func addressKept() throws {
        #expect(try store.onlineChecks(of: .sandbox) == nil)
        #expect(try store.moveOnlineChecks(of: .sandbox, to: Self.address, at: later(1)))
        #expect(try store.onlineChecks(of: .sandbox) == Self.address)
        try store.rotate(.sandbox, from: .leaf, at: later(2))
        #expect(try store.onlineChecks(of: .sandbox) == Self.address)
        let keys = try store.load(.sandbox)
        #expect(keys.current[.jws]?.chain.certificates.map(\.onlineChecks) == [Self.address, Self.address, nil])
        #expect(keys.current[.receipt]?.chain.certificates.map(\.onlineChecks) == [nil, nil, nil])
    }

    @Test("However often the address changes, the root stays and few files are left") func addressChanges() throws {
        let before = try sign()
        let root = try store.keyring(.sandbox).current(.jws, .root)
        for round in 1...(2 * Int64(KeyStore.keptReplacements)) {
            #expect(try store.moveOnlineChecks(of: .sandbox, to: "http://127.0.0.1:\(round)", at: later(round)))
        }
        let keyring = try store.keyring(.sandbox)
        #expect(try keyring.current(.jws, .root) == root)
        #expect(keyring.entries.count { $0.role == .leaf && $0.purpose == .jws } == KeyStore.keptReplacements + 1)
        #expect(try temporary.fileNames.count == 2 * keyring.entries.count + 1)
        #expect(try verify(before).signedAt == now)
        #expect(try verify(sign()).signedAt == now)
    }

    @Test("A certificate that was revoked is never forgotten") func revokedKept() throws {
        try store.rotate(.sandbox, purposes: [.jws], from: .leaf, revoking: true, at: later(1))
        let revoked = try store.keyring(.sandbox).entries.filter { $0.revokedAt != nil }
        for round in 2...(2 + Int64(KeyStore.keptReplacements)) {
            _ = try store.moveOnlineChecks(of: .sandbox, to: "http://127.0.0.1:\(round)", at: later(round))
        }
        #expect(try store.keyring(.sandbox).entries.filter { $0.revokedAt != nil } == revoked)
    }

    @Test("The address does not change while the root's key is elsewhere") func addressWithoutRoot() throws {
        try FileManager.default.removeItem(atPath: temporary.path("jws-root-1.key"))
        #expect(try !store.moveOnlineChecks(of: .sandbox, to: Self.address, at: later(1)))
        #expect(try store.onlineChecks(of: .sandbox) == nil)
    }

    // MARK: Changing at once

    @Test("A rotation that another process is making is refused") func rotationAnotherProcess() throws {
        try PrivateFile.hold(lock: store.path + "/lock") {
            expectRefusal(.keyStoreBusy) { try store.rotate(.sandbox, purposes: [.jws], from: .leaf, at: later(1)) }
        }
        #expect(throws: Never.self) { try store.rotate(.sandbox, purposes: [.jws], from: .leaf, at: later(1)) }
    }

    @Test("A root whose key is kept elsewhere still verifies, and signs nothing new") func rootWhoseKey() throws {
        try FileManager.default.removeItem(atPath: temporary.path("jws-root-1.key"))
        #expect(try verify(sign()).signedAt == now)
        expectRefusal(.keyStore) { try store.rotate(.sandbox, purposes: [.jws], from: .intermediate, at: later(1)) }
        #expect(throws: Never.self) { try store.rotate(.sandbox, purposes: [.jws], from: .leaf, at: later(1)) }
    }

    // MARK: Damage

    @Test(
        "A file that is missing, empty, damaged or another's is noticed",
        arguments: [
            "jws-leaf-1.key", "jws-leaf-1.pem", "jws-intermediate-1.pem", "jws-root-1.pem", "receipt-leaf-1.key",
        ])
    func fileMissingEmpty(name: String) throws {
        let genuine = try temporary.read(name)
        let (own, foreign) = name.hasPrefix("jws") ? ("jws", "receipt") : ("receipt", "jws")
        let other = name.replacing(own, with: foreign)
        for bytes in try [[], genuine.dropLast(60), temporary.read(other), [UInt8](repeating: 0, count: 100_000)] {
            try temporary.write(Array(bytes), to: name)
            #expect(throws: SigningError.self) { try store.load(.sandbox) }
        }
        try temporary.write(genuine, to: name)
        #expect(throws: Never.self) { try store.load(.sandbox) }
        try FileManager.default.removeItem(atPath: temporary.path(name))
        expectRefusal(.keyStore) { try store.load(.sandbox) }
    }

    @Test("A link in place of a file is not followed") func linkPlaceFile() throws {
        let name = temporary.path("jws-leaf-1.key")
        try FileManager.default.moveItem(atPath: name, toPath: name + ".moved")
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: name + ".moved")
        expectRefusal(.keyStore) { try store.load(.sandbox) }
    }

    @Test("A keyring of another form, environment or number is refused") func keyringAnotherForm() throws {
        let text = String(decoding: try temporary.read("keyring.json"), as: UTF8.self)
        for (from, to) in [
            (#""format" : 1"#, #""format" : 2"#), (#""environment" : "sandbox""#, #""environment" : "production""#),
            (#""number" : 1"#, #""number" : 9223372036854775807"#), (#""number" : 1"#, #""number" : 0"#),
            (#""number" : 1"#, #""number" : -1"#), (#""purpose" : "jws""#, #""purpose" : "../jws""#),
            (#""role" : "leaf""#, #""role" : "root""#),
        ] {
            let changed = text.replacing(from, with: to)
            #expect(changed != text)
            try temporary.write(Array(changed.utf8), to: "keyring.json")
            expectRefusal(.keyStore, to) { try store.load(.sandbox) }
            #expect(throws: SigningError.self) {
                try store.rotate(.sandbox, purposes: [.jws], from: .leaf, at: later(1))
            }
        }
    }

    @Test("A revocation whose fingerprint is damaged is noticed, not forgotten") func revocationWhoseFingerprint()
        throws
    {
        try store.rotate(.sandbox, purposes: [.jws], from: .leaf, revoking: true, at: later(1))
        let revoked = try #require(store.keyring(.sandbox).entries.first { $0.revokedAt != nil }).fingerprint
        let text = String(decoding: try temporary.read("keyring.json"), as: UTF8.self)
        for damaged in [String(revoked.dropLast()), String(revoked.dropLast(2)), "x" + revoked.dropFirst(), ""] {
            try temporary.write(Array(text.replacing(revoked, with: damaged).utf8), to: "keyring.json")
            expectRefusal(.keyStore, damaged) { try store.load(.sandbox) }
        }
    }

    @Test("A damaged keyring is refused or names the same certificates", .mutationTimeLimit)
    func damagedKeyringRefused() throws {
        let genuine = try temporary.read("keyring.json")
        let expected = try store.load(.sandbox).current[.jws]?.chain.leaf.fingerprint
        for mutant in Mutants("Keyrings", of: [genuine], rounds: 300) {
            try temporary.write(mutant.bytes, to: "keyring.json")
            guard let keys = reading(mutant, { try store.load(.sandbox) }) else { continue }
            #expect(try keys.current[.jws]?.chain.leaf.fingerprint == expected, "\(mutant)")
        }
    }
}
