import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// What becomes of a purchase while a transaction of the group waits to be finished.
@Suite("Buying a subscription whose transaction is unfinished", .bounded)
struct SubscriptionPurchaseTests {
    @Test("X7: What runs and renews is delivered again without a question")
    func unchanged() async throws {
        try await SaleScene.on(.memory) { scene in
            let (device, first) = try await Self.subscribed(scene, SaleScene.plan())
            let again = try await scene.open(scene.order(SaleScene.plan()), on: device)
            #expect(again.state == .purchased && again.transaction == first.id && again.charge == nil)
        }
    }

    @Test("X7: What was turned off is asked about, and is on again after a yes", arguments: StoreEngine.allCases)
    func turnedOff(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (device, first) = try await Self.subscribed(scene, SaleScene.plan())
            try await scene.handle(.turnedOff)
            let asked = try await scene.open(scene.order(SaleScene.plan()), on: device)
            // Without a yes nothing is charged later that would not have been.
            #expect(asked.state == .confirmation)
            #expect(try await !scene.subscription().rules.renews)
            let again = try await scene.confirm(asked.id)
            #expect(again.state == .purchased && again.transaction == first.id && again.charge == nil)
            #expect(try await scene.subscription().rules.renews)
            #expect(await scene.processor.count("capture") == 1)
            try await scene.pass(days: 32)
            #expect(try await scene.periods().count == 2)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X7: To want what runs takes a planned change back")
    func planned() async throws {
        try await SaleScene.on(.memory) { scene in
            let (device, first) = try await Self.subscribed(scene, SaleScene.plan(1001, level: 1))
            _ = try await scene.buy(SaleScene.plan(1002, level: 2), on: device)
            #expect(try await scene.subscription().rules.next != nil)
            let again = try await scene.buy(SaleScene.plan(1001, level: 1), on: device)
            #expect(again.state == .purchased && again.transaction == first.id && again.charge == nil)
            #expect(try await scene.subscription().rules.next == nil)
            #expect(await scene.processor.count("capture") == 1)
        }
    }

    @Test("X7 P21: What an upgrade replaced is not delivered again: to want it plans the change back")
    func upgraded() async throws {
        try await SaleScene.on(.memory) { scene in
            let (device, old) = try await Self.subscribed(scene, SaleScene.plan(1002, level: 2))
            let new = try await scene.buy(SaleScene.plan(1001, level: 1), on: device)
            let back = try await scene.buy(SaleScene.plan(1002, level: 2), on: device)
            #expect(back.state == .purchased && back.transaction == new.transaction && back.transaction != old.id)
            #expect(try await scene.subscription().rules.next?.product == old.productID)
            #expect(await scene.processor.count("capture") == 2)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X7 P21: The operator sells anew what a change to another product at once has replaced")
    func soldAnew() async throws {
        try await SaleScene.on(.memory) { scene in
            let customer = try await scene.customer()
            func sell(_ number: Int) async throws -> StoreTransaction {
                let selection = try Checkout.Selection(
                    product: "com.example.item\(number)", quantity: nil, accountToken: nil)
                let (status, _) = try await scene.checkout.sell(
                    selection, to: customer.description, app: BundleID(parsing: "com.example.app42"), key: nil,
                    scene.store.cause(.owner))
                let found = try await scene.store.database.read { try Transactions.find(order: status.id, in: $0) }
                return try #require(found)
            }
            try await scene.enterPlans()
            let first = try await sell(1002)
            _ = try await sell(1001)
            let back = try await sell(1002)
            #expect(back.id != first.id && back.upgradedAt == nil)
            #expect(try await scene.subscription().rules.plan.product == first.productID)
            #expect(await scene.processor.count("capture") == 3)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("A renewal carries the token that the app gave with the purchase")
    func accountToken() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            let token = AppAccountToken(UUID())
            let order = CheckoutRequest(
                key: PurchaseKey(UUID()), item: try SaleScene.plan(), quantity: 1, accountToken: token,
                confirmation: try Confirmation(random: scene.store.random))
            _ = try await scene.confirm(scene.open(order, on: device).id)
            try await scene.pass(days: 62)
            #expect(try await scene.periods().map(\.accountToken) == [token, token, token])
        }
    }

    @Test("Production renews beyond the twelve times of the sandbox")
    func manyRenewals() async throws {
        let databases = try await StoreDatabases.inMemory(.current())
        let scene = try SaleScene(databases, environment: .production)
        let (device, _) = try await Self.subscribed(scene, SaleScene.plan())
        try await scene.finish(scene.periods().first?.id, on: device)
        try await scene.pass(days: 440)
        #expect(try await scene.periods().count > SubscriptionTerms.sandboxRenewals + 1)
        #expect(try await scene.subscription().state == .active)
        #expect(try await scene.check().isInOrder)
        await databases.close()
    }

    /// A customer's device, and a first period that its app has not finished.
    private static func subscribed(
        _ scene: SaleScene, _ plan: SoldItem
    ) async throws -> (device: DeviceScope, first: StoreTransaction) {
        try await scene.enterPlans()
        let device = try await scene.device(scene.customer())
        return (device, try await scene.transaction(scene.buy(plan, on: device).transaction))
    }
}
