import Foundation
import StoreDatabase
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreKit

/// The periods of a subscription that a restore brings back.
@Suite("Restored periods", .bounded)
struct RestoredPeriodsTests {
    /// Buys the club and has it renew so often; everything is finished.
    private func subscribe(_ bench: SessionBench, renewals: Int) async throws -> [StoreTransaction] {
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.club)
            try await app.until("purchased club")
            let first = try #require(try app.last(.purchased).bought?.id)
            for _ in 0..<renewals {
                bench.store.commerce.set(bench.store.commerce.value + .seconds(60))
                _ = try await bench.store.control("POST", "/subscriptions/\(first)/renewal")
            }
            try await app.until("purchased club", times: renewals + 1)
            try await app.finishEverything(of: bench.store)
            return try await bench.store.store.database.read { try Subscriptions.transactions(of: first, in: $0) }
        }
    }

    @Test("R3.1: On another device each period comes back with what it restores, and finishing takes it away")
    func periods() async throws {
        let bench = try await SessionBench(SessionStore())
        let periods = try await subscribe(bench, renewals: 2)
        #expect(periods.count == 3)
        let other = try await SessionBench(bench.store)
        try await other.withSession { app in
            app.attach()
            app.session.restore(applicationUsername: nil)
            try await app.until("restore finished")
            #expect(app.words.count { $0 == "restored club" } == 3, "\(app.words)")
            let restored = app.session.entries.map { SKPaymentTransaction($0) }
            let originals = restored.compactMap(\.original)
            #expect(originals.map(\.transactionIdentifier) == periods.map { $0.id.description })
            #expect(originals.map(\.transactionDate) == periods.map { $0.purchaseDate.date })
            #expect(originals.allSatisfy { $0.payment.productIdentifier == SessionStore.club })
            let receipts = originals.compactMap(\.transactionReceipt) + restored.compactMap(\.transactionReceipt)
            #expect(Set(receipts).count == 6)
            try await app.finishEverything(of: bench.store)
            #expect(app.session.entries == [])
        }
        // Nothing of it is left for the next launch.
        try await other.withSession { app in
            app.attach()
            try await app.session.catchUp()
            #expect(app.words == ["attached"])
        }
    }

    @Test("R3.1: A history of several pages comes back whole, and the restore ends once")
    func pages() async throws {
        let bench = try await SessionBench(SessionStore())
        let first = try #require(try await subscribe(bench, renewals: 0).first)
        let numbers = try await bench.store.store.numbers.next(100, of: .transactions(of: .sandbox))
        try await bench.store.store.database.write { transaction in
            for number in numbers {
                var period = first
                (period.id, period.orderID) = (try TransactionID(number: number), nil)
                try period.insert(in: transaction)
                try transaction.execute(
                    "INSERT INTO transaction_finish (transaction_id, finished_at) VALUES ($1, 0)", period.id)
            }
        }
        let other = try await SessionBench(bench.store)
        try await other.withSession { app in
            app.attach()
            app.session.restore(applicationUsername: nil)
            try await app.until("restore finished")
            let restored = app.session.entries
            #expect(restored.count == 101 && Set(restored.map { $0.bought?.original?.id }).count == 101)
            #expect(restored.allSatisfy { $0.bought?.original?.receipt != nil })
            try await app.finishEverything(of: bench.store)
            #expect(app.words.count { $0 == "restore finished" } == 1)
        }
    }
}
