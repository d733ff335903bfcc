import Foundation
import StoreModel
import StoreService
import StoreSigning
import TestSupport
import Testing

@testable import StoreKit

/// The whole road of StoreKit 1, with one body over memory and over a socket.
@Suite("The whole loop of a session", .bounded)
struct WholeLoopTests {
    @Test("What is bought is told, finished and gone, and the receipt says so")
    func purchase() async throws {
        try await overBothTransports { bench in
            try await bench.withSession { app in
                let products = try await app.session.products(for: [SessionStore.credits, "nothing.of.this"])
                #expect(products.products.map(\.identifier) == [SessionStore.credits])
                #expect(products.invalidIdentifiers == ["nothing.of.this"])
                app.attach()
                let key = app.buy(SessionStore.credits, quantity: 3)
                try await app.until("purchased credits5")
                #expect(app.words == ["attached", "purchasing credits5", "purchased credits5"])
                let bought = try app.last(.purchased)
                #expect(bought.key == key && bought.payment.quantity == 3)
                #expect(bought.bought?.receipt?.isEmpty == false)
                #expect(bought.bought?.original == nil)
                let receipt = try receipt(app)
                #expect(receipt.purchases.map(\.transactionID) == [bought.bought?.id.number.description])
                app.session.finish(bought.key)
                try await app.until("removed")
                #expect(app.session.entries == [])
                try await app.untilFinishesAreTold()
                #expect(try self.receipt(app).purchases.isEmpty)
            }
            #expect(bench.store.processor.charges == [1])
            let counts = try await bench.store.counts()
            #expect(counts == (1, 0))
        }
    }

    private func receipt(_ app: SessionClient) throws -> AppReceipt {
        let bytes = Array(try Data(contentsOf: app.session.receipt.url))
        return try app.session.settings.profile.receipts.verify(bytes).receipt
    }

    @Test("What is not finished comes once for each attachment, and at every launch, until it is finished")
    func redelivery() async throws {
        try await overBothTransports { bench in
            try await bench.withSession { app in
                app.attach()
                app.buy(SessionStore.credits)
                try await app.until("purchased credits5")
                app.detach()
                app.attach()
                #expect(app.words.suffix(2) == ["attached", "purchased credits5"])
            }
            for _ in 1...2 {
                try await bench.withSession { app in
                    app.attach()
                    #expect(app.words == ["attached", "purchased credits5"])
                }
            }
            try await bench.withSession { app in
                app.attach()
                app.session.finish(try app.last(.purchased).key)
                try await app.untilFinishesAreTold()
            }
            try await bench.withSession { app in
                app.attach()
                #expect(app.words == ["attached"])
            }
            #expect(bench.store.processor.charges == [1])
        }
    }

    @Test("A restore brings back what is owned, each with its original, and ends exactly once")
    func restore() async throws {
        try await overBothTransports { bench in
            try await bench.withSession { app in
                app.attach()
                app.session.restore(applicationUsername: nil)
                try await app.until("restore finished")
                #expect(app.words == ["attached", "restore finished"])
                app.buy(SessionStore.jungle)
                try await app.until("purchased jungle")
                app.session.finish(try app.last(.purchased).key)
                app.session.restore(applicationUsername: "ada")
                // A second one while the first is running is no restore of its own.
                app.session.restore(applicationUsername: nil)
                try await app.until("restore finished", times: 2)
                let restored = try app.last(.restored)
                #expect(restored.bought?.original?.id != nil)
                #expect(restored.bought?.original?.id != restored.bought?.id)
                #expect(restored.payment.username == nil)
                #expect(app.words.suffix(2) == ["restored jungle", "restore finished"])
                // It is not finished: the next restore tells of it again, and makes no other.
                app.session.restore(applicationUsername: nil)
                try await app.until("restore finished", times: 3)
                #expect(app.words.suffix(2) == ["restored jungle", "restore finished"])
                #expect(try app.last(.restored).bought?.id == restored.bought?.id && app.session.entries.count == 1)
            }
        }
    }

    @Test("A new device of the customer gets what was not finished, and restores the rest")
    func secondDevice() async throws {
        try await overBothTransports { bench in
            try await bench.withSession { app in
                app.attach()
                app.buy(SessionStore.jungle)
                try await app.until("purchased jungle")
                app.session.finish(try app.last(.purchased).key)
                try await app.untilFinishesAreTold()
                app.buy(SessionStore.credits)
                try await app.until("purchased credits5")
                // As long as somebody is signed in here, what can be used once is for this device.
                try await app.session.device.signOut()
            }
            let other = try await SessionBench(
                bench.store, connection: bench.connection, address: bench.profile.content.storeUrl.description)
            try await other.withSession { app in
                app.attach()
                app.session.restore(applicationUsername: nil)
                try await app.until("restore finished")
                try await app.until("purchased credits5")
                #expect(app.words.contains("restored jungle"))
                #expect(!app.words.contains("purchased jungle"))
            }
            #expect(bench.store.processor.charges.count == 2)
        }
    }

    @Test("An unfinished consumable is for the device that bought it, until that one was silent for long")
    func oneDevice() async throws {
        let bench = try await SessionBench(SessionStore())
        let other = try await SessionBench(bench.store)
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
            try await other.withSession { second in
                try await second.signIn()
                second.attach()
                try await second.session.catchUp()
                #expect(second.words == ["attached"])
            }
        }
        // The first one is away.
        bench.store.time.pass(StorePolicy.standard.patience)
        try await bench.store.work()
        try await other.withSession { second in
            second.attach()
            try await second.until("purchased credits5")
            second.session.finish(try second.last(.purchased).key)
            try await second.untilFinishesAreTold()
        }
        try await bench.withSession { app in
            app.attach()
            try await app.session.catchUp()
            #expect(app.words == ["attached"])
            #expect(try app.session.journal.news(after: nil).waiting.isEmpty)
            #expect(try app.session.journal.payments().isEmpty)
        }
        #expect(bench.store.processor.charges.count == 1)
    }

    @Test("A consumable of an earlier start is told at once, while it is surely this device's own")
    func ownStill() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
            try await app.session.catchUp()
        }
        for (minutes, isTold) in [(1, true), (30, false)] {
            bench.store.time.pass(.seconds(minutes * 60))
            try await bench.withSession(connection: NoConnection()) { app in
                app.attach()
                #expect(app.words == (isTold ? ["attached", "purchased credits5"] : ["attached"]))
            }
        }
    }

    @Test("Owning it already costs nothing, and is an ordinary purchase")
    func ownedAlready() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle")
            // Not finished: the same transaction again.
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle", times: 2)
            let first = try app.last(.purchased)
            app.session.finish(first.key)
            try await app.until("removed", times: 2)
            try await app.untilFinishesAreTold()
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle", times: 3)
            #expect(try app.last(.purchased).bought?.id != first.bought?.id)
            app.session.finish(try app.last(.purchased).key)
            app.buy(SessionStore.club)
            try await app.until("purchased club")
            app.session.finish(try app.last(.purchased).key)
            try await app.untilFinishesAreTold()
            // A subscription that runs comes again as it is.
            app.buy(SessionStore.club)
            try await app.until("purchased club", times: 2)
        }
        #expect(bench.store.processor.charges.count == 2)
    }
}

/// A store that is not there.
private struct NoConnection: StoreConnection {
    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        throw ConnectionError(.unreachable(mayHaveHappened: false), code: "unreachable", "The store cannot be reached.")
    }
}
