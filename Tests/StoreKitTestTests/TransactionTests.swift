import Foundation
import StoreModel
import StoreSigning
import TestSupport
import Testing

@testable import StoreKit
@testable import StoreKitTest

@Suite("Transactions of a test session", .bounded)
struct TransactionTests {
    @Test("A transaction says what was bought, when and how far it has come")
    func contents() async throws {
        let bench = try Bench()
        try bench.session.buyProduct(productIdentifier: "monkeys.club")
        let transaction = try #require(bench.session.allTransactions().first)
        #expect(transaction.productIdentifier == "monkeys.club")
        #expect(transaction.purchaseDate == Bench.start.date)
        let end = try Bench.start.adding(BillingPeriod(parsing: "P1M")).date
        #expect(transaction.expirationDate == end)
        #expect(transaction.state == .purchased)
        #expect(transaction.originalTransactionIdentifier == transaction.identifier)
        #expect(transaction.cancelDate == nil)
        #expect(!transaction.hasPurchaseIssue)
    }

    @Test("What is bought outside the app reaches its observers without a payment")
    func outside() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            try bench.session.buyProduct(productIdentifier: "monkeys.jungle")
            try await observer.until("removed")
            #expect(observer.lines == ["purchased jungle", "removed"])
        }
        #expect(bench.session.allTransactions().count == 1)
    }

    @Test("What nobody was there to hear is told to the next observer")
    func later() async throws {
        let bench = try Bench()
        try bench.session.buyProduct(productIdentifier: "monkeys.credits5")
        try await bench.run { observer in
            try await observer.until("purchased credits5")
            #expect(observer.lines.first == "purchased credits5")
        }
    }

    @Test("A product that is not in the configuration cannot be bought")
    func unknownProduct() throws {
        let session = try Bench().session
        #expect { try session.buyProduct(productIdentifier: "monkeys.nothing") } throws: { error in
            (error as? SKTestError)?.code == .invalidProductIdentifier
        }
        #expect(session.allTransactions().isEmpty)
    }

    @Test("A refund is made at once, told to observers, and made once")
    func refund() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            Bench.add("monkeys.jungle")
            try await observer.until("removed")
            let bought = try #require(bench.session.allTransactions().first)
            try bench.session.refundTransaction(identifier: bought.identifier)
            await mainQueueDrained()
            #expect(observer.lines.last == "revoked monkeys.jungle")
            #expect(bench.session.allTransactions().first?.cancelDate == Bench.start.date)
            #expect { try bench.session.refundTransaction(identifier: bought.identifier) } throws: { error in
                (error as? SKTestError)?.code == .invalidAction
            }
        }
    }

    @Test("What cost nothing can be taken back too")
    func refundOfNothing() throws {
        let session = try Bench().session
        try session.buyProduct(productIdentifier: "monkeys.hat")
        try session.refundTransaction(identifier: #require(session.allTransactions().first).identifier)
        #expect(session.allTransactions().first?.cancelDate != nil)
    }

    @Test("What is cleared is gone from the store, the queue and the receipt, and can be bought anew")
    func clear() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            observer.finishes(false)
            Bench.add("monkeys.jungle")
            try await observer.until("purchased jungle")
            #expect(SKPaymentQueue.default().transactions.count == 1)
            bench.session.clearTransactions()
            await mainQueueDrained()
            #expect(observer.lines.last == "removed")
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            #expect(bench.session.allTransactions().isEmpty)
            let cleared = try Self.receipt(bench)
            #expect(cleared.isEmpty)
            Bench.add("monkeys.jungle")
            try await observer.until("purchased jungle", times: 2)
            #expect(bench.session.allTransactions().count == 1)
            let bought = try Self.receipt(bench)
            #expect(bought == ["monkeys.jungle"])
        }
    }

    @Test("A payment that came to nothing is cleared from the queue too")
    func clearFailed() async throws {
        let bench = try Bench()
        bench.session.failTransactionsEnabled = true
        try await bench.run { observer in
            observer.finishes(false)
            Bench.add("monkeys.jungle")
            try await observer.until("failed 0 jungle")
            bench.session.clearTransactions()
            await mainQueueDrained()
            #expect(observer.lines == ["purchasing jungle", "failed 0 jungle", "removed"])
            #expect(SKPaymentQueue.default().transactions.isEmpty)
        }
    }

    @Test("A purchase that waits for an issue to be resolved is cleared too")
    func clearInterrupted() throws {
        let session = try Bench().session
        session.interruptedPurchasesEnabled = true
        try session.buyProduct(productIdentifier: "monkeys.jungle")
        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [true])
        session.clearTransactions()
        #expect(session.allTransactions().isEmpty)
    }

    /// The products in the receipt of the app, as the app finds it.
    private static func receipt(_ bench: Bench) throws -> [String] {
        let url = try #require(Bundle.main.appStoreReceiptURL)
        let profile = try SessionProfile(
            bench.session.parts.thread.run { [store = bench.session.parts.scene.store] in
                try await store.profile()
            }, bundle: nil)
        let receipt = try profile.receipts.verify(Array(Data(contentsOf: url))).receipt
        #expect(receipt.bundleID == "com.example.app")
        return receipt.purchases.map(\.productID)
    }

    @Test("The receipt lies where apps look for it, from the beginning")
    func receipt() async throws {
        let bench = try Bench()
        try bench.session.asCurrent {
            let products = try Self.receipt(bench)
            #expect(products.isEmpty)
            #expect(Bundle.main.appStoreReceiptURL?.lastPathComponent == "sandboxReceipt")
        }
    }

    @Test("Deleting a transaction deletes its restored copies, and nothing else")
    func delete() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            for product in ["jungle", "season"] {
                Bench.add("monkeys.\(product)")
                try await observer.until("purchased \(product)")
            }
            SKPaymentQueue.default().restoreCompletedTransactions()
            try await observer.until("restore finished")
            let all = bench.session.allTransactions()
            #expect(all.map(\.state) == [.purchased, .purchased, .restored])
            #expect(all[2].originalTransactionIdentifier == all[0].identifier)
            try bench.session.deleteTransaction(identifier: all[0].identifier)
            #expect(bench.session.allTransactions().map(\.productIdentifier) == ["monkeys.season"])
            let left = try Self.receipt(bench)
            #expect(left == ["monkeys.season"])
        }
    }

    @Test("What is deleted before it was finished leaves the queue, and no payment of it is kept")
    func deleteUnfinished() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            observer.finishes(false)
            Bench.add("monkeys.jungle")
            try await observer.until("purchased jungle")
            let bought = try #require(bench.session.allTransactions().first)
            try bench.session.deleteTransaction(identifier: bought.identifier)
            await mainQueueDrained()
            #expect(observer.lines == ["purchasing jungle", "purchased jungle", "removed"])
            let payments = try bench.session.parts.scene.device.session.journal.payments()
            #expect(payments == [])
        }
    }

    @Test("A restored copy that waits to be finished leaves the queue when its original is deleted")
    func deleteOriginal() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            Bench.add("monkeys.jungle")
            try await observer.until("removed")
            observer.finishes(false)
            SKPaymentQueue.default().restoreCompletedTransactions()
            try await observer.until("restore finished")
            #expect(SKPaymentQueue.default().transactions.map(\.transactionState) == [.restored])
            let original = try #require(bench.session.allTransactions().first)
            try bench.session.deleteTransaction(identifier: original.identifier)
            await mainQueueDrained()
            #expect(observer.lines.last == "removed")
            #expect(SKPaymentQueue.default().transactions.isEmpty)
        }
    }

    @Test("A transaction that there is not is no matter", arguments: [0, 7, -1, Int.max])
    func unknown(identifier: Int) throws {
        let session = try Bench().session
        let actions: [(Int) throws -> Void] = [
            session.refundTransaction, session.deleteTransaction, session.resolveIssueForTransaction,
        ]
        for action in actions {
            #expect { try action(identifier) } throws: { ($0 as? SKTestError)?.code == .noTransactionFound }
        }
    }
}
