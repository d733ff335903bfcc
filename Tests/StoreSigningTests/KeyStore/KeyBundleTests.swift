import StoreModel
import Testing

@testable import StoreSigning

/// Keys of two servers of one store, which begin with the same.
@Suite struct KeyBundleTests {
    private let one: TemporaryKeyStore
    private let other: TemporaryKeyStore

    init() throws {
        one = try TemporaryKeyStore()
        other = try TemporaryKeyStore()
    }

    private func sign(_ temporary: TemporaryKeyStore) throws -> String {
        try temporary.store.load(.sandbox).jwsSigner().sign(Array(JWSForge.payload.utf8), at: Fixture.now)
    }

    @Test("X11: A server takes the keys that another has made since, and nothing that is not what became of its own")
    func later() throws {
        let former = try one.store.bundle([.sandbox])
        try one.store.rotate(.sandbox, from: .leaf, revoking: true, at: Fixture.now.adding(milliseconds: 1000))
        let bundle = try one.store.bundle([.sandbox])
        #expect(try other.store.add(bundle, passphrase: nil) == [.sandbox])
        #expect(try other.store.keyring(.sandbox) == one.store.keyring(.sandbox))
        #expect(try other.fileNames == one.fileNames)
        #expect(try one.store.load(.sandbox).jwsVerifier().verify(sign(other)).signedAt == Fixture.now)
        #expect(try other.store.add(bundle, passphrase: nil) == [])
        // What is revoked does not count again, whoever brings it.
        expectRefusal(.keyStore) { try other.store.add(former, passphrase: nil) }
        for temporary in [one, other] {
            try temporary.store.rotate(
                .sandbox, purposes: [.jws], from: .leaf, at: Fixture.now.adding(milliseconds: 2000))
        }
        expectRefusal(.keyStore) { try one.store.add(other.store.bundle([.sandbox]), passphrase: nil) }
    }

    @Test("X11: What another server has revoked is void here, what is in use as well")
    func revokedElsewhere() throws {
        let old = try sign(other)
        try one.store.rotate(.sandbox, from: .leaf, revoking: true, at: Fixture.now.adding(milliseconds: 1000))
        let keys = try other.store.load(.sandbox)
        #expect(try keys.jwsVerifier().verify(old).signedAt == Fixture.now)
        let revoked = try one.store.load(.sandbox).revoked
        #expect(revoked.count == 2)
        let void = try keys.revoking(revoked)
        expectRefusal(.revokedCertificate) { try void.jwsVerifier().verify(old) }
        expectRefusal(.signerRevoked) { try void.jwsSigner() }
        expectRefusal(.signerRevoked) { try void.receiptSigner() }
        #expect(try void.jwsVerifier().verify(sign(one)).signedAt == Fixture.now)
        #expect(void.roots[.jws]?.count == 1)

        try one.store.rotate(.sandbox, from: .root, revoking: true, at: Fixture.now.adding(milliseconds: 2000))
        let rootless = try keys.revoking(one.store.load(.sandbox).revoked)
        #expect(rootless.roots[.jws]?.isEmpty == true)
        expectRefusal(.untrustedChain) { try rootless.jwsVerifier().verify(old) }
    }
}
