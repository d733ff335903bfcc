import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What an app sees of a purchase that is refunded before it was finished.
@Suite("Refunds before a purchase is finished", .bounded)
struct EarlyRefundTests {
    /// A store whose answer to a yes is lost, and where something happens before the next request. Until then it tells of no
    /// events.
    private struct LostAnswer: StoreConnection {
        let inner: any StoreConnection
        let hasHappened: @Sendable () -> Bool
        let after: @Sendable () async throws -> Void

        func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
            let isQuiet = request.path.hasPrefix("/events") && !hasHappened()
            let answer = try await inner.send(request)
            if isQuiet { throw ConnectionError(.unreachable(mayHaveHappened: false), code: "test", "Not yet.") }
            guard request.path.hasSuffix("/confirmation") else { return answer }
            do {
                try await after()
            } catch {
                // Asked again, it was done before.
                return answer
            }
            throw ConnectionError(.unreachable(mayHaveHappened: true), code: "test", "The answer was lost.")
        }
    }

    private static func newest(_ bench: SessionBench) async throws -> String {
        let found = try await bench.store.control("GET", "/transactions/last")
        let transaction = try #require(found["transaction"] as? [String: Any])
        return try #require(transaction["transactionId"] as? String)
    }

    @Test("P12: A purchase that was refunded before the app heard of it fails, and is not delivered")
    func unheard() async throws {
        let bench = try await SessionBench(SessionStore())
        let once = Transcript()
        let refund: @Sendable () async throws -> Void = {
            guard once.lines.isEmpty else { throw CancellationError() }
            let id = try await Self.newest(bench)
            _ = try await bench.store.control("POST", "/transactions/\(id)/refund", [:])
            once.write("refunded")
        }
        let connection = LostAnswer(
            inner: bench.connection, hasHappened: { !once.lines.isEmpty }, after: refund)
        try await bench.withSession(connection: connection) { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("failed credits5: revoked")
            #expect(!app.words.contains("purchased credits5") && !app.words.contains("revoked credits5"))
        }
        #expect(once.lines == ["refunded"])
        try await bench.withSession { app in
            app.attach()
            try await app.session.catchUp()
            #expect(!app.words.contains("purchased credits5"))
        }
    }

    @Test("P9: An app hears nothing of what was taken back before its customer came to this device")
    func before() async throws {
        let bench = try await SessionBench(SessionStore())
        for product in [SessionStore.jungle, SessionStore.credits] {
            try await bench.store.sell(product)
            let id = try await Self.newest(bench)
            _ = try await bench.store.control("POST", "/transactions/\(id)/refund", [:])
        }
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
            try await app.session.catchUp()
            #expect(app.words == ["attached", "purchasing credits5", "purchased credits5"])
        }
    }

    @Test("P9, X7: A consumable that is refunded and reinstated before it is finished is delivered once")
    func reinstated() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
            let id = try await Self.newest(bench)
            let asked = try await bench.store.control(
                "POST", "/refund-requests",
                ["transactionId": id, "customer": SessionStore.email, "reason": "UNINTENDED_PURCHASE"])
            let path = "/refund-requests/\(try #require(asked["refundRequestId"] as? Int))"
            _ = try await bench.store.control("POST", "\(path)/approval", ["because": "A mistake"])
            try await app.until("revoked credits5")
            _ = try await bench.store.control("POST", "\(path)/reversal", ["because": "A dispute"])
            try await app.session.catchUp()
            let transaction = try #require(try app.last(.purchased).bought?.id)
            #expect(try app.session.journal.transaction(transaction)?.isRevoked == false)
            #expect(app.words.filter { $0 == "purchased credits5" }.count == 1)
        }
    }
}
