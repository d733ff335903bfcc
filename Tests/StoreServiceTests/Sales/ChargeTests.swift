import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import TestSupport
import Testing

/// Orders and their charges: with a question and without, in one attempt or several.
@Suite(.bounded) struct ChargeTests {
    @Test(
        "R2.8: What costs nothing is an order without a charge, an entry or a call of the processor",
        arguments: StoreEngine.allCases)
    func free(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer(pays: nil))
            let bought = try await scene.buy(.sample(.nonConsumable, cents: 0), on: device)
            #expect(bought.state == .purchased)
            #expect(try await scene.count("SELECT count(*) FROM sale_order") == 1)
            #expect(try await scene.count("SELECT count(*) FROM charge") == 0)
            #expect(try await scene.count("SELECT count(*) FROM ledger_entry") == 0)
            #expect(await scene.processor.calls.isEmpty)
            #expect(try await scene.count("SELECT count(*) FROM work") == 0)
        }
    }

    // MARK: Orders without a question

    /// Another period of a subscription, as whatever renews it will make it.
    private func renew(
        _ first: StoreTransaction, _ scene: SaleScene
    ) async throws -> StoredCharge {
        let id = try PurchaseID(number: await scene.store.numbers.next(.purchases))
        let (drawn, cause) = (try await scene.store.draw(), scene.store.cause(.store))
        return try await scene.store.database.write { transaction in
            let change = try cause.change(of: first.customerID, in: transaction)
            let scope = CustomerScope(
                customer: first.customerID, app: first.appID, bundle: first.bundleID, storefront: first.storefront)
            let order = try SaleOrder(
                id, .renewal, of: .sample(.autoRenewable), quantity: 1, to: scope, commission: drawn.commission,
                continuing: first.originalID, orderLine: drawn.orderLine, at: change.commerce)
            try order.insert(change)
            let method = try #require(try Customers.paymentMethods(of: first.customerID, in: transaction).last)
            return try Charges.open(order, paidWith: method, isAttended: false, change)
        }
    }

    @Test(
        "A renewal that is made by hand is charged in three attempts, each under keys of its own, and delivered once",
        arguments: StoreEngine.allCases)
    func threeAttempts(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let first = try await scene.transaction(scene.buy(.sample(.autoRenewable), on: device).transaction)
            try await scene.finish(first.id, on: device)
            scene.time.pass(.seconds(32 * 24 * 60 * 60))
            // Two cards that do not pay: one is declined, the other wants its owner, who is not there.
            for (number, method) in ["decline", "action", "approve"].enumerated() {
                try await scene.addMethod(method, to: customer)
                let cause = scene.store.cause(.store)
                let charge: StoredCharge
                if number == 0 {
                    charge = try await renew(first, scene)
                } else {
                    charge = try await scene.store.database.write { transaction in
                        let id = try transaction.value(
                            "SELECT id FROM charge WHERE state = 'declined'", as: PurchaseID.self)
                        let method = try #require(try Customers.paymentMethods(of: customer, in: transaction).last)
                        return try Charges.tryAgain(
                            Charges.require(id, in: transaction), paidWith: method,
                            cause.change(of: customer, in: transaction))
                    }
                }
                let driven = try await scene.charges.drive(charge, isFirst: true, cause)
                #expect(driven.rules.attempt == number + 1)
                #expect(driven.state == (number < 2 ? .declined : .captured))
                #expect(driven.rules.failure == [.declined("insufficient_funds"), .actionNeeded, nil][number])
                #expect(try await scene.count("SELECT count(*) FROM work") == 0)
            }
            #expect(await scene.processor.held == 0)
            let owned = try #require(try await scene.entitlements(device).first)
            #expect(owned.originalID == first.id)
            #expect(owned.reason == .renewal)
            #expect(owned.originalPurchaseDate == first.purchaseDate)
            #expect(owned.deviceID == nil)
            let keys = await scene.processor.movements.keys.sorted()
            #expect(keys.count == 2 && keys.contains { $0.hasSuffix("/3/capture") })
            // The customer was told of the card that wanted its owner, and got the new period on every device.
            #expect(try await scene.events(device).map(\.kind) == [.transaction, .purchase, .transaction])
            let report = try await scene.check()
            #expect(report.isInOrder, "\(report.problems)")
            #expect(report.entries == 2)
        }
    }

    @Test(
        "The operator sells without a question: an order and a charge, and no purchase", arguments: StoreEngine.allCases
    )
    func operatorSale(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterShop()
            let customer = try await scene.customer()
            let key = PurchaseKey(UUID())
            let wish = try Checkout.Wish(product: "com.example.shop.coins", quantity: 2, accountToken: nil)
            func sell() async throws -> (SaleStatus, Bool) {
                try await scene.checkout.sell(
                    wish, to: customer.description, app: BundleID(parsing: "com.example.shop"), key: key,
                    scene.store.cause(.operator, request: "r-1"))
            }
            let (sold, isNew) = try await sell()
            #expect(isNew && sold.state == "purchased")
            #expect(sold.purchase == nil && sold.order?.origin == .operator && sold.charge?.state == .captured)
            let (again, isNewAgain) = try await sell()
            #expect(!isNewAgain && again.id == sold.id)
            #expect(await scene.processor.count("capture") == 1)
            #expect(try await scene.count("SELECT count(*) FROM purchase") == 0)
            #expect(try await scene.history(sold.id).map(\.event) == ["ordered", "authorised", "captured"])
            #expect(try await scene.history(sold.id).allSatisfy { $0.request == "r-1" })
            #expect(try await scene.check().isInOrder)
            // Something in the way makes it a question: it is interrupted, and goes on once that is settled.
            _ = try await Accounts(scene.store).change(customer.description, .init(interruptsPurchases: true))
            let (asked, _) = try await scene.checkout.sell(
                wish, to: customer.description, app: BundleID(parsing: "com.example.shop"), key: nil,
                scene.store.cause(.operator))
            #expect(asked.state == "interrupted" && asked.purchase?.device == nil)
            let settled = try await scene.checkout.settleInterruption(of: "\(asked.id)", scene.store.cause(.operator))
            #expect(settled.state == "purchased")
            #expect(try await scene.check().isInOrder)
        }
    }

    // MARK: At the bank

    /// What can happen while the customer is at the bank.
    // Closed: the cases of the test below.
    enum Step: CaseIterable, Sendable { case cancel, succeed, fail, look, expire }

    @Test(
        "Cancelling while the bank's page is open charges or lets go, in every order of what happens meanwhile",
        arguments: [StoreEngine.memory, .postgres])
    func cancelledAtTheBank(_ engine: StoreEngine) async throws {
        let orders = Step.allCases.flatMap { first in
            Step.allCases.filter { $0 != first }.flatMap { second in
                Step.allCases.filter { $0 != first && $0 != second }.map { [first, second, $0] }
            }
        }
        // A database of PostgreSQL takes a second to make; there every tenth has to do.
        for (number, steps) in orders.enumerated() where engine == .memory || number % 10 == 3 {
            try await SaleScene.on(engine) { try await judge(steps, $0) }
        }
    }

    private func judge(_ steps: [Step], _ scene: SaleScene) async throws {
        let device = try await scene.device(scene.customer(pays: "action"))
        let bought = try await scene.buy(.sample(.nonConsumable), on: device)
        let reference = try #require(bought.authorisation)
        for step in steps {
            switch step {
            case .cancel: _ = try? await scene.cancel(bought.id)
            case .succeed: await scene.processor.act(reference)
            case .fail: await scene.processor.act(reference, succeeds: false)
            case .look: try await scene.look(after: bought.id)
            case .expire: scene.time.pass(ChargeLimits.action)
            }
        }
        scene.time.pass(ChargeLimits.action)
        try await scene.work()
        let ended = try await scene.purchase(bought.id)
        #expect(ended.state.isFinal, "\(steps)")
        #expect(ended.charge.map { [.captured, .released].contains($0.state) } == true, "\(steps)")
        #expect(await scene.processor.held == 0, "\(steps)")
        let taken = await scene.processor.movements.count
        #expect(taken == (ended.state == .purchased ? 1 : 0), "\(steps)")
        // What the customer cancelled before the bank said yes is never charged.
        if steps.first == .cancel { #expect(taken == 0, "\(steps)") }
        #expect(try await scene.check().isInOrder, "\(steps)")
    }

    // MARK: Clocks

    @Test("A customer with a clock of its own buys at the time that it shows", arguments: StoreEngine.allCases)
    func ownClock(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (fast, slow) = (try await scene.customer(), try await scene.customer())
            let start = SceneTime.start
            try await scene.store.database.write { transaction in
                try transaction.execute(
                    "INSERT INTO clock (id, wall_at, shown_at, rate) VALUES (7, $1, $2, 2000)", start,
                    start + .seconds(1_000_000))
                try transaction.execute("UPDATE customer SET clock_id = 7 WHERE id = $1", fast)
            }
            scene.time.pass(.seconds(60))
            let bought = try await scene.buy(.sample(.autoRenewable), on: scene.device(fast))
            let other = try await scene.buy(.sample(.autoRenewable), on: scene.device(slow))
            let transaction = try await scene.transaction(bought.transaction)
            #expect(transaction.purchaseDate == start + .seconds(1_000_120))
            #expect(try await scene.transaction(other.transaction).purchaseDate == start + .seconds(60))
            #expect(try await scene.history(bought.id).last?.at == transaction.purchaseDate)
        }
    }
}
