import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreBackend

/// R5.6: a subscriber's periods, on any device of the user.
@Suite(.bounded) struct SubscriberTests {
    @Test func `a year of a subscriber is known at each moment from what the store tells`() async throws {
        let scene = try await ToldBackend()
        var life = try ToldLife()
        var told = 0
        try await scene.bring(life.latest)
        func stands(_ state: BackendSubscription.State, _ product: String, renews: Bool?, line: String) async throws {
            for statement in life.statements.dropFirst(told) {
                try await scene.tell(statement, id: NotificationID(UUID()))
            }
            told = life.statements.count
            let found = try await scene.backend.subscriptions(of: scene.ann, at: life.clock)
            #expect(found.map(\.state) == [state], "\(line)")
            #expect(found.map(\.productID.text) == [product], "\(line)")
            #expect(found.map(\.renews) == [renews], "\(line)")
            // What gives a right is what the entitlements say, too.
            let entitled = try await scene.backend.entitlements(of: scene.ann, at: life.clock).filter(\.isInForce)
            #expect(entitled.map(\.transaction.productID.text) == (state.isServed ? [product] : []), "\(line)")
        }
        try await stands(.active, "news", renews: true, line: "January: subscribed")
        try life.renew()
        try await stands(.active, "news", renews: true, line: "February: renewed")
        life.wait(ToldLife.day)
        try life.upgrade(to: ProductID(parsing: "all"))
        try await stands(.active, "all", renews: true, line: "February: upgraded")
        life.setRenewal(false)
        try await stands(.active, "all", renews: false, line: "February: turned off")
        life.setRenewal(true)
        try life.renew(as: ProductID(parsing: "news"))
        try await stands(.active, "news", renews: true, line: "March: a lower plan")
        life.fail(withGrace: ToldLife.day * 16)
        try await stands(.gracePeriod, "news", renews: true, line: "April: not paid")
        life.wait(ToldLife.day * 17)
        try await stands(.billingRetry, "news", renews: true, line: "May: the grace period is over")
        try life.renew()
        try await stands(.active, "news", renews: true, line: "May: paid after all")
        life.refund()
        try await stands(.revoked, "news", renews: false, line: "May: refunded")
        life.reverse()
        try await stands(.active, "news", renews: false, line: "May: the refund was taken back")
        life.expire(.cancelled)
        try await stands(.expired, "news", renews: false, line: "June: over")
        life.wait(ToldLife.day * 90)
        try life.renew(as: ProductID(parsing: "all"))
        try await stands(.active, "all", renews: true, line: "September: subscribed again")
        life.extend(ToldLife.day * 10)
        life.wait(ToldLife.day * 35)
        try await stands(.active, "all", renews: true, line: "October: ten days were given")
        life.wait(ToldLife.day * 10)
        try await stands(.expired, "all", renews: true, line: "October: nobody said what came next")
        #expect(try await scene.backend.subscriptions(of: scene.ben, at: life.clock).isEmpty)
    }

    @Test func `a customer is asked once in a period, on whichever device asks first`() async throws {
        let scene = try await ToldBackend()
        var life = try ToldLife()
        let original = life.latest.originalTransactionID
        try await scene.bring(life.latest)
        func ask(_ user: BackendUser? = nil) async throws -> PromptDecision {
            for statement in life.statements { try await scene.tell(statement, id: NotificationID(UUID())) }
            return try await scene.backend.mayPrompt(original, for: user ?? scene.ann, at: life.clock)
        }
        #expect(try await ask().code == .renews)
        life.expire(.billingError)
        for statement in life.statements { try await scene.tell(statement, id: NotificationID(UUID())) }
        let now = life.clock
        async let one = scene.backend.mayPrompt(original, for: scene.ann, at: now)
        async let two = scene.backend.mayPrompt(original, for: scene.ann, at: now)
        #expect(try await [one, two].count(where: \.mayPrompt) == 1)
        #expect(try await ask().code == .asked)
        life.wait(ToldLife.day * 40)
        try life.renew()
        life.setRenewal(false)
        #expect(try await ask().code == .runs)
        life.expire(.cancelled)
        #expect(try await ask().mayPrompt)
        #expect(try await ask().code == .asked)
        let refused = await #expect(throws: BackendError.self) { try await ask(scene.ben) }
        #expect(refused?.code == .unknownSubscription)
        let prompted = try await scene.backend.audit(of: scene.ann).filter { $0.action == .prompted }
        #expect(prompted.count == 2)
    }

    @Test func `the shortest pause between two questions is that of the list, with its reason`() async throws {
        let scene = try await ToldBackend()
        var life = try ToldLife()
        life.expire(.cancelled)
        try await scene.bring(life.latest)
        func ask() async throws -> PromptDecision {
            try await scene.backend.mayPrompt(life.latest.originalTransactionID, for: scene.ann, at: life.clock)
        }
        #expect(try await ask().mayPrompt)
        // An extension of the same product, bought and refunded within days, is another period.
        var short = life.latest
        short.transactionID = try ToldLife.id(77_000)
        (short.purchaseDate, short.expiresDate) = (life.clock, life.clock + ToldLife.day)
        short.statedAt = life.clock
        try await scene.bring(short)
        life.wait(ToldLife.day * 2)
        let decision = try await ask()
        #expect(decision.code == .tooSoon)
        #expect(decision.reason.hasSuffix("Issues come out once a month."))
        life.wait(ToldLife.day * 30)
        #expect(try await ask().mayPrompt)
    }
}
