import Foundation
import StoreKit
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What the queue does with payments and tells of transactions: the table of the original API, row by row.
@Suite("Payment queue", .bounded)
struct PaymentQueueTests {
    let test = QueueTest()

    @Test("R2.4: a payment is told as being purchased, then as purchased, by the same object")
    func purchase() async throws {
        test.queue.add(test.observer)
        test.queue.add(SKPayment(Payment("banana")))
        test.session.decide { $0.purchase() }
        #expect(try await test.told() == ["banana purchasing", "banana purchased"])
        let objects = test.observer.objects
        #expect(objects.count == 2 && objects[0] === objects[1])
        #expect(objects[0] === test.queue.transactions.first)
        #expect(objects[0].transactionIdentifier == "2000000000000001")
        #expect(objects[0].transactionDate == Date(timeIntervalSince1970: 1000))
    }

    @Test("R2.1: a payment is in the queue when add returns, and the observer hears of it only afterwards")
    @MainActor func addReturnsFirst() async throws {
        test.queue.add(test.observer)
        try await mainQueueDrained()
        test.queue.add(SKPayment(Payment("banana")))
        #expect(test.queue.transactions.map(\.payment.productIdentifier) == ["banana"])
        #expect(test.queue.transactions.first?.transactionState == .purchasing)
        #expect(test.transcript.lines.isEmpty)
        #expect(try await test.told() == ["banana purchasing"])
    }

    @Test("R2.4: an object changes on the main queue, right before its observer is told")
    @MainActor func statesChangeBeforeCallbacks() async throws {
        test.queue.add(test.observer)
        test.queue.add(SKPayment(Payment("banana")))
        test.session.decide { $0.purchase() }
        #expect(test.queue.transactions.first?.transactionState == .purchasing)
        #expect(try await test.told() == ["banana purchasing", "banana purchased"])
        #expect(test.queue.transactions.first?.transactionState == .purchased)
    }

    @Test("R2.1: a payment counts as it was when it was added")
    func snapshot() async throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = "banana"
        payment.quantity = 4
        payment.applicationUsername = "someone"
        payment.simulatesAskToBuyInSandbox = true
        test.queue.add(payment)
        payment.productIdentifier = "coconut"
        payment.quantity = 5
        let order = test.session.read(\.payments).first
        #expect(
            order
                == Payment("banana", quantity: 4, username: "someone", simulatesAskToBuyInSandbox: true))
        #expect(test.queue.transactions.first?.payment.quantity == 4)
    }

    @Test("R2.1: the same payment added twice is two purchases")
    func twice() async throws {
        test.queue.add(test.observer)
        let payment = SKPayment(Payment("banana"))
        test.queue.add(payment)
        test.queue.add(payment)
        #expect(try await test.told() == ["banana purchasing", "banana purchasing"])
        #expect(test.observer.objects[0] !== test.observer.objects[1])
        #expect(test.queue.transactions.count == 2)
    }

    @Test("R2.1: a quantity of 0 reaches the engine, and never traps", arguments: [0, -1, 11])
    func wrongQuantity(quantity: Int) {
        let payment = SKMutablePayment()
        payment.quantity = quantity
        test.queue.add(payment)
        #expect(test.session.read(\.payments).map(\.quantity) == [quantity])
    }

    @Test("R2.5: a failed transaction carries its error as an SKError, and is finished like any other")
    func failure() async throws {
        test.queue.add(test.observer)
        test.queue.add(SKPayment(Payment("banana")))
        test.session.decide { $0.fail(.paymentCancelled) }
        #expect(try await test.told() == ["banana purchasing", "banana failed"])
        let transaction = try #require(test.observer.objects.last)
        #expect((transaction.error as? SKError)?.code == .paymentCancelled)
        #expect(transaction.transactionIdentifier == nil && transaction.transactionDate == nil)
        test.queue.finishTransaction(transaction)
        #expect(try await test.told().last == "removed banana")
    }

    @Test("R2.4: what is finished leaves the queue, then the observer is told, with the same object")
    func finish() async throws {
        test.queue.add(test.observer)
        test.queue.add(SKPayment(Payment("banana")))
        test.session.decide { $0.purchase() }
        try await mainQueueDrained()
        let transaction = try #require(test.queue.transactions.first)
        test.queue.finishTransaction(transaction)
        #expect(test.queue.transactions.isEmpty)
        #expect(try await test.told() == ["banana purchasing", "banana purchased", "removed banana"])
        #expect(test.observer.objects.last === transaction)
        test.queue.finishTransaction(transaction)
        #expect(test.session.read(\.finished).count == 1)
    }

    @Test("R2.4: a transaction that is finished before its observer hears of it is not told any more")
    func finishedBeforeTold() async throws {
        test.queue.add(test.observer)
        try await mainQueueDrained()
        await MainActor.run {
            test.session.put(QueueTest.entry("banana"))
            guard let transaction = test.queue.transactions.first else { return }
            test.queue.finishTransaction(transaction)
        }
        #expect(try await test.told() == ["removed banana"])
    }

    @Test(
        "R2.4: what is not decided yet is not finished",
        arguments: [QueueEntry.State.purchasing, .deferred])
    func undecided(state: QueueEntry.State) async throws {
        test.queue.add(test.observer)
        test.session.put(QueueTest.entry("banana", state))
        try await mainQueueDrained()
        test.queue.finishTransaction(try #require(test.queue.transactions.first))
        #expect(test.session.read(\.finished).isEmpty)
        #expect(test.queue.transactions.count == 1)
        test.session.decide { $0.purchase() }
        #expect(try await test.told().last == "banana purchased")
    }

    @Test("R2.4: finishing an object that a test made, or an original, does nothing")
    func strangers() async throws {
        test.session.put(try RestoreTests.restored("banana"))
        test.queue.finishTransaction(SKPaymentTransaction())
        test.queue.finishTransaction(try #require(test.queue.transactions.first?.original))
        #expect(test.session.read(\.finished).isEmpty)
    }

    @Test("X1: a deferred transaction is told, and later decided, by the same object")
    func deferred() async throws {
        test.queue.add(test.observer)
        test.queue.add(SKPayment(Payment("banana")))
        test.session.decide { $0.state = .deferred }
        test.session.decide { $0.purchase() }
        #expect(try await test.told() == ["banana purchasing", "banana deferred", "banana purchased"])
        #expect(Set(test.observer.objects.map(ObjectIdentifier.init)).count == 1)
    }

    @Test("R2.7: whether payments are allowed is what the engine says", arguments: [true, false])
    func canMakePayments(isAllowed: Bool) async throws {
        test.session.script { $0.canMakePayments = isAllowed }
        await test { #expect(SKPaymentQueue.canMakePayments() == isAllowed) }
    }

    @Test("X1: the storefront is the engine's, and nothing while it is unknown")
    func storefront() {
        #expect(test.queue.storefront == nil)
        test.session.script { $0.storefront = StorefrontAnswer.france }
        #expect(test.queue.storefront?.countryCode == "FRA")
        #expect(test.queue.storefront?.identifier == "143442")
    }

    @Test("X4: the time of the store is the engine's; a queue without a store has that of the wall")
    func storeTime() {
        #expect(test.queue.storeTime == Date(timeIntervalSince1970: 1_900_000_000))
        #expect(SKPaymentQueue().storeTime > Date(timeIntervalSince1970: 1_700_000_000))
    }

    @Test("X1: sheets are the engine's to show")
    func sheets() {
        test.queue.presentCodeRedemptionSheet()
        test.queue.showPriceConsentIfNeeded()
        #expect(test.session.read(\.sheets) == ["code", "price"])
    }
}
