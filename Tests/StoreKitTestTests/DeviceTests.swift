import Foundation
import StoreKit
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("Devices and launches of a test session", .bounded)
struct DeviceTests {
    @Test("X2: After a relaunch what was not finished comes again, and to new observers alone")
    func relaunch() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            observer.finishes(false)
            Bench.add("monkeys.credits5")
            try await observer.until("purchased credits5")
            try bench.session.relaunch()
            await mainQueueDrained()
            let before = observer.lines
            let second = TellingObserver()
            SKPaymentQueue.default().add(second)
            defer { SKPaymentQueue.default().remove(second) }
            try await second.until("removed")
            #expect(second.lines == ["purchased credits5", "removed"])
            #expect(observer.lines == before)
            try bench.session.relaunch()
            #expect(SKPaymentQueue.default().transactions.isEmpty, "what is finished stays so")
        }
        #expect(bench.session.allTransactions().count == 1)
    }

    @Test("X2: The session that was made last is the one that the process talks to after its relaunch too")
    func shared() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let bench = try Bench()
            try bench.session.buyProduct(productIdentifier: "monkeys.jungle")
            try bench.session.relaunch()
            let observer = TellingObserver()
            SKPaymentQueue.default().add(observer)
            try await observer.until("purchased jungle")
            exit(7)
        }
    }

    @Test("X2: A device of another account has nothing of the customer, and buys for itself")
    func otherAccount() async throws {
        let session = try Bench().session
        try session.buyProduct(productIdentifier: "monkeys.jungle")
        let (own, other) = (try session.addDevice(), try session.addDevice(signedInAs: "grace@example.com"))
        func entitlements() async -> [String] {
            var found: [String] = []
            for await one in Transaction.currentEntitlements { found.append(one.unsafePayloadValue.productID) }
            return found
        }
        #expect(await own.asCurrent { await entitlements() } == ["monkeys.jungle"])
        try await other.asCurrent {
            #expect(await entitlements() == [])
            let hat = try #require(await Product.products(for: ["monkeys.hat"]).first)
            _ = try await hat.purchase()
        }
        // The account is known by its address from then on.
        let second = try session.addDevice(signedInAs: "grace@example.com")
        #expect(await second.asCurrent { await entitlements() } == ["monkeys.hat"])
        #expect(session.allTransactions().map(\.productIdentifier) == ["monkeys.jungle"])
        let error = #expect(throws: SKTestError.self) { try session.addDevice(signedInAs: "nobody") }
        #expect(error?.code == .invalidAction)
    }

    @Test("X2: A second device restores what the first has bought, and both hear of its refund")
    func second() async throws {
        let bench = try Bench()
        let (tablet, observer) = (try bench.session.addDevice(), TellingObserver())
        try await bench.run { first in
            Bench.add("monkeys.jungle")
            try await first.until("removed")
            try await tablet.asCurrent {
                SKPaymentQueue.default().add(observer)
                defer { SKPaymentQueue.default().remove(observer) }
                SKPaymentQueue.default().restoreCompletedTransactions()
                try await observer.until("restore finished")
                #expect(observer.lines.contains("restored jungle"))
                #expect(!first.lines.contains("restored jungle"))
                let bought = try #require(bench.session.allTransactions().first)
                try bench.session.refundTransaction(identifier: bought.identifier)
                await mainQueueDrained()
            }
            #expect(first.lines.contains("revoked monkeys.jungle"))
            #expect(observer.lines.contains("revoked monkeys.jungle"))
        }
    }

    @Test("X8: A fork goes on from its snapshot, and neither hears of the other")
    func fork() throws {
        let session = try Bench().session
        try session.buyProduct(productIdentifier: "monkeys.club")
        try session.advance(by: .seconds(40 * 86_400))
        let snapshot = try session.snapshot()
        let (one, two) = (try SKTestSession(snapshot), try SKTestSession(snapshot))
        #expect(one.currentDate == session.currentDate)
        #expect(one.allTransactions().map(\.identifier) == session.allTransactions().map(\.identifier))
        try one.expireSubscription(productIdentifier: "monkeys.club")
        try two.advance(by: .seconds(35 * 86_400))
        #expect(one.allTransactions().map(\.autoRenewingEnabled) == [false, false])
        #expect(two.allTransactions().count == 3)
        #expect(session.allTransactions().map(\.autoRenewingEnabled) == [true, true])
    }

    @Test("X8: The app of a fork has what it had not finished, and the settings of the moment")
    func forkedApp() async throws {
        let bench = try Bench()
        bench.session.interruptedPurchasesEnabled = true
        let fork = try await bench.run { observer in
            observer.finishes(false)
            bench.session.interruptedPurchasesEnabled = false
            Bench.add("monkeys.credits5")
            try await observer.until("purchased credits5")
            bench.session.interruptedPurchasesEnabled = true
            return try bench.session.fork()
        }
        #expect(fork.interruptedPurchasesEnabled)
        let observer = TellingObserver()
        try await fork.asCurrent {
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            try await observer.until("removed")
        }
        #expect(observer.lines == ["purchased credits5", "removed"])
        bench.session.asCurrent {
            #expect(SKPaymentQueue.default().transactions.count == 1, "here it waits still")
        }
    }

    @Test("X4: Time goes to a date, with all that becomes due by it, and never back")
    func date() throws {
        let session = try Bench().session
        try session.buyProduct(productIdentifier: "monkeys.club")
        let goal = session.currentDate.addingTimeInterval(95 * 86_400)
        try session.advance(to: goal)
        #expect(session.currentDate == goal)
        #expect(session.allTransactions().count == 4)
        for past in [goal.addingTimeInterval(-1), .distantPast, .distantFuture] {
            #expect { try session.advance(to: past) } throws: { ($0 as? SKTestError)?.code == .invalidAction }
        }
        #expect(session.currentDate == goal)
    }
}
