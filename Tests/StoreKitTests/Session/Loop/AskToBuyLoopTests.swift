import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreKit

/// A payment that somebody else decides, as the app sees it.
@Suite("Ask to Buy on the device", .bounded)
struct AskToBuyLoopTests {
    private func ask(_ app: SessionClient) async throws {
        app.attach()
        app.session.add(Payment(SessionStore.credits, simulatesAskToBuyInSandbox: true))
        try await app.until("deferred credits5")
    }

    private func decide(_ store: SessionStore, _ act: String) async throws {
        let waiting = try await store.control("GET", "/approvals")
        let first = try #require((waiting["items"] as? [[String: Any]])?.first)
        _ = try await store.control("POST", "/approvals/\(try #require(first["purchaseId"]))/\(act)")
    }

    @Test(
        "R2.4: A payment with the flag of the sandbox is deferred, then purchased or failed", arguments: [true, false])
    func decided(_ isApproved: Bool) async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            try await ask(app)
            #expect(bench.store.processor.charges == [])
            try await decide(bench.store, isApproved ? "consent" : "refusal")
            try await app.untilDecided()
            #expect(
                app.words == [
                    "attached", "purchasing credits5", "deferred credits5",
                    isApproved ? "purchased credits5" : "failed credits5: approval_refused",
                ])
            if !isApproved { #expect(try app.last(.failed).failure?.code == 2) }
        }
        #expect(bench.store.processor.charges == (isApproved ? [1] : []))
    }

    @Test(
        "R2.4: A deferred payment survives the end of the app, and is the same payment afterwards",
        arguments: [true, false])
    func relaunched(_ isDecidedMeanwhile: Bool) async throws {
        let bench = try await SessionBench(SessionStore())
        let key = try await bench.withSession { app in
            try await ask(app)
            return try app.last(.deferred).key
        }
        if isDecidedMeanwhile { try await decide(bench.store, "consent") }
        try await bench.withSession { app in
            app.attach()
            if !isDecidedMeanwhile {
                try await app.until("deferred credits5")
                try await decide(bench.store, "consent")
            }
            try await app.until("purchased credits5")
            #expect(try app.last(.purchased).key == key)
        }
        #expect(bench.store.processor.charges == [1])
    }

    @Test("R2.4: A day without an answer ends a deferred payment")
    func late() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            try await ask(app)
            bench.store.time.pass(PurchaseLimits.approval)
            try await bench.store.work()
            try await app.untilDecided()
            #expect(app.words.last == "failed credits5: expired")
        }
    }

    @Test("P35: What is shared comes without a purchase, and leaving the family takes it with the app told")
    func shared() async throws {
        let bench = try await SessionBench(SessionStore())
        let store = bench.store
        try await store.addCustomer("organiser@example.com")
        _ = try await store.databases.catalogue.write {
            try $0.execute("UPDATE product SET is_family_shareable = 1 WHERE product_id = $1", SessionStore.jungle)
        }
        _ = try await store.control("POST", "/families", ["organiser": "organiser@example.com"])
        let family = "/families/organiser@example.com/members"
        _ = try await store.control("POST", family, ["customer": SessionStore.email, "role": "child"])
        _ = try await store.control(
            "POST", "/purchases",
            [
                "customer": "organiser@example.com", "bundleId": DemoCatalogue.bundleID,
                "productId": SessionStore.jungle,
            ])
        try await store.work()
        try await bench.withSession { app in
            app.attach()
            try await app.signIn()
            try await app.until("purchased jungle")
            app.session.finish(try app.last(.purchased).key)
            try await app.untilFinishesAreTold()
            // It is answered with nothing.
            _ = try? await store.control("DELETE", family + "/" + SessionStore.email)
            try await app.until("revoked jungle")
        }
    }
}
