import StoreDatabase
import StoreModel
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("Keys of a store that runs", .bounded)
struct KeyWatchTests {
    /// A server of a database, with keys in a folder of its own.
    private struct Server {
        let keys: KeyStore
        let store: EnvironmentStore
        let watch: KeyWatch

        init(_ name: String, _ scene: SaleScene, _ databases: StoreDatabases) throws {
            let keys = try SampleKeys.copy()
            let loaded = try keys.load(.sandbox)
            let store = try EnvironmentStore.sample(
                of: databases, processor: scene.processor, signers: EnvironmentSigners(loaded),
                wall: scene.time.reading)
            (self.keys, self.store) = (keys, store)
            watch = KeyWatch(
                store, loaded, as: name, load: { try keys.load(.sandbox) },
                take: { [store] in store.take(try EnvironmentSigners($0)) })
        }

        func sign() throws -> String {
            try store.signers.jws.sign(Array(#"{"signedDate":1795000000000}"#.utf8), at: SampleKeys.madeAt)
        }

        func refusal(of text: String) -> SigningError.Code? {
            do {
                _ = try store.signers.jwsVerifier.verify(text)
                return nil
            } catch {
                return (error as? SigningError)?.code
            }
        }
    }

    @Test(
        "X11: What is revoked on one server is void on all of its database, and whoever has no other keys signs nothing",
        arguments: StoreEngine.allCases)
    func revoked(_ engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let scene = try SaleScene(databases)
            let (one, other) = (try Server("one", scene, databases), try Server("other", scene, databases))
            for server in [one, other] { try await server.watch.refresh() }
            #expect(try await one.watch.others().map(\.signs) == [true, true])
            let stolen = try other.sign()
            #expect(one.refusal(of: stolen) == nil)

            try one.keys.rotate(.sandbox, from: .leaf, revoking: true, at: SampleKeys.madeAt + .seconds(60))
            try await one.watch.refresh()
            #expect(one.refusal(of: stolen) == .revokedCertificate)
            try await other.watch.look()
            #expect(other.refusal(of: stolen) == .revokedCertificate)
            #expect(throws: SigningError.self) { try other.sign() }
            #expect(throws: SigningError.self) { try other.store.signers.requireUsable() }
            #expect(try other.refusal(of: one.sign()) == nil)
            let servers = try await one.watch.others()
            #expect(
                servers == [.init(name: "one", known: 2, signs: true), .init(name: "other", known: 2, signs: false)])

            #expect(try other.keys.add(one.keys.bundle([.sandbox]), passphrase: nil) == [.sandbox])
            try await other.watch.refresh()
            #expect(try one.refusal(of: other.sign()) == nil)
            #expect(try await one.watch.others().map(\.signs) == [true, true])
            await other.watch.leave()
            #expect(try await one.watch.others().map(\.name) == ["one"])
        }
    }

    @Test("A server that takes no note is waited for as long as it says that it is there, and a minute at most")
    func waiting() async throws {
        try await StoreEngine.memory.withStore { databases in
            let time = SceneTime()
            let database = databases.sandbox
            @Sendable func note(_ name: String, _ known: Int) async throws {
                let now = time.current
                try await database.write { transaction in
                    try KeyRevocations.note(.init(name: name, known: known, signs: true), at: now, in: transaction)
                }
            }
            func late(beating: Bool) async throws -> (names: [String], seconds: Duration) {
                let start = time.current
                let servers = try await KeyRevocations.wait(for: 1, in: database, wall: time.reading) {
                    time.pass(.seconds(10))
                    if beating { try await note("hangs", 0) }
                }
                return (servers.filter { $0.known < 1 }.map(\.name), time.current - start)
            }
            try await note("one", 1)
            try await note("hangs", 0)
            #expect(try await late(beating: false) == ([], .seconds(30)))
            try await note("hangs", 0)
            #expect(try await late(beating: true) == (["hangs"], .seconds(60)))
        }
    }

    @Test("X11: A receipt that was found genuine is none any more once its certificate is void")
    func receipts() async throws {
        let databases = try await StoreDatabases.inMemory(.current())
        let keys = try SampleKeys.of(.sandbox)
        let verification = try ReceiptVerification(keys, other: nil, databases)
        let receipt = AppReceipt(
            type: .sandbox, bundleID: "com.example.app", applicationVersion: "1", creationDate: SampleKeys.madeAt,
            opaqueValue: [1, 2, 3], deviceHash: [4, 5, 6])
        let request = VerificationRequest(
            receipt: try keys.receiptSigner().sign(receipt), password: nil, excludesOldTransactions: false)
        let time = SceneTime()
        let clocks = StoreClocks(commerce: time.reading, wall: time.reading)
        // The third time it is remembered.
        for _ in 0..<3 { _ = try await verification.verify(request, by: clocks) }
        let leaf = try SampleKeys.copy().keyring(.sandbox).current(.receipt, .leaf).fingerprint
        try verification.take(keys.revoking([leaf]), other: nil)
        let refusal = await #expect(throws: ReceiptRefusal.self) { try await verification.verify(request, by: clocks) }
        #expect(refusal?.status == .notAuthentic)
        await databases.close()
    }
}
