import Foundation
import StoreBackend
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@Suite struct StoreConnectionTests {
    private static let key = Result {
        let key = try PrivateKey.p256()
        let named = try StoreKey(issuerID: "issuer", keyID: "KEY", privateKey: key.pemRepresentation())
        return (key: named, publicKey: try key.publicKey)
    }

    private static func connection(
        _ stores: [StoreEnvironment: ScriptedStore], limits: StoreLimits = StoreLimits(), waits: Waits = Waits()
    ) throws -> StoreConnection {
        .scripted(stores, key: try key.get().key, limits: limits, waits: waits)
    }

    private static func code(_ body: () async throws -> Void) async -> BackendError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? BackendError)?.code
        }
    }

    @Test func `a question has a token of five minutes for the app that it is about`() async throws {
        let store = ScriptedStore(.json(#"{"signedTransactionInfo":"a.b.c"}"#))
        let connection = try Self.connection([.sandbox: store])
        let id = try SampleProofs.transaction().transactionId
        let signed = try await connection.transaction(id, of: SampleProofs.bundleID(), at: SampleProofs.now)
        #expect(signed == "a.b.c")
        let asked = try #require(store.asked.first)
        #expect(asked.target == "/inApps/v1/transactions/\(id)")
        let field = try #require(asked.fields["Authorization"])
        let token = try BearerToken(
            verifying: String(field.dropFirst("Bearer ".count)), at: SampleProofs.now, lifetime: .serverAPI
        ) { KnownKey(keyID: $0, issuerID: "issuer", publicKey: try Self.key.get().publicKey) }
        #expect(token.claims.bundleID == SampleStore.bundle && token.keyID == "KEY")
        #expect(token.claims.expiresAt == SampleProofs.now + .seconds(300))
    }

    @Test func `pages, statuses and notifications are read as the store has them`() async throws {
        let app = try SampleProofs.bundleID()
        let id = try SampleProofs.transaction().transactionId
        let history = ScriptedStore(
            .json(
                #"{"revision":"a b/+","hasMore":true,"bundleId":"x","signedTransactions":["1"]}"#
            ),
            .json(#"{"revision":"r2","hasMore":false,"signedTransactions":[]}"#))
        let connection = try Self.connection([.sandbox: history])
        let first = try await connection.history(of: id, of: app, at: SampleProofs.now)
        #expect(first.signedTransactions == ["1"] && first.hasMore)
        let second = try await connection.history(of: id, of: app, after: first.revision, at: SampleProofs.now)
        #expect(!second.hasMore && second.revision == "r2")
        #expect(
            history.asked.map(\.target) == [
                "/inApps/v2/history/\(id)", "/inApps/v2/history/\(id)?revision=a%20b%2F%2B",
            ])
        let statuses = ScriptedStore(
            .json(
                """
                {"environment":"Sandbox","bundleId":"x","data":[{"subscriptionGroupIdentifier":"2","lastTransactions":[
                {"status":4,"originalTransactionId":"\(id)","signedTransactionInfo":"t","signedRenewalInfo":"r"}]}]}
                """))
        let standing = try await Self.connection([.sandbox: statuses]).subscriptions(
            of: id, of: app, at: SampleProofs.now)
        #expect(standing.map(\.status) == [.gracePeriod] && standing.first?.signedRenewal == "r")
        let notified = ScriptedStore(
            .json(
                #"{"notificationHistory":[{"signedPayload":"n"}],"hasMore":true,"paginationToken":"p"}"#
            ))
        let span = SampleProofs.purchasedAt..<SampleProofs.now
        let page = try await Self.connection([.sandbox: notified]).notifications(
            of: app, sent: span, onlyFailures: true, after: "q", in: .sandbox, at: SampleProofs.now)
        #expect(page.signedPayloads == ["n"] && page.next == "p")
        let asked = try #require(notified.asked.first)
        #expect(asked.target == "/inApps/v1/notifications/history?paginationToken=q")
        let body = try #require(
            try JSONSerialization.jsonObject(with: Data(asked.body.bytes)) as? [String: NSNumber])
        #expect(body["startDate"]?.int64Value == span.lowerBound.millisecondsSinceEpoch)
        #expect(body["onlyFailures"] == true)
    }

    @Test func `P13: a number that tells no environment is looked for in production and then in the sandbox`()
        async throws
    {
        let production = ScriptedStore(.error(4_040_010))
        let sandbox = ScriptedStore(.json(#"{"signedTransactionInfo":"s"}"#))
        let connection = try Self.connection([.production: production, .sandbox: sandbox])
        let app = try SampleProofs.bundleID()
        let old = try TransactionID(number: 1_000_000_000_000_001)
        #expect(old.environment == nil)
        #expect(try await connection.transaction(old, of: app, at: SampleProofs.now) == "s")
        #expect(production.asked.count == 1 && sandbox.asked.count == 1)
        // One that tells it is asked for there alone.
        let known = try SampleProofs.transaction(.production).transactionId
        let code = await Self.code { _ = try await connection.transaction(known, of: app, at: SampleProofs.now) }
        #expect(code == .unknownTransaction && sandbox.asked.count == 1)
    }

    @Test(arguments: [
        (ScriptedStore.Answer.error(4_040_010), BackendError.Code.unknownTransaction, 1),
        (.error(4_040_003), .storeKeyRefused, 1), (.json("Unauthenticated", status: 401), .storeKeyRefused, 1),
        (.error(4_000_013), .invalidValue, 1), (.error(4_040_002), .storeUnavailable, 3),
        (.error(5_000_000), .storeUnavailable, 3), (.error(4_290_000), .storeUnavailable, 3),
        (.json("<html>", status: 502), .storeUnavailable, 3), (.json("<html>", status: 404), .storeUnavailable, 1),
        (.json("{}"), .storeUnavailable, 1), (.failure(.timedOut), .storeUnavailable, 3),
        (.failure(.connectionLost), .storeUnavailable, 3), (.failure(.untrusted), .storeUnavailable, 1),
    ])
    func `each way to fail has its code, and is tried again where that may help`(
        answer: ScriptedStore.Answer, code: BackendError.Code, asked: Int
    ) async throws {
        let store = ScriptedStore(answer)
        let connection = try Self.connection([.sandbox: store])
        let id = try SampleProofs.transaction().transactionId
        let found = await Self.code {
            _ = try await connection.transaction(id, of: SampleProofs.bundleID(), at: SampleProofs.now)
        }
        #expect(found == code && store.asked.count == asked)
    }

    @Test func `a store that asks for patience gets it, up to a limit`() async throws {
        let (app, id) = (try SampleProofs.bundleID(), try SampleProofs.transaction().transactionId)
        let soon = SampleProofs.now.adding(milliseconds: 3000).millisecondsSinceEpoch
        let later = SampleProofs.now.adding(milliseconds: 3_600_000).millisecondsSinceEpoch
        let waits = Waits()
        let patient = ScriptedStore(
            .error(4_290_000, ["Retry-After": "\(soon)"]), .json(#"{"signedTransactionInfo":"s"}"#))
        let connection = try Self.connection([.sandbox: patient], waits: waits)
        #expect(try await connection.transaction(id, of: app, at: SampleProofs.now) == "s")
        #expect(waits.all == [.seconds(3)])
        let busy = ScriptedStore(.error(4_290_000, ["Retry-After": "\(later)"]))
        do {
            _ = try await Self.connection([.sandbox: busy]).transaction(id, of: app, at: SampleProofs.now)
            Issue.record("The store was to refuse.")
        } catch let error as BackendError {
            #expect(error.code == .storeUnavailable && error.retryAfter == 3601)
        }
        #expect(busy.asked.count == 1)
    }

    @Test func `a store that fails is not asked several times as often as one that works`() async throws {
        var limits = StoreLimits()
        limits.retryBudget = 3
        let store = ScriptedStore(.error(5_000_000))
        let connection = try Self.connection([.sandbox: store], limits: limits)
        let (app, id) = (try SampleProofs.bundleID(), try SampleProofs.transaction().transactionId)
        for _ in 0..<20 {
            _ = await Self.code { _ = try await connection.transaction(id, of: app, at: SampleProofs.now) }
        }
        #expect(store.asked.count == 20 + 3)
    }

    @Test func `a test notification is not asked for again where it may have been sent`() async throws {
        let app = try SampleProofs.bundleID()
        for (failure, asked) in [(ScriptedStore.Answer.failure(.timedOut), 1), (.failure(.timedOut, .notSent), 2)] {
            let store = ScriptedStore(failure, .json(#"{"testNotificationToken":"t"}"#))
            let connection = try Self.connection([.sandbox: store])
            _ = await Self.code {
                _ = try await connection.requestTestNotification(of: app, in: .sandbox, at: SampleProofs.now)
            }
            #expect(store.asked.count == asked)
        }
    }

    @Test func `an answer beyond the limit is no answer`() async throws {
        var limits = StoreLimits()
        limits.answerBytes = 20
        let store = ScriptedStore(.json(#"{"signedTransactionInfo":"abcdef"}"#))
        let code = await Self.code {
            _ = try await Self.connection([.sandbox: store], limits: limits).transaction(
                SampleProofs.transaction().transactionId, of: SampleProofs.bundleID(), at: SampleProofs.now)
        }
        #expect(code == .storeUnavailable && store.asked.count == 1)
    }

    @Test(.bounded) func `R5.9: a store that takes the question and never answers is given up, and so is none at all`()
        async throws
    {
        let silent = try SilentPort()
        defer { silent.stop() }
        var limits = StoreLimits()
        (limits.attemptTime, limits.attempts) = (.seconds(1), 1)
        let address = "http://127.0.0.1:\(silent.number)"
        let receipt = try SampleProofs.receipt()
        for isThere in [true, false] {
            if !isThere { silent.stop() }
            let connection = StoreConnection(try StoreAddresses(production: nil, sandbox: address), limits: limits)
            let verifier = try StoreVerifier(connection, bundleIDs: [SampleProofs.bundleID()])
            let error = await SampleProofs.refusal(of: receipt, by: verifier)
            #expect(error?.code == .storeUnavailable && error?.isRetryable == true, "\(String(describing: error))")
        }
    }

    @Test func `the App Store has an address for each question and environment`() throws {
        let apple = StoreAddresses.apple
        #expect(apple.production?.receipts.description == "https://buy.itunes.apple.com")
        #expect(apple.production?.serverAPI.description == "https://api.storekit.apple.com")
        #expect(apple.sandbox?.receipts.description == "https://sandbox.itunes.apple.com")
        #expect(apple.sandbox?.serverAPI.description == "https://api.storekit-sandbox.apple.com")
        let error = #expect(throws: BackendError.self) {
            try StoreAddresses(production: "store.example", sandbox: nil)
        }
        #expect(error?.parameter == "production")
    }
}

/// A port where connections come about and nobody answers.
private final class SilentPort {
    let number: UInt16
    private var descriptor: Int32

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        self.descriptor = descriptor
        number = UInt16(bigEndian: address.sin_port)
        try #require(isOpen)
    }

    func stop() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }
}
