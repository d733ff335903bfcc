import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
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

    @Test("A charge that is not there is said to be missing by its own name")
    func unknown() async throws {
        try await SaleScene.on(.memory) { scene in
            let id = try ChargeID(number: 17)
            let refusal = await #expect(throws: ServiceError.self) {
                _ = try await scene.store.database.read { try Charges.require(id, in: $0) }
            }
            #expect(refusal?.code == .chargeUnknown && refusal?.message == "there is no charge 17")
        }
    }

    @Test("A client that hangs up does not take its charge with it, nor an operator a refund")
    func hungUp() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let opened = try await scene.open(scene.order(.sample(.consumable)), on: device)
            /// Lets somebody begin something and go while the processor is asked.
            func leave(_ body: @escaping @Sendable () async throws -> Void) async throws {
                let arrived = scene.processor.arrived.value
                scene.processor.door.update { $0 = false }
                let client = Task { try await body() }
                try await scene.processor.arrived.wait { $0 > arrived }
                client.cancel()
                scene.processor.door.update { $0 = true }
                _ = await client.result
            }
            try await leave { _ = try await scene.confirm(opened.id) }
            let bought = try await scene.purchase(opened.id)
            #expect(bought.state == .purchased)
            #expect(await scene.processor.calls == ["authorise", "capture"])
            try await leave { _ = try await scene.refund(bought.transaction) }
            #expect(await scene.processor.calls == ["authorise", "capture", "refund"])
            #expect(try await scene.count("SELECT count(*) FROM refund WHERE state = 'refunded'") == 1)
        }
    }

    @Test("Nobody looks after a charge whose client has hung up before: its work does")
    func goneBefore() async throws {
        try await SaleScene.on(.memory) { scene in
            await scene.processor.plan("authorise", .lostBefore)
            let device = try await scene.device(scene.customer())
            let charge = try await scene.buy(.sample(.consumable), on: device).id.sale.charge
            let calls = await scene.processor.calls
            let client = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await scene.charges.look(after: charge)
            }
            await #expect(throws: CancellationError.self) { try await client.value }
            #expect(await scene.processor.calls == calls)
            #expect(try await scene.charges.look(after: charge)?.state == .captured)
        }
    }

    @Test("On a full disk nobody is told to order or to give back again what goes on by itself")
    func fullDisk() async throws {
        try await StoreEngine.memory.withStore { databases in
            try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
            let database = FullDatabase(databases.sandbox)
            let scene = try SaleScene(databases, database: database)
            try await scene.enterShop()
            let customer = try await scene.customer()
            let selection = try Checkout.Selection(product: "com.example.shop.coins", quantity: 1, accountToken: nil)
            /// The disk becomes full while the processor is asked.
            func whileFull<Outcome: Sendable>(
                _ body: @escaping @Sendable () async throws -> Outcome
            ) async throws -> Outcome {
                let arrived = scene.processor.arrived.value
                scene.processor.door.update { $0 = false }
                let client = Task { try await body() }
                try await scene.processor.arrived.wait { $0 > arrived }
                database.isFull.update { $0 = true }
                scene.processor.door.update { $0 = true }
                defer { database.isFull.update { $0 = false } }
                return try await client.value
            }
            let sold = try await whileFull {
                try await scene.checkout.sell(
                    selection, to: customer.description, app: BundleID(parsing: "com.example.shop"), key: nil,
                    scene.store.cause(.owner))
            }
            #expect(sold.isNew && sold.status.charge?.state == .authorising)
            let charge = try await scene.charges.look(after: sold.status.id.charge)
            #expect(charge?.state == .captured)
            #expect(try await scene.count("SELECT count(*) FROM sale_order") == 1)
            let transaction = try await scene.store.database.read {
                try SaleStatus.require(sold.status.id, in: $0).bought?.id
            }
            #expect(try await whileFull { try await scene.refund(transaction) }.state == .refunding)
            scene.time.pass(.seconds(60))
            try await scene.work()
            #expect(try await scene.count("SELECT count(*) FROM refund WHERE state = 'refunded'") == 1)
            #expect(await scene.processor.calls.count { $0 == "capture" } == 1)
            #expect(try await scene.check().isInOrder)
        }
    }

    // MARK: Orders without a question

    @Test(
        "The operator sells without a question: an order and a charge, and no purchase", arguments: StoreEngine.allCases
    )
    func operatorSale(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterShop()
            let customer = try await scene.customer()
            let key = PurchaseKey(UUID())
            let selection = try Checkout.Selection(product: "com.example.shop.coins", quantity: 2, accountToken: nil)
            func sell() async throws -> (SaleStatus, Bool) {
                try await scene.checkout.sell(
                    selection, to: customer.description, app: BundleID(parsing: "com.example.shop"), key: key,
                    scene.store.cause(.owner, request: "r-1"))
            }
            let (sold, isNew) = try await sell()
            #expect(isNew && sold.state == .purchased)
            #expect(sold.purchase == nil && sold.order?.origin == .operator && sold.charge?.state == .captured)
            let (again, isNewAgain) = try await sell()
            #expect(!isNewAgain && again.id == sold.id)
            #expect(await scene.processor.count("capture") == 1)
            #expect(try await scene.count("SELECT count(*) FROM purchase") == 0)
            #expect(try await scene.history(sold.id.purchase).map(\.event) == [.ordered, .authorised, .captured])
            #expect(try await scene.history(sold.id.purchase).allSatisfy { $0.request == "r-1" })
            #expect(try await scene.check().isInOrder)
            // Something in the way makes it a question: it is interrupted, and goes on once that is settled.
            _ = try await Accounts(scene.store).change(
                customer.description, .init(interruptsPurchases: true), scene.store.cause(.owner))
            let (asked, _) = try await scene.checkout.sell(
                selection, to: customer.description, app: BundleID(parsing: "com.example.shop"), key: nil,
                scene.store.cause(.owner))
            #expect(asked.state == .interrupted && asked.purchase?.device == nil)
            let settled = try await scene.checkout.settleInterruption(of: "\(asked.id)", scene.store.cause(.owner))
            #expect(settled.state == .purchased)
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
        // A database of PostgreSQL takes a second to make; there a few have to do.
        for (number, steps) in orders.enumerated() where engine == .memory || number % 30 == 3 {
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
