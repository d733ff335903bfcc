import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// Restores, and what the store tells an app unasked.
@Suite("Restores and news", .bounded)
struct RestoreTests {
    let test = QueueTest()

    static func restored(_ product: String) throws -> QueueEntry {
        var entry = QueueTest.entry(product, .restored, key: "again \(product)")
        entry.bought?.original = try BoughtTransaction.Original(
            id: TransactionID(number: 20_000_001), date: Instant(millisecondsSinceEpoch: 1000), quantity: 2)
        return entry
    }

    @Test("R3.1, R3.2: restored transactions come with their originals, then the restore is finished, once")
    func restore() async throws {
        test.queue.add(test.observer)
        test.queue.restoreCompletedTransactions()
        test.session.put(try Self.restored("book"))
        test.session.put(try Self.restored("map"))
        test.session.tell(.restoreFinished)
        #expect(try await test.told() == ["book restored", "map restored", "restore finished"])
        let original = try #require(test.observer.objects.first?.original)
        #expect(original.payment.productIdentifier == "book" && original.payment.quantity == 2)
        #expect(original.transactionIdentifier == "20000001")
        #expect(original.transactionDate == Date(timeIntervalSince1970: 1))
        #expect(original.transactionState == .purchased)
        test.session.decide(.named("again book")) { $0.bought?.receipt = [2] }
        #expect(try await test.told().last == "book restored")
        #expect(test.observer.objects.first?.transactionReceipt == Data([2]))
        #expect(test.observer.objects.first?.original === original)
    }

    @Test("R3.2: nothing to restore means one end and no transaction")
    func nothing() async throws {
        test.queue.add(test.observer)
        test.queue.restoreCompletedTransactions()
        test.session.tell(.restoreFinished)
        #expect(try await test.told() == ["restore finished"])
    }

    @Test("R3.2: a restore that is cancelled ends with an SKError, once")
    func cancelled() async throws {
        test.queue.add(test.observer)
        test.queue.restoreCompletedTransactions()
        test.session.tell(.restoreFailed(.test(.paymentCancelled)))
        #expect(try await test.told() == ["restore failed 2"])
    }

    @Test("X1: the name of the person's account reaches the engine")
    func username() {
        test.queue.restoreCompletedTransactions()
        test.queue.restoreCompletedTransactions(withApplicationUsername: "someone")
        test.queue.restoreCompletedTransactions(withApplicationUsername: nil)
        #expect(test.session.read(\.restores) == [nil, "someone", nil])
    }

    @Test("X1: a promoted purchase is bought if an observer wants it, once however many want it")
    func promoted() async throws {
        let second = RecordingObserver(test.transcript, name: "second")
        test.observer.buysPromoted = true
        second.buysPromoted = true
        test.queue.add(test.observer)
        test.queue.add(second)
        test.session.tell(.promoted(.test("banana"), settled: {}))
        _ = try await test.told()
        #expect(
            try await test.told() == [
                "promoted banana for 0.99", "second: promoted banana for 0.99", "banana purchasing",
                "second: banana purchasing",
            ])
        #expect(test.session.read(\.payments).count == 1)
    }

    @Test("X1: a promoted purchase that no observer wants is not bought")
    func unwanted() async throws {
        test.queue.add(test.observer)
        let transcript = test.transcript
        let banana = Payment("banana")
        test.session.tell(.promoted(.test("banana")) { transcript.write("settled") })
        #expect(try await test.told() == ["promoted banana for 0.99", "settled"])
        #expect(test.session.read(\.payments).isEmpty)
        // The app may have kept the payment, and adds it later.
        test.queue.add(SKPayment(banana))
        #expect(test.session.read(\.payments) == [banana])
    }

    @Test("P41: a promoted purchase waits for an observer that decides, and is in the journal before it is settled")
    func undecided() async throws {
        final class Indifferent: NSObject, SKPaymentTransactionObserver {
            func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
        }
        let (transcript, session, indifferent) = (test.transcript, test.session, Indifferent())
        test.queue.add(indifferent)
        test.session.tell(
            .promoted(.test("banana")) {
                transcript.write("settled with \(session.read(\.payments).count)")
            })
        #expect(try await test.told() == [])
        test.observer.buysPromoted = true
        test.queue.add(test.observer)
        #expect(try await test.told().prefix(2) == ["promoted banana for 0.99", "settled with 1"])
        let third = RecordingObserver(test.transcript, name: "third")
        test.queue.add(third)
        #expect(try await test.told().filter { $0.contains("promoted") } == ["promoted banana for 0.99"])
        withExtendedLifetime(indifferent) {}
    }

    @Test("X1: what nobody was there to hear waits for the next observer")
    @MainActor func kept() async throws {
        test.queue.add(test.observer)
        test.session.tell(.promoted(.test("banana"), settled: {}))
        test.session.tell(.revoked(["book"]))
        test.session.tell(.storefrontChanged)
        test.queue.remove(test.observer)
        #expect(try await test.told() == [])
        test.queue.add(test.observer)
        #expect(try await test.told() == ["promoted banana for 0.99", "revoked book", "storefront changed"])
        test.queue.remove(test.observer)
        test.queue.add(test.observer)
        #expect(try await test.told().count == 3)
    }

    @Test("X1: what came after the last observer went away waits for the next one")
    func keptAfterDeparture() async throws {
        do {
            let departing = RecordingObserver(test.transcript, name: "departing")
            test.queue.add(departing)
            try await mainQueueDrained()
        }
        test.session.tell(.revoked(["book"]))
        #expect(try await test.told() == [])
        test.queue.add(test.observer)
        #expect(try await test.told() == ["revoked book"])
    }

    @Test("X1: an end of a restore is not kept for observers of later")
    @MainActor func endNotKept() async throws {
        test.queue.add(test.observer)
        test.session.tell(.restoreFinished)
        test.queue.remove(test.observer)
        test.queue.add(test.observer)
        #expect(try await test.told() == [])
    }

    @Test("X1: the delegate decides whether a purchase goes on in another storefront", arguments: [true, false])
    func shouldContinue(answer: Bool) async throws {
        let delegate = QueueDelegate(answer: answer)
        test.queue.add(test.observer)
        test.queue.delegate = delegate
        test.session.put(QueueTest.entry("banana", .purchasing))
        let france = StorefrontAnswer.france
        let transcript = test.transcript
        test.session.tell(.shouldContinue(.named("banana"), france) { transcript.write("goes on: \($0)") })
        test.session.tell(.shouldShowPriceConsent { transcript.write("shows: \($0)") })
        #expect(try await test.told() == ["banana purchasing", "goes on: \(answer)", "shows: \(answer)"])
        #expect(delegate.asked == ["banana in FRA", "price"])
    }

    @Test("X1: without a delegate, or with one that does not care, purchases go on and prices are shown")
    func noDelegate() async throws {
        final class Indifferent: NSObject, SKPaymentQueueDelegate {}
        let indifferent = Indifferent()
        let transcript = test.transcript
        let france = StorefrontAnswer.france
        test.queue.add(test.observer)
        test.session.put(QueueTest.entry("banana", .purchasing))
        for delegate in [nil, indifferent] {
            test.queue.delegate = delegate
            test.session.tell(.shouldContinue(.named("banana"), france) { transcript.write("goes on: \($0)") })
            test.session.tell(.shouldShowPriceConsent { transcript.write("shows: \($0)") })
            try await mainQueueDrained()
        }
        let answers = ["goes on: true", "shows: true"]
        #expect(try await test.told() == ["banana purchasing"] + answers + answers)
    }

    @Test("X1: a question is answered even if the queue is not observed any more")
    @MainActor func answeredAnyway() async throws {
        let transcript = test.transcript
        test.queue.add(test.observer)
        test.session.tell(.shouldShowPriceConsent { transcript.write("shows: \($0)") })
        test.queue.remove(test.observer)
        #expect(try await test.told() == ["shows: true"])
    }
}

/// Writes down what it is asked, and always answers the same.
// Safe: used on the main queue alone, and read when that is done.
private final class QueueDelegate: NSObject, SKPaymentQueueDelegate, @unchecked Sendable {
    let answer: Bool
    private(set) var asked: [String] = []

    init(answer: Bool) { self.answer = answer }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        asked.append("\(transaction.payment.productIdentifier) in \(newStorefront.countryCode)")
        return answer
    }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        asked.append("price")
        return answer
    }
}
