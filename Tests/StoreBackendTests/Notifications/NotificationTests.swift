import Foundation
import StoreModel
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreBackend

/// R5.6, P23: what the store tells is recorded once, whenever and however often it comes.
@Suite(.bounded) struct NotificationTests {
    @Test(arguments: SQLDialect.allCases)
    func `lives that are told in any order, with repeats, end with the same rows`(_ dialect: SQLDialect) async throws {
        var generator = RandomizedRun.generator(named: "told backends \(dialect)")
        for _ in 0..<RandomizedRun.cases(dialect == .sqlite ? 6 : 1) {
            try await BackendPlace.with(dialect) { place in
                let database = try dialect == .sqlite ? BackendDatabase.sqlite(path: ":memory:") : place.open()
                defer { database.close() }
                try await told(to: ToldBackend(database), from: &generator)
            }
        }
    }

    private func told(to anyhow: ToldBackend, from generator: inout SplitMix64) async throws {
        let inOrder = try await ToldBackend()
        let lives = try (1...3).map { try ToldLife.random(12, number: $0, from: &generator) }
        let told = lives.flatMap(\.statements).map { (id: NotificationID(UUID()), statement: $0) }
        for (id, statement) in told { try await inOrder.tell(statement, id: id) }
        for life in lives { try await inOrder.bring(life.statements[0].transaction) }
        // The user brings the purchases at any time, too, and the store tells some things twice.
        var steps = told + told.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
        steps.shuffle(using: &generator)
        for life in lives {
            let statement = try #require(life.statements.randomElement(using: &generator))
            try await anyhow.bring(statement.transaction)
        }
        var ids: Set<NotificationID> = []
        for (id, statement) in steps {
            let received = try await anyhow.tell(statement, id: id)
            #expect(received.isNew == ids.insert(id).inserted)
        }
        #expect(try await anyhow.tables() == inOrder.tables())
        let now = lives.map(\.clock).max() ?? ToldLife.start
        let (first, second) = (
            try await inOrder.backend.subscriptions(of: inOrder.ann, at: now),
            try await anyhow.backend.subscriptions(of: anyhow.ann, at: now)
        )
        #expect(first.count == 3 && Set(first) == Set(second))
    }

    @Test func `a refund takes the credit back though it was spent, and its reversal gives it again`() async throws {
        for refundIsFirst in [true, false] {
            let scene = try await ToldBackend()
            let bought = try Self.coins()
            try await scene.bring(bought)
            _ = try await scene.backend.spend(70, of: "coins", key: "k", for: scene.ann, at: ToldLife.start)
            // On a clock that stands still both are of one instant.
            var refunded = bought
            (refunded.revocationDate, refunded.statedAt) = (ToldLife.start, ToldLife.start + .seconds(1))
            var reversed = bought
            reversed.statedAt = refunded.statedAt
            let notifications = try [
                ToldBackend.notification(.refund, NotificationID(UUID()), refunded),
                ToldBackend.notification(.refundReversed, NotificationID(UUID()), reversed),
            ]
            func left() async throws -> [Int64] { try await scene.backend.balances(of: scene.ann).map(\.amount) }
            #expect(try await left() == [30])
            if refundIsFirst {
                #expect(try await scene.backend.take(notifications[0], at: ToldLife.start).transaction == refunded)
                #expect(try await left() == [-70])
                _ = try await scene.backend.take(notifications[1], at: ToldLife.start)
            } else {
                _ = try await scene.backend.take(notifications[1], at: ToldLife.start)
                _ = try await scene.backend.take(notifications[0], at: ToldLife.start)
            }
            #expect(try await left() == [30])
            // P12: a proof from before the refund gives nothing, nor takes anything.
            try await scene.bring(bought)
            #expect(try await left() == [30])
        }
    }

    @Test func `what the store tells before anybody brings it is there when somebody does`() async throws {
        let scene = try await ToldBackend()
        var life = try ToldLife()
        life.refund()
        for statement in life.statements { try await scene.tell(statement, id: NotificationID(UUID())) }
        #expect(try await scene.backend.subscriptions(of: scene.ann, at: life.clock).isEmpty)
        let recorded = try #require(try await scene.bring(life.statements[0].transaction))
        #expect(recorded.state == .takenBack)
        let found = try await scene.backend.subscriptions(of: scene.ann, at: life.clock)
        #expect(found.map(\.state) == [.revoked])
    }

    @Test func `the store says which versions of hosted content are new`() async throws {
        let scene = try await ToldBackend()
        for version in ["1.0", "1.10", "1.9", "1.0"] {
            let content = try NotificationContentData(
                productId: ProductID(parsing: "issue"), contentVersion: ContentVersion(parsing: version),
                contentLength: 9)
            _ = try await scene.backend.take(
                ToldBackend.notification(.contentVersion, NotificationID(UUID()), content: content),
                at: ToldLife.start)
        }
        let app = try BundleID(parsing: ToldBackend.bundleID)
        let found = try await scene.backend.hostedContents(of: app)
        #expect(found.map(\.version.text) == ["1.10", "1.9", "1.0"])
        #expect(found.allSatisfy { $0.bytes == 9 && $0.environment == .sandbox })
        #expect(try await scene.backend.audit().filter { $0.action == .notified }.count == 4)
    }

    @Test func `only what a pinned store has signed for an app of the backend is taken`() async throws {
        let keys = try SampleKeys.of(.sandbox)
        let roots = keys.roots.values.flatMap { $0 }.map(\.derRepresentation)
        let apps = try [BundleID(parsing: ToldBackend.bundleID), BundleID(parsing: "com.example.other")]
        let verifier = try NotificationVerifier([PinnedStore(.sandbox, roots: roots)], bundleIDs: Set(apps))
        let scene = try await ToldBackend(notifications: verifier)
        func signed(_ bundleID: String = ToldBackend.bundleID, _ environment: StoreEnvironment = .sandbox) throws
            -> String
        {
            var payload = try ToldBackend.notification(.test, NotificationID(UUID()), bundleID: bundleID).payload
            payload.data?.environment = WireEnvironment(environment)
            return try SampleKeys.of(environment).jwsSigner().sign(encoding: payload, at: SampleKeys.madeAt)
        }
        func refusal(_ signedPayload: String, by backend: Backend) async -> BackendError.Code? {
            await code { _ = try await backend.receive(signedPayload: signedPayload, at: ToldLife.start) }
        }
        let good = try signed()
        #expect(try await scene.backend.receive(signedPayload: good, at: ToldLife.start).isNew)
        #expect(try await !scene.backend.receive(signedPayload: good, at: ToldLife.start).isNew)
        #expect(await refusal(good, by: try ToldBackend().backend) == .untrustedProof)
        #expect(await refusal(try signed("com.example.other"), by: scene.backend) == .wrongApp)
        #expect(await refusal(try signed(ToldBackend.bundleID, .production), by: scene.backend) == .wrongEnvironment)
        #expect(await refusal(String(good.dropLast(4)) + "AAAA", by: scene.backend) == .untrustedProof)
        #expect(await refusal("", by: scene.backend) == .malformedProof)
        let noted = try await scene.backend.database.transaction {
            try $0.run("SELECT count(*) FROM backend_notification")
        }
        #expect(noted == [SQLRow([.integer(1)])])
    }

    static func coins(_ number: Int64 = 1) throws -> VerifiedTransaction {
        let id = try ToldLife.id(number)
        return try VerifiedTransaction(
            environment: .sandbox, transactionID: id, originalTransactionID: id,
            bundleID: BundleID(parsing: ToldBackend.bundleID), productID: ProductID(parsing: "coins"),
            kind: .consumable, purchaseDate: ToldLife.start, originalPurchaseDate: ToldLife.start,
            statedAt: ToldLife.start)
    }
}
