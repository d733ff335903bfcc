import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreBackend

/// P23: what was missed is found out by asking the store, and each thing counts once.
@Suite(.bounded) struct CatchUpTests {
    @Test func `what was missed is taken, what is known is not taken again, and the next question goes on there`()
        async throws
    {
        var life = try ToldLife()
        life.setRenewal(false)
        life.refund()
        let signed = try Self.signed(life)
        let store = ScriptedStore(
            .json(Self.page([signed[2]], next: "more")), .json(Self.page([signed[1], signed[0]])),
            .json(Self.page([])))
        let scene = try await Self.scene(store)
        let now = life.clock + .seconds(60)
        #expect(try await scene.backend.receive(signedPayload: signed[1], at: now).isNew)
        let caughtUp = try await scene.backend.catchUp(at: now)
        #expect(caughtUp.missed.map(\.signedAt) == [life.statements[0], life.statements[2]].map(\.terms.statedAt))
        #expect(caughtUp.known == 1 && caughtUp.refused == 0 && !caughtUp.hasMore)
        try await scene.bring(life.statements[0].transaction)
        #expect(try await scene.backend.subscriptions(of: scene.ann, at: now).map(\.state) == [.revoked])
        // An hour is asked for again: what was written while the store was asked may be in it.
        _ = try await scene.backend.catchUp(at: now + .seconds(10))
        let spans = try store.asked.map(Self.span)
        #expect(spans.map(\.start) == [now - .seconds(5 * 86_400), now - .seconds(5 * 86_400), now - .seconds(3600)])
        #expect(spans.map(\.end) == [now, now, now + .seconds(10)])
        #expect(store.asked[1].target.hasSuffix("?paginationToken=more"))
    }

    @Test func `a store that fails half way loses nothing of what was taken, and is asked from there`() async throws {
        let life = try ToldLife()
        let store = ScriptedStore(
            .json(Self.page(try Self.signed(life))), .json("{}", status: 400), .json(Self.page([])))
        let scene = try await Self.scene(store) { $0.limits.historySeconds = 14 * 86_400 }
        let now = life.clock + .seconds(60)
        let failure = await #expect(throws: BackendError.self) { try await scene.backend.catchUp(at: now) }
        #expect(failure?.code == .storeUnavailable)
        #expect(try await scene.bring(life.latest)?.isNew == true)
        #expect(try await scene.backend.subscriptions(of: scene.ann, at: now).first?.renews == true)
        #expect(try await scene.backend.catchUp(at: now).known == 0)
        #expect(try Self.span(store.asked[2]).start == now - .seconds(7 * 86_400 + 3600))
    }

    @Test func `pages are limited and go on where they ended, and what nobody can verify is left out`() async throws {
        let life = try ToldLife()
        let signed = try Self.signed(life)
        let store = ScriptedStore(
            .json(Self.page([String(signed[0].dropLast(4)) + "AAAA", "x"], next: "a")),
            .json(Self.page(signed, next: "b")), .json(Self.page(signed, next: "c")),
            // It has forgotten the page, so the span begins anew.
            .error(4_000_014), .json(Self.page(signed)))
        let scene = try await Self.scene(store) { $0.limits.pagesPerCatchUp = 2 }
        let caughtUp = try await scene.backend.catchUp(at: life.clock)
        #expect(caughtUp.refused == 2 && caughtUp.missed.count == 1 && caughtUp.hasMore)
        #expect(store.asked.count == 2)
        let later = life.clock + .seconds(60)
        let second = try await scene.backend.catchUp(at: later)
        #expect(second.known == 1 && second.hasMore)
        #expect(store.asked[2].target.hasSuffix("?paginationToken=b"))
        #expect(store.asked[3].target.hasSuffix("?paginationToken=c"))
        #expect(try Set(store.asked.map { try Self.span($0).end }) == [life.clock])
        let last = try await scene.backend.catchUp(at: later)
        #expect(last.known == 1 && !last.hasMore)
        #expect(!store.asked[4].target.contains("paginationToken"))
        #expect(try Self.span(store.asked[4]).end == later)
    }

    @Test func `a subscription of which nobody said what came next is asked for, once in an hour`() async throws {
        var life = try ToldLife()
        let first = life.statements[0]
        try life.renew()
        let (renewed, keys) = (try #require(life.statements.last), try SampleKeys.of(.sandbox).jwsSigner())
        let now = renewed.transaction.purchaseDate + ToldLife.day
        var terms = renewed.terms
        terms.statedAt = now
        let standing = try """
        {"data":[{"lastTransactions":[{"status":1,"originalTransactionId":"\(first.transaction.transactionID)",
        "signedTransactionInfo":"\(keys.sign(encoding: renewed.transaction.payload(signedAt: now), at: now))",
        "signedRenewalInfo":"\(keys.sign(encoding: renewed.transaction.renewal(terms), at: now))"}]}]}
        """
        let store = ScriptedStore(
            .json(Self.page([])), .error(4_040_001), .json(Self.page([])), .json(Self.page([])), .json(standing),
            .json(Self.page([])))
        let scene = try await Self.scene(store) { $0.limits.historySeconds = 86_400 }
        try await scene.bring(first.transaction)
        try await scene.tell(first, id: NotificationID(UUID()))
        func state() async throws -> [BackendSubscription.State] {
            try await scene.backend.subscriptions(of: scene.ann, at: now).map(\.state)
        }
        #expect(try await state() == [.expired])
        // The store has forgotten it; it is not asked again at once.
        #expect(try await scene.backend.catchUp(at: now).subscriptions == 1)
        #expect(try await scene.backend.catchUp(at: now + .seconds(60)).subscriptions == 0)
        #expect(try await scene.backend.catchUp(at: now + .seconds(3700)).subscriptions == 1)
        #expect(try await state() == [.active])
        #expect(try await scene.backend.catchUp(at: now + .seconds(7400)).subscriptions == 0)
        let questions = store.asked.map(\.target).filter { $0.contains("/subscriptions/") }
        #expect(questions == Array(repeating: "/inApps/v1/subscriptions/\(first.transaction.transactionID)", count: 2))
    }

    @Test func `a store whose clock is ahead is asked for all that it keeps, by its own clock if it must be`()
        async throws
    {
        var life = try ToldLife()
        life.setRenewal(false)
        life.refund()
        let signed = try Self.signed(life)
        // It does not go back as far as our clock.
        let store = ScriptedStore(.error(4_000_012), .json(Self.page([signed[1]])), .json(Self.page([signed[2]])))
        let scene = try await Self.scene(store)
        let now = ToldLife.start - ToldLife.day * 1000
        _ = try await scene.backend.receive(signedPayload: signed[0], at: now)
        #expect(try await scene.backend.catchUp(at: now).missed.count == 1)
        let begins = try store.asked.map { try Self.span($0).start }
        #expect(begins == [now - ToldLife.day * 5, life.statements[0].terms.statedAt - ToldLife.day * 5])
        #expect(try Self.span(store.asked[1]).end > life.clock)
        // Its clock was set back.
        #expect(try await scene.backend.catchUp(at: now).missed.count == 1)
        #expect(store.asked.count == 3)
    }

    @Test func `an environment that cannot be asked keeps no other from being asked`() async throws {
        let life = try ToldLife()
        let (refusing, answering) = (
            ScriptedStore(.json("", status: 401)), ScriptedStore(.json(Self.page(try Self.signed(life))))
        )
        let scene = try await Self.scene(answering, production: refusing)
        let caughtUp = try await scene.backend.catchUp(at: life.clock)
        #expect(caughtUp.missed.count == 1)
        #expect(caughtUp.failures.map(\.environment) == [.production])
        #expect(caughtUp.failures.map(\.error.code) == [.storeKeyRefused])
        #expect(caughtUp.failures.map(\.bundleID?.text) == [ToldBackend.bundleID])
    }

    @Test func `without a store there is nobody to ask`() async throws {
        let failure = await #expect(throws: BackendError.self) {
            try await ToldBackend().backend.catchUp(at: ToldLife.start)
        }
        #expect(failure?.code == .storeUnavailable)
    }

    private static func scene(
        _ store: ScriptedStore, production: ScriptedStore? = nil,
        changing change: (inout BackendSettings) -> Void = { _ in }
    ) async throws -> ToldBackend {
        let keys = try SampleKeys.of(.sandbox)
        let pinned = PinnedStore(.sandbox, roots: keys.roots.values.flatMap { $0 }.map(\.derRepresentation))
        let key = try StoreKey(
            issuerID: "issuer", keyID: "KEY", privateKey: PrivateKey.p256().pemRepresentation())
        return try await ToldBackend(
            notifications: NotificationVerifier([pinned], bundleIDs: [BundleID(parsing: ToldBackend.bundleID)]),
            store: .scripted(
                [.sandbox: store].merging(production.map { [.production: $0] } ?? [:]) { $1 }, key: key)
        ) { settings in
            settings.limits.historySeconds = 5 * 86_400
            change(&settings)
        }
    }

    /// The notifications of a life, as the store signs them.
    private static func signed(_ life: ToldLife) throws -> [String] {
        let signer = try SampleKeys.of(.sandbox).jwsSigner()
        return try life.statements.map { statement in
            let transaction = statement.transaction
            var payload = try ToldBackend.notification(
                .didRenew, NotificationID(UUID()), transaction, renewal: statement.terms
            ).payload
            payload.data?.signedTransactionInfo = try signer.sign(
                encoding: transaction.payload(signedAt: transaction.statedAt), at: transaction.statedAt)
            payload.data?.signedRenewalInfo = try signer.sign(
                encoding: transaction.renewal(statement.terms), at: transaction.statedAt)
            return try signer.sign(encoding: payload, at: transaction.statedAt)
        }
    }

    private static func page(_ signed: [String], next: String? = nil) -> String {
        let items = signed.map { #"{"signedPayload":"\#($0)"}"# }.joined(separator: ",")
        let token = next.map { #","paginationToken":"\#($0)""# } ?? ""
        return #"{"notificationHistory":[\#(items)],"hasMore":\#(next != nil)\#(token)}"#
    }

    private struct Span: Decodable {
        let startDate: Instant
        let endDate: Instant
        var start: Instant { startDate }
        var end: Instant { endDate }
    }

    private static func span(_ request: TransportRequest) throws -> Span {
        guard case .collected(let body) = request.body else { return try #require(nil) }
        return try JSONDecoder().decode(Span.self, from: Data(body))
    }
}
