import Foundation
import TestSupport
import Testing

@testable import StoreKit

/// Who is told what, when, and how often.
@Suite("Observers of the payment queue", .bounded)
struct ObserverTests {
    let test = QueueTest()

    @Test("R2.2: everything unfinished is told in one list, in the order of purchase, when an observer is added")
    func redelivery() async throws {
        for name in ["banana", "coconut", "durian"] { test.session.put(QueueTest.entry(name)) }
        test.queue.add(test.observer)
        #expect(try await test.told() == ["banana purchased, coconut purchased, durian purchased"])
    }

    @Test("R2.2: with nothing unfinished an observer is told nothing")
    func nothing() async throws {
        test.queue.add(test.observer)
        #expect(try await test.told() == [])
        #expect(test.session.read(\.attachments) == 1)
    }

    @Test("R2.2: each attachment brings what is unfinished once, and no more than once")
    func oncePerAttachment() async throws {
        test.session.put(QueueTest.entry("banana"))
        test.queue.add(test.observer)
        test.queue.add(test.observer)
        #expect(try await test.told() == ["banana purchased"])
        test.queue.add(test.observer)
        #expect(try await test.told() == ["banana purchased"])
        test.queue.remove(test.observer)
        test.queue.add(test.observer)
        #expect(try await test.told() == ["banana purchased", "banana purchased"])
        #expect(test.observer.objects[0] === test.observer.objects[1])
        #expect(test.queue.transactionObservers.count == 1)
    }

    @Test("R2.2: a transaction that another engine calls by the same name is another one")
    func otherEngine() async throws {
        let other = ScriptedSession()
        test.session.put(QueueTest.entry("banana", key: "1"))
        other.put(QueueTest.entry("coconut", key: "1"))
        test.queue.add(test.observer)
        #expect(try await test.told() == ["banana purchased"])
        test.queue.delivery.serve(other)
        #expect(try await test.told() == ["banana purchased", "coconut purchased"])
        #expect(test.observer.objects.first !== test.observer.objects.last)
        #expect(test.queue.transactions.map(\.payment.productIdentifier) == ["coconut"])
    }

    @Test("R2.2: a second observer is told of everything unfinished, and the first one not again")
    func second() async throws {
        let second = RecordingObserver(test.transcript, name: "second")
        test.session.put(QueueTest.entry("banana"))
        test.queue.add(test.observer)
        test.queue.add(second)
        #expect(try await test.told().sorted() == ["banana purchased", "second: banana purchased"])
        let third = RecordingObserver(test.transcript, name: "third")
        test.queue.add(third)
        #expect(try await test.told().last == "third: banana purchased")
        #expect(test.transcript.lines.count == 3)
        #expect(second.objects[0] === third.objects[0])
    }

    @Test("R2.2: an observer hears nothing of what happened before it was added, but how it stands")
    @MainActor func late() async throws {
        let second = RecordingObserver(test.transcript, name: "second")
        test.queue.add(test.observer)
        try await mainQueueDrained()
        test.session.put(QueueTest.entry("banana", .purchasing))
        test.session.tell(.restoreFinished)
        test.queue.add(second)
        test.session.decide { $0.purchase() }
        let lines = try await test.told()
        #expect(lines.filter { $0.hasPrefix("second") } == ["second: banana purchasing", "second: banana purchased"])
    }

    @Test("X1: an observer that is removed hears nothing more, also not what was under way")
    @MainActor func removed() async throws {
        test.queue.add(test.observer)
        test.session.put(QueueTest.entry("banana"))
        test.queue.remove(test.observer)
        #expect(try await test.told() == [])
        #expect(test.queue.transactionObservers.isEmpty)
        #expect(test.session.read(\.detachments) == 1)
    }

    @Test("X1: an observer that another one removes during a callback hears nothing more")
    func removedDuringCallback() async throws {
        let second = RecordingObserver(test.transcript, name: "second")
        test.queue.add(test.observer)
        test.queue.add(second)
        try await mainQueueDrained()
        test.observer.updated = { queue, _ in queue.remove(second) }
        second.updated = { queue, _ in queue.remove(test.observer) }
        test.session.put(QueueTest.entry("banana"))
        #expect(try await test.told().count == 1)
    }

    @Test("X1: observers are not retained, and one that went away leaves nothing behind")
    func notRetained() async throws {
        weak var gone: RecordingObserver?
        do {
            let observer = RecordingObserver(test.transcript)
            gone = observer
            test.queue.add(observer)
            try await mainQueueDrained()
        }
        #expect(gone == nil)
        #expect(test.queue.transactionObservers.isEmpty)
        test.session.put(QueueTest.entry("banana"))
        #expect(try await test.told() == [])
        #expect(test.session.read(\.detachments) == 1)
    }

    @Test("X1: an observer may remove itself while it goes away")
    func removesItself() async throws {
        final class Departing: NSObject, SKPaymentTransactionObserver {
            let queue: SKPaymentQueue
            init(_ queue: SKPaymentQueue) { self.queue = queue }
            func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
            deinit { queue.remove(self) }
        }
        do {
            let observer = Departing(test.queue)
            test.queue.add(observer)
            try await mainQueueDrained()
        }
        #expect(test.session.read(\.detachments) == 1)
    }

    @Test("X1: without an observer the queue does not watch the store, and still lists what is unfinished")
    func unobserved() async throws {
        #expect(test.session.read(\.attachments) == 0)
        test.session.put(QueueTest.entry("banana"))
        let transaction = test.queue.transactions.first
        #expect(transaction?.payment.productIdentifier == "banana")
        #expect(test.queue.transactions.first === transaction)
        test.queue.add(test.observer)
        #expect(try await test.told() == ["banana purchased"])
        #expect(test.observer.objects.first === transaction)
    }

    @Test("X1: an observer finishes in its callback, by the queue of the app")
    func finishesInCallback() async throws {
        test.observer.updated = { _, transactions in
            for transaction in transactions { SKPaymentQueue.default().finishTransaction(transaction) }
        }
        test.queue.add(test.observer)
        test.session.put(QueueTest.entry("banana"))
        _ = try await test.told()
        #expect(try await test.told() == ["banana purchased", "removed banana"])
        #expect(test.session.entries.isEmpty)
    }

    @Test("X1: an observer that adds the next payment in its callback hears of it afterwards")
    func addsInCallback() async throws {
        test.observer.updated = { queue, transactions in
            guard transactions.contains(where: { $0.transactionState == .purchased }) else { return }
            queue.add(SKPayment(Payment("next")))
            test.transcript.write("added")
        }
        test.queue.add(test.observer)
        test.session.put(QueueTest.entry("banana"))
        _ = try await test.told()
        #expect(try await test.told() == ["banana purchased", "added", "next purchasing"])
    }
}
