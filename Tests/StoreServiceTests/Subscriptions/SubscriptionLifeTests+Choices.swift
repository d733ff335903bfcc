import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// What customers want of a subscription that does not simply renew.
extension SubscriptionLifeTests {
    @Test(
        "X7: A higher price without an answer is no matter where another plan is to renew, and is asked again without one"
    )
    func increaseAndOtherPlan() async throws {
        for isTakenBack in [false, true] {
            try await SaleScene.on(.memory) { scene in
                try await scene.enterPlans()
                let device = try await scene.device(scene.customer())
                let first = try await scene.buy(SaleScene.plan(1001, level: 1), on: device)
                try await scene.finish(first.transaction, on: device)
                let price = Money(minorUnits: 999, currency: .usd)
                try await scene.handle(
                    .raised(PriceIncrease(price: price, needsConsent: true, askedAt: scene.time.current)))
                _ = try await scene.buy(SaleScene.plan(1002, level: 2, cents: 300), on: device)
                #expect(try await scene.subscription().rules.openIncrease == nil)
                if isTakenBack {
                    _ = try await scene.buy(SaleScene.plan(1001, level: 1), on: device)
                    #expect(try await scene.subscription().rules.openIncrease?.price == price)
                }
                try await scene.pass(days: 65)
                let stored = try await scene.subscription()
                if isTakenBack {
                    #expect(stored.state == .expired && stored.rules.intent == .priceIncreaseNotConsented)
                } else {
                    #expect(stored.state == .active && stored.rules.increase == nil)
                    #expect(try await scene.periods().map(\.price.minorUnits) == [499, 300, 300])
                }
                #expect(try await scene.check().isInOrder)
            }
        }
    }

    @Test("A subscription of the sandbox that has renewed as often as it may is not turned on again")
    func spent() async throws {
        try await StoreEngine.memory.withStore { databases in
            try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
            let scene = try SaleScene(
                databases, subscriptions: SubscriptionTerms(scale: .day(lasts: 86_400_000), renewalLimit: 2))
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            _ = try await scene.buy(SaleScene.plan(), on: device)
            try await scene.pass(days: 70)
            let stored = try await scene.subscription()
            #expect(stored.rules.renewals == 2 && !stored.rules.renews)
            let changes = SubscriptionChanges(scene.store)
            let refusal = await #expect(throws: ServiceError.self) {
                _ = try await changes.renew(stored.id, true, scene.cause)
            }
            #expect(refusal?.description.contains("renews 2 times") == true, "\(String(describing: refusal))")
            // Nor by asking for it on a device.
            for period in try await scene.periods() { try await scene.finish(period.id, on: device) }
            _ = try await scene.buy(SaleScene.plan(), on: device)
            #expect(try await !scene.subscription().rules.renews)
            func words() async throws -> String {
                SubscriptionSummary(try await changes.details(of: stored.id)).sentence
            }
            let limit = "in the sandbox a subscription of shortened periods renews 2 times."
            #expect(try await words().hasSuffix("and does not renew: \(limit)"))
            try await scene.pass(days: 40)
            #expect(try await scene.periods().count == 3)
            #expect(try await scene.subscription().state == .expired)
            #expect(try await words().hasSuffix(": \(limit)"))
        }
    }

    @Test(
        "X7: Bought again in the grace period, the overdue renewal is paid at once and the billing date stays",
        arguments: StoreEngine.allCases)
    func boughtInGrace(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (device, first) = try await Self.unpaid(scene)
            let item = try SaleScene.plan()
            #expect(try await !Self.isFree(item, of: device, scene))
            // Another card that is declined changes nothing.
            let declined = try await scene.buy(item, on: device)
            #expect(declined.state == .declined)
            #expect(try await scene.subscription().state == .grace)

            try await scene.addMethod("approve", to: device.requireCustomer())
            let bought = try await scene.buy(item, on: device)
            #expect(bought.charge?.state == .captured)
            let paid = try await scene.transaction(bought.transaction)
            #expect(paid.id != first.id && paid.originalID == first.id && paid.purchaseDate == first.expiresDate)
            #expect(paid.expiresDate == first.purchaseDate.adding(.oneMonth, times: 2))
            let stored = try await scene.subscription()
            #expect(stored.state == .active && stored.rules.renews && stored.latest == paid.id)
            // The charge that rested is not tried any more.
            #expect(stored.charge == nil && stored.rules.charge == .none)
            #expect(try await scene.count("SELECT count(*) FROM charge WHERE state = 'declined'") == 0)
            #expect(try await scene.entitlements(device).map(\.id) == [paid.id])
            #expect(try await Self.isFree(item, of: device, scene))
            try await scene.pass(days: 60)
            #expect(try await scene.periods().count == 4)
            #expect(await scene.processor.held == 0)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X7: Bought again after the grace period, it begins anew on that day, and what was owed is given up")
    func boughtInRetry() async throws {
        try await SaleScene.on(.memory) { scene in
            let (device, first) = try await Self.unpaid(scene)
            try await scene.pass(days: 20)
            #expect(try await scene.subscription().state == .retry)
            try await scene.addMethod("approve", to: device.requireCustomer())
            let paid = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
            #expect(paid.originalID == first.id && paid.purchaseDate == scene.time.current)
            let stored = try await scene.subscription()
            #expect(stored.state == .active && stored.charge == nil)
            #expect(try await scene.count("SELECT count(*) FROM charge WHERE state = 'released'") == 1)
            #expect(try await scene.periods().count == 2)
            #expect(try await scene.check().isInOrder)
        }
    }

    /// A subscription whose first renewal was declined, an hour into the grace period, and its finished first transaction.
    private static func unpaid(_ scene: SaleScene) async throws -> (DeviceScope, StoreTransaction) {
        try await scene.enterPlans()
        try await scene.setGrace(days: 16)
        let customer = try await scene.customer()
        let device = try await scene.device(customer)
        let first = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
        try await scene.finish(first.id, on: device)
        try await scene.addMethod("decline", to: customer)
        try await scene.pass(until: scene.subscription().rules.endsAt + .seconds(3600))
        #expect(try await scene.subscription().state == .grace)
        return (device, first)
    }

    private static func isFree(_ item: SoldItem, of device: DeviceScope, _ scene: SaleScene) async throws -> Bool {
        let now = scene.time.current
        return try await scene.store.database.read {
            try Transactions.isFree(item.id, for: device.requireCustomer(), at: now, in: $0)
        }
    }
}
