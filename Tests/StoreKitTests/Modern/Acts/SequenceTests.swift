import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What the sequences of transactions tell, over a whole store.
@Suite("X1: Sequences of the modern API", .bounded)
struct ModernSequenceTests {
    @Test("A refund comes by updates, and is gone from the entitlements by then")
    func refund() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { _ in
            let bought = try await bench.product(SessionStore.jungle).purchase().bought()
            await bought.finish()
            #expect(await Transaction.currentEntitlements.ids == [bought.id])
            var updates = Transaction.updates.makeAsyncIterator()
            try await bench.refund(bought)
            let told = try #require(await updates.next()).payloadValue
            #expect(told.id == bought.id)
            #expect(told.revocationDate != nil)
            #expect(await Transaction.currentEntitlements.ids == [])
            #expect(try await Transaction.latest(for: SessionStore.jungle)?.payloadValue.revocationDate != nil)
        }
    }

    @Test("P12, P22: A refund while the app is away is told at the next launch, once")
    func refundWhileAway() async throws {
        let bench = try await SessionBench(SessionStore())
        let bought = try await bench.withApp { _ in
            let bought = try await bench.product(SessionStore.jungle).purchase().bought()
            await bought.finish()
            return bought
        }
        try await bench.refund(bought)
        // The journal hears of it in a process that ends before the app does.
        try await bench.withApp { _ in #expect(await Transaction.currentEntitlements.ids == []) }
        try await bench.withApp { client in
            var updates = Transaction.updates.makeAsyncIterator()
            let update = try await updates.next()?.payloadValue
            #expect(update?.revocationDate != nil)
            #expect(try client.session.journal.announcements() == [])
        }
    }

    @Test("What another device buys comes by updates")
    func otherDevice() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { client in
            try await client.signIn()
            var updates = Transaction.updates.makeAsyncIterator()
            try await bench.store.sell(SessionStore.jungle)
            #expect(try await updates.next()?.payloadValue.productID == SessionStore.jungle)
        }
    }

    @Test("What purchase() has returned does not come by updates, which go on with what follows")
    func notRepeated() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { _ in
            var updates = Transaction.updates.makeAsyncIterator()
            let bought = try await bench.product(SessionStore.credits).purchase().bought()
            try await bench.store.sell(SessionStore.jungle)
            let next = try #require(await updates.next()).payloadValue
            #expect(next.productID == SessionStore.jungle)
            #expect(await Transaction.unfinished.ids.sorted() == [bought.id, next.id].sorted())
        }
    }

    @Test("P7: What an earlier process has not finished comes once by updates")
    func unfinished() async throws {
        let bench = try await SessionBench(SessionStore())
        let bought = try await bench.withApp { _ in
            try await bench.product(SessionStore.credits).purchase().bought()
        }
        try await bench.withApp { _ in
            var updates = Transaction.updates.makeAsyncIterator()
            let told = try #require(await updates.next()).payloadValue
            #expect(told.id == bought.id)
            await told.finish()
            #expect(await Transaction.unfinished.ids == [])
        }
        #expect(bench.store.processor.charges == [1])
    }

    @Test("A cancelled task ends the sequences")
    func cancelled() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { _ in
            _ = try await bench.product(SessionStore.jungle).purchase().bought()
            let updates = Task { () -> Int in
                var count = 0
                for await _ in Transaction.updates { count += 1 }
                return count
            }
            updates.cancel()
            #expect(await updates.value == 0)
            let entitlements = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await Transaction.currentEntitlements.ids
            }
            #expect(await entitlements.value == [])
        }
    }

    @Test("P20, P21: A subscription tells how it stands, and each change of that")
    func subscription() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { client in
            let product = try await bench.product(SessionStore.club)
            let terms = try #require(product.subscription)
            #expect(try await terms.status.isEmpty)
            let bought = try await product.purchase().bought()
            await bought.finish()
            let status = try #require(try await terms.status.first)
            #expect(status.state == .subscribed)
            #expect(try status.transaction.payloadValue.id == bought.id)
            #expect(try status.renewalInfo.payloadValue.willAutoRenew)
            #expect(await bought.subscriptionStatus?.state == .subscribed)
            #expect(await Transaction.currentEntitlements.ids == [bought.id])
            _ = try await bench.store.control("POST", "/subscriptions/\(bought.originalID)/expiry")
            #expect(try await terms.status.first?.state == .expired)
            #expect(await Transaction.currentEntitlements(for: product.id).ids == [])
            #expect(await Transaction.all(for: product.id).ids == [bought.id])
            _ = client
        }
    }

    @Test("The first answer whether a group is new stands for the life of the process")
    func eligibility() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { _ in
            let product = try await bench.product(SessionStore.club)
            let terms = try #require(product.subscription)
            #expect(await terms.isEligibleForIntroOffer)
            await (try await product.purchase().bought()).finish()
            #expect(await terms.isEligibleForIntroOffer)
        }
        try await bench.withApp { _ in
            let terms = try #require(try await bench.product(SessionStore.club).subscription)
            #expect(await !terms.isEligibleForIntroOffer)
        }
    }

    @Test("The download of the app is verified for this device, and is kept")
    func appTransaction() async throws {
        let bench = try await SessionBench(SessionStore())
        let first = try await bench.withApp { client in
            let download = try await AppTransaction.shared.payloadValue
            #expect(download.bundleID == "com.example.monkeycredits")
            #expect(download.appVersion == "1.0")
            #expect(download.originalAppVersion == "1.0")
            #expect(AppStore.deviceVerificationID == client.session.device.identity.device)
            return download
        }
        let isCut = SteeredConnection.before(bench.connection) { _ in throw CancellationError() }
        try await bench.withApp(connection: isCut) { _ in
            let kept = try await AppTransaction.shared.payloadValue
            #expect(kept == first)
            await #expect(throws: StoreKitError.self) { try await AppTransaction.refresh() }
        }
    }

    @Test("A refund that the customer wants is asked of the store")
    func refundRequest() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withApp { _ in
            let bought = try await bench.product(SessionStore.jungle).purchase().bought()
            #expect(try await bought.beginRefundRequest() == .success)
            let asked = try await bench.store.control("GET", "/refund-requests")
            #expect((asked["items"] as? [[String: Any]])?.count == 1)
        }
    }

    @Test("Whoever synchronises signs in first, or cancels")
    func synchronised() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.store.sell(SessionStore.jungle)
        _ = try await bench.withApp(prompt: ScriptedPrompt([.cancelled])) { _ in
            await #expect {
                try await AppStore.sync()
            } throws: { error in
                guard case StoreKitError.userCancelled = error else { return false }
                return true
            }
        }
        try await bench.withApp { _ in
            try await AppStore.sync()
            #expect(await Transaction.currentEntitlements.ids.count == 1)
        }
    }
}
