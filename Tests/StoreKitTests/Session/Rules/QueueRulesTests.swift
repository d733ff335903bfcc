import Foundation
import StoreModel
import Testing

@testable import StoreKit

/// Transcripts of the rules: what happened, and what came of it.
@Suite("The rules of the payment queue")
struct QueueRulesTests {
    @Test("A payment is told as purchasing, sent, told as purchased, and gone once it is finished")
    func purchase() throws {
        var queue = Script()
        let payment = try Script.payment(1)
        #expect(queue.handle(.added(payment)) == ["tell purchasing coins", "send"])
        let bought = try Script.bought(7, number: 2)
        #expect(queue.handle(.arrived(bought, of: payment.key)) == ["tell purchased coins 7"])
        #expect(queue.handle(.arrived(bought, of: payment.key)) == [])
        #expect(queue.handle(.arrived(bought, of: nil)) == [])
        #expect(queue.handle(.finish(.payment(payment.key))) == ["tell removed 1", "acknowledge"])
        #expect(queue.rules.entries == [])
        #expect(queue.handle(.finish(.payment(payment.key))) == [])
    }

    @Test("What is still open cannot be finished")
    func open() throws {
        var queue = Script()
        let payment = try Script.payment(1)
        _ = queue.handle(.added(payment))
        #expect(queue.handle(.finish(.payment(payment.key))) == [])
        #expect(queue.handle(.deferred(payment.key)) == ["tell deferred coins"])
        #expect(queue.handle(.deferred(payment.key)) == [])
        #expect(queue.handle(.finish(.payment(payment.key))) == [])
        #expect(queue.handle(.arrived(try Script.bought(7, number: 2), of: payment.key)) == ["tell purchased coins 7"])
        #expect(queue.handle(.deferred(payment.key)) == [])
        #expect(queue.handle(.failed(payment.key, .cancelled)) == [])
    }

    @Test("A failed payment is told, and waits to be finished; the store is told nothing")
    func failure() throws {
        var queue = Script()
        let payment = try Script.payment(1)
        _ = queue.handle(.added(payment))
        #expect(queue.handle(.failed(payment.key, .cancelled)) == ["tell failed coins: cancelled"])
        #expect(queue.handle(.failed(payment.key, .restricted)) == [])
        #expect(queue.handle(.finish(.payment(payment.key))) == ["tell removed 1"])
    }

    @Test("A payment that failed and succeeds after all comes as a transaction of its own")
    func interrupted() throws {
        var queue = Script()
        let payment = try Script.payment(1)
        _ = queue.handle(.added(payment))
        _ = queue.handle(.failed(payment.key, .interrupted))
        #expect(queue.handle(.arrived(try Script.bought(7, number: 2), of: nil)) == ["tell purchased coins 7"])
        #expect(queue.rules.entries.count == 2)
    }

    @Test("Entries have the order in which payments were added and transactions came")
    func order() throws {
        var queue = Script()
        #expect(queue.handle(.arrived(try Script.bought(8, number: 5), of: nil)) == ["tell purchased coins 8"])
        #expect(queue.handle(.added(try Script.payment(2))) == ["tell purchasing coins", "send"])
        #expect(queue.handle(.arrived(try Script.bought(9, number: 1), of: nil)) == ["tell purchased coins 9"])
        #expect(queue.rules.entries.map(\.number) == [1, 2, 5])
        #expect(queue.handle(.settled(try Script.bought(8, number: 5).id)) == ["tell removed 1"])
        #expect(queue.rules.entries.map(\.number) == [1, 2])
    }

    @Test("A payment that is refused is told as purchasing, then as failed, and is never sent")
    func refused() throws {
        var queue = Script()
        let payment = try Script.payment(1)
        #expect(
            queue.handle(.refused(payment, .restricted)) == ["tell purchasing coins", "tell failed coins: restricted"])
        #expect(queue.handle(.finish(.payment(payment.key))) == ["tell removed 1"])
    }

    @Test("A transaction that was told while its payment waited is not told twice")
    func overtaken() throws {
        var queue = Script()
        let payment = try Script.payment(1)
        _ = queue.handle(.added(payment))
        let bought = try Script.bought(7, number: 2)
        #expect(queue.handle(.arrived(bought, of: nil)) == ["tell purchased coins 7"])
        #expect(queue.handle(.arrived(bought, of: payment.key)) == ["tell removed 1"])
        #expect(queue.rules.entries.map(\.key) == [.transaction(bought.id)])
    }

    @Test("A transaction that waited before is the answer to a new payment too, and is finished once for both")
    func redelivered() throws {
        var queue = Script()
        let bought = try Script.bought(7, number: 1)
        _ = queue.handle(.arrived(bought, of: nil))
        let payment = try Script.payment(2)
        _ = queue.handle(.added(payment))
        #expect(queue.handle(.arrived(bought, of: payment.key)) == ["tell purchased coins 7"])
        #expect(queue.handle(.finish(.payment(payment.key))) == ["tell removed 2", "acknowledge"])
    }

    @Test("What was finished elsewhere, or is lost, goes away")
    func settled() throws {
        var queue = Script()
        let bought = try Script.bought(7, number: 1)
        _ = queue.handle(.arrived(bought, of: nil))
        #expect(queue.handle(.settled(bought.id)) == ["tell removed 1"])
        #expect(queue.handle(.settled(bought.id)) == [])
        #expect(queue.handle(.revoked(["coins"])) == ["tell revoked coins"])
        #expect(queue.handle(.storefrontChanged) == ["tell storefront"])
    }

    @Test("A restore ends exactly once, and a second one while it runs is none")
    func restore() throws {
        var queue = Script()
        #expect(queue.handle(.restoreEnded) == [])
        #expect(queue.handle(.restoreAsked(username: "ada")) == ["restore ada"])
        #expect(queue.handle(.restoreAsked(username: "ada")) == [])
        #expect(
            queue.handle(.arrived(try Script.bought(9, number: 1, restored: true), of: nil)) == [
                "tell restored coins 9"
            ])
        #expect(queue.handle(.restoreEnded) == ["tell restore finished"])
        #expect(queue.handle(.restoreEnded) == [])
        #expect(queue.handle(.restoreAsked(username: "ada")) == ["restore ada"])
        #expect(queue.handle(.restoreFailed(.cancelled)) == ["tell restore failed: cancelled"])
        #expect(queue.handle(.restoreFailed(.cancelled)) == [])
    }

    @Test("R3.1: What a restore brings back before it was finished is told again, and is in the queue once")
    func restoredTwice() throws {
        var queue = Script()
        let copy = try Script.bought(9, number: 1, restored: true)
        #expect(queue.handle(.arrived(copy, of: nil)) == ["tell restored coins 9"])
        #expect(queue.handle(.arrived(copy, of: nil)) == [])
        #expect(queue.handle(.restoredAgain([copy.id])) == ["tell restored coins 9"])
        #expect(queue.rules.entries.count == 1)
        _ = queue.handle(.finish(.transaction(copy.id)))
        #expect(queue.handle(.restoredAgain([copy.id])) == [])
        #expect(queue.handle(.restoredAgain([])) == [])
    }

    @Test("A payment that was taken over is looked after if it is open, and told if it has failed")
    func adopted() throws {
        var queue = Script()
        let payment = try Script.payment(1)
        #expect(queue.handle(.adopted(payment)) == ["tell purchasing coins", "resume"])
        #expect(queue.handle(.adopted(payment)) == [])
        var failed = try Script.payment(2)
        failed.state = .failed
        failed.failure = .cancelled
        #expect(queue.handle(.adopted(failed)) == ["tell failed coins: cancelled"])
    }
}

/// The rules with their actions as words.
private struct Script {
    var rules = PaymentQueue()

    mutating func handle(_ event: PaymentQueue.Event) -> [String] { rules.handle(event).map(Self.word) }

    static func payment(_ number: Int64) throws -> JournalPayment {
        JournalPayment(
            key: PurchaseKey(UUID()), number: number, payment: Payment("coins"), owner: "me",
            addedAt: SessionTime.start)
    }

    static func bought(_ id: Int64, number: Int64, restored: Bool = false) throws -> BoughtTransaction {
        BoughtTransaction(
            id: try TransactionID(number: id), number: number, payment: Payment("coins"), date: SessionTime.start,
            isRestored: restored)
    }

    private static func word(_ action: PaymentQueue.Action) -> String {
        switch action {
        case .tell(let entries):
            "tell "
                + entries.map { entry in
                    "\(entry.state) \(entry.payment.product)" + (entry.bought.map { " \($0.id)" } ?? "")
                        + (entry.failure.map { ": \($0.reason)" } ?? "")
                }.joined(separator: ", ")
        case .tellRemoved(let keys): "tell removed \(keys.count)"
        case .tellRestoreFinished: "tell restore finished"
        case .tellRestoreFailed(let failure): "tell restore failed: \(failure.reason)"
        case .tellRevoked(let products): "tell revoked \(products.joined(separator: ", "))"
        case .tellStorefrontChanged: "tell storefront"
        case .send: "send"
        case .resume: "resume"
        case .restore(let username): "restore \(username ?? "")"
        case .acknowledge: "acknowledge"
        }
    }
}
