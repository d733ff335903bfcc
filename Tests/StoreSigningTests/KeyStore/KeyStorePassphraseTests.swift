import StoreModel
import Testing

@testable import StoreSigning

@Suite struct KeyStorePassphraseTests {
    private let passphrase = Array("grün 🗝️".utf8)

    @Test("A passphrase protects every key, and rotation keeps it") func passphraseProtectsEvery() throws {
        let temporary = try TemporaryKeyStore(empty: true)
        let store = temporary.store
        #expect(try store.create(.sandbox, organization: "Corner Shop", passphrase: passphrase, at: Fixture.now))
        #expect(try store.isProtected(.sandbox))
        for name in try temporary.fileNames where name.hasSuffix(".key") {
            #expect(PrivateKey.isEncrypted(String(decoding: try temporary.read(name), as: UTF8.self)), "\(name)")
        }
        for wrong in [nil, [], Array("grün".utf8)] {
            expectRefusal(.wrongPassphrase) { try store.load(.sandbox, passphrase: wrong) }
            expectRefusal(.wrongPassphrase) {
                try store.rotate(.sandbox, purposes: [.jws], from: .leaf, passphrase: wrong, at: Fixture.now)
            }
        }
        let before = try store.load(.sandbox, passphrase: passphrase)
        let jws = try before.jwsSigner().sign(Array(JWSForge.payload.utf8), at: Fixture.now)
        try store.rotate(.sandbox, purposes: [.jws], from: .leaf, passphrase: passphrase, at: Fixture.now)
        #expect(PrivateKey.isEncrypted(String(decoding: try temporary.read("jws-leaf-2.key"), as: UTF8.self)))
        let after = try store.load(.sandbox, passphrase: passphrase)
        #expect(try after.jwsVerifier().verify(jws).signedAt == Fixture.now)
    }

    @Test("A plain store is not protected by a passphrase given to a rotation") func plainStoreNot() throws {
        let temporary = try TemporaryKeyStore()
        try temporary.store.rotate(
            .sandbox, purposes: [.jws], from: .leaf, passphrase: passphrase, at: Fixture.now)
        #expect(try !temporary.store.isProtected(.sandbox))
        #expect(throws: Never.self) { try temporary.store.load(.sandbox) }
    }
}
