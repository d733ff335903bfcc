import Foundation
import StoreKit
import StoreModel
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("Several test sessions at once", .bounded)
struct ParallelSessionTests {
    @Test("X2: Sessions of parallel tasks do not see each other")
    func apart() async throws {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for product in ["credits5", "jungle", "season", "hat"] {
                group.addTask {
                    let bench = try Bench()
                    return try await bench.run { observer in
                        Bench.add("monkeys.\(product)")
                        try await observer.until("purchased \(product)")
                        try await observer.until("removed")
                        #expect(observer.lines == ["purchasing \(product)", "purchased \(product)", "removed"])
                        return bench.session.allTransactions().map(\.productIdentifier) + ["monkeys.\(product)"]
                    }
                }
            }
            for try await found in group {
                #expect(found.count == 2)
                #expect(found.first == found.last)
            }
        }
    }

    @Test("Many tasks that wait for their sessions do not stop each other")
    func many() async throws {
        // More than there are threads for tasks, so that all of those wait at once.
        let count = ProcessInfo.processInfo.activeProcessorCount * 3
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let session = try Bench().session
                    for product in ["monkeys.credits5", "monkeys.jungle"] {
                        try session.buyProduct(productIdentifier: product)
                    }
                    let all = session.allTransactions()
                    for transaction in all { try session.refundTransaction(identifier: transaction.identifier) }
                    return session.allTransactions().filter { $0.cancelDate != nil }.count
                }
            }
            for try await refunded in group { #expect(refunded == 2) }
        }
    }

    @Test("X2: Hundreds of sessions live at once, each with its own store, time and app")
    func twoHundred() async throws {
        let count = RandomizedRun.cases(40, inSoak: 200)
        let sessions = try await withThrowingTaskGroup(of: (Int, SKTestSession).self) { group in
            for number in 1...count {
                group.addTask {
                    let session = try Bench().session
                    try session.advance(by: .seconds(number))
                    try session.buyProduct(
                        productIdentifier: number.isMultiple(of: 2) ? "monkeys.jungle" : "monkeys.hat")
                    return (number, session)
                }
            }
            var made: [Int: SKTestSession] = [:]
            for try await (number, session) in group { made[number] = session }
            return made
        }
        // All of them are there now, and none has anything of another's.
        for (number, session) in sessions {
            let bought = session.allTransactions()
            #expect(bought.map(\.productIdentifier) == [number.isMultiple(of: 2) ? "monkeys.jungle" : "monkeys.hat"])
            #expect(bought.first?.purchaseDate == Bench.start.date.addingTimeInterval(Double(number)))
        }
        #expect(sessions.count == count)
    }

    @Test("A call on the main queue returns without it, and its callbacks are enqueued")
    @MainActor
    func main() async throws {
        let bench = try Bench()
        let observer = bench.observer
        try bench.session.asCurrent {
            SKPaymentQueue.default().add(observer)
            try bench.session.buyProduct(productIdentifier: "monkeys.credits5")
            // The main queue is busy with this test, so that nobody can have been told.
            #expect(observer.lines.isEmpty)
        }
        await mainQueueDrained()
        #expect(observer.lines.first == "purchased credits5")
        let before = observer.lines.count
        bench.session.storefront = "FRA"
        #expect(observer.lines.count == before)
        await mainQueueDrained()
        #expect(observer.lines.contains("storefront FRA"))
    }

    @Test("A session can be used within a callback")
    func callback() async throws {
        let bench = try Bench()
        let asker = Asker(bench.session)
        await bench.session.asCurrent {
            SKPaymentQueue.default().add(asker)
            Bench.add("monkeys.credits5")
            let counts = await asker.counts.first { _ in true }
            #expect(counts == 1)
            SKPaymentQueue.default().remove(asker)
        }
    }
}

/// Asks the session for its transactions while it is called.
// Safe: everything in it is Sendable and never changes.
private final class Asker: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    let counts: AsyncStream<Int>
    private let found: AsyncStream<Int>.Continuation
    private let session: SKTestSession

    init(_ session: SKTestSession) {
        self.session = session
        (counts, found) = AsyncStream.makeStream()
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            queue.finishTransaction(transaction)
            found.yield(session.allTransactions().count)
        }
    }
}
