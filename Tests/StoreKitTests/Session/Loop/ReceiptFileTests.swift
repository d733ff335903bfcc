import Foundation
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreKit

/// What becomes the file of the app's receipt, and in which order.
@Suite("The receipt file", .bounded)
struct ReceiptFileTests {
    /// A store that gives a receipt which is not the app's.
    private func foreign(_ bench: SessionBench, ofApp bundle: String, keys: EnvironmentKeys) -> SteeredConnection {
        SteeredConnection(bench.connection) { request, store throws(ConnectionError) in
            var answer = try await store.send(request)
            guard request.path == "/receipt" else { return answer }
            do {
                let genuine = try JSONDecoder().decode(ReceiptAnswer.self, from: Data(answer.body))
                var receipt = try AppReceipt(unverified: #require(Base64.decode(genuine.receipt)))
                receipt.bundleID = bundle
                let signed = try EnvironmentSigners(keys).receipt.sign(receipt)
                answer.body = Array(try JSONEncoder().encode(ReceiptAnswer(receipt: Base64.encode(signed))))
            } catch {
                throw ConnectionError(.refused(status: 400), code: "test", "\(error)")
            }
            return answer
        }
    }

    @Test("A receipt of another app, or that another store has signed, is never put there", arguments: [true, false])
    func foreign(isOfAnotherApp: Bool) async throws {
        let bench = try await SessionBench(SessionStore())
        let own = bench.profile.bundle.text
        let connection = foreign(
            bench, ofApp: isOfAnotherApp ? "com.example.other" : own,
            keys: try isOfAnotherApp ? SampleKeys.of(.sandbox) : SampleKeys.ofAnotherStore(.sandbox))
        try await bench.withSession(connection: connection) { app in
            let error = await #expect(throws: ConnectionError.self) { try await app.session.receipt.renew() }
            #expect(error?.code == "receipt_unusable")
            #expect(!app.session.receipt.isThere)
        }
        let genuine = foreign(bench, ofApp: own, keys: try SampleKeys.of(.sandbox))
        try await bench.withSession(connection: genuine) { app in
            try await app.session.receipt.renew()
            #expect(app.session.receipt.isThere)
        }
    }

    @Test("X7: A subscription that is made to end is told to its device, whose receipt has the new end then")
    func cutPeriod() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.club)
            try await app.until("purchased club")
            let id = try #require(try app.last(.purchased).bought?.id)
            try await app.finishEverything(of: bench.store)
            bench.store.commerce.set(bench.store.commerce.value + .seconds(60))
            _ = try await bench.store.control("POST", "/subscriptions/\(id)/expiry")
            let cut = try await bench.store.store.database.read { try Transactions.find(id, in: $0)?.expiresDate }
            let end = try #require(cut)
            // The receipt is got before the journal keeps what was told.
            let profile = bench.profile
            try await app.session.journal.until { journal in
                try journal.transaction(id).flatMap { try profile.verified($0.signed).payload.expiresDate } == end
            }
            let receipt = try AppReceipt(unverified: Array(Data(contentsOf: app.session.receipt.url)))
            #expect(receipt.purchases.first?.expirationDate?.millisecondsSinceEpoch == end.millisecondsSinceEpoch)
            #expect(app.words.count { $0 == "purchased club" } == 1)
        }
    }

    @Test("Of two renewals the last one wins, however long the answer to the first one takes")
    func order() async throws {
        let bench = try await SessionBench(SessionStore())
        let (hasActed, mayAnswer) = (Gate(), Gate())
        let connection = SteeredConnection(bench.connection) { request, store throws(ConnectionError) in
            let answer = try await store.send(request)
            if request.path == "/receipt?revoked=true" {
                hasActed.open()
                await mayAnswer.pass()
            }
            return answer
        }
        try await bench.withSession(connection: connection) { app in
            let file = app.session.receipt
            async let first: Void = file.renew(ReceiptProperties(isRevoked: true))
            await hasActed.pass()
            let isOver = Shared(false)
            async let second: Void = {
                try await file.renew(ReceiptProperties(isVolumePurchase: true))
                isOver.set(true)
            }()
            // Could the second one overtake the first, its one request would be answered before these.
            for _ in 1...20 { _ = try await app.session.device.device() }
            #expect(!isOver.value)
            mayAnswer.open()
            _ = try await (first, second)
            let receipt = try AppReceipt(unverified: Array(Data(contentsOf: file.url)))
            #expect(receipt.type == .volumePurchaseSandbox)
        }
    }
}
