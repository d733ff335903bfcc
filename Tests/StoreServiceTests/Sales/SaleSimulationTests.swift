import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// Customers who buy at once in a store that stops in the middle, with a processor that loses answers: at the end
/// everything is sold once, or not at all.
@Suite(.bounded) struct SaleSimulationTests {
    private struct Shop {
        let devices: [DeviceScope]
        let items: [SoldItem]
    }

    @Test(
        "Whatever is lost and whoever stops, money, goods and books agree in the end",
        arguments: [StoreEngine.memory, .postgres])
    func simulation(_ engine: StoreEngine) async throws {
        var random = RandomizedRun.generator(named: "road \(engine)")
        for _ in 0..<(engine == .memory ? RandomizedRun.cases(3, inSoak: 120) : RandomizedRun.cases(1)) {
            let seed = random.next()
            try await engine.withStore { try await run($0, SplitMix64(seed: seed)) }
        }
    }

    private func run(_ databases: StoreDatabases, _ generator: SplitMix64) async throws {
        var random = generator
        let calm = try SaleScene(databases)
        let shop = try await furnish(calm)
        await calm.processor.failAtRandom(SplitMix64(seed: random.next()), perMille: 250)
        for _ in 0..<6 {
            // A life of the store, of which each driver may stop anywhere.
            let database = AbandonedDatabase(databases.sandbox, SplitMix64(seed: random.next()), perMille: 60)
            let scene = try SaleScene(databases, database: database, processor: calm.processor, time: calm.time)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<12 {
                    let seed = random.next()
                    group.addTask { await Self.visit(shop, scene, SplitMix64(seed: seed)) }
                }
            }
            calm.time.pass(.seconds(Int64(random.next() % 1200)))
            try? await Recovery(scene.store).run()
        }
        await calm.processor.failAtRandom(nil)
        try await settle(calm)
        try await judge(calm)
    }

    private func furnish(_ scene: SaleScene) async throws -> Shop {
        var devices: [DeviceScope] = []
        for method in ["approve", "approve", "decline", "action", "worthless"] {
            let customer = try await scene.customer(pays: method)
            for _ in 0..<2 { devices.append(try await scene.device(customer)) }
        }
        return Shop(
            devices: devices,
            items: [
                try .sample(.consumable, 1), try .sample(.nonConsumable, 2), try .sample(.autoRenewable, 3),
                try .sample(.nonRenewing, 4), try .sample(.nonConsumable, 5, cents: 0),
            ])
    }

    /// Buys, goes to the bank, cancels, asks for the money back; whatever fails is left as it is.
    private static func visit(_ shop: Shop, _ scene: SaleScene, _ generator: SplitMix64) async {
        var random = generator
        guard let device = shop.devices.randomElement(using: &random),
            let item = shop.items.randomElement(using: &random),
            let order = try? scene.order(item, quantity: Int(random.next() % 3) + 1)
        else { return }
        var bought: BoughtPurchase?
        // A request that got no answer is repeated, with the same key.
        for _ in 0..<(random.next() % 3 + 1) {
            guard let opened = try? await scene.open(order, on: device) else { continue }
            bought = (try? await scene.confirm(opened.id)) ?? opened
        }
        guard let bought else { return }
        if bought.charge?.state == .action, let reference = bought.authorisation {
            switch random.next() % 4 {
            case 0: _ = try? await scene.cancel(bought.id)
            case 1: await scene.processor.act(reference, succeeds: false)
            case 2: await scene.processor.act(reference)
            default: break
            }
        }
        async let first = try? scene.look(after: bought.id)
        async let second = try? scene.look(after: bought.id)
        _ = await (first, second)
        if random.next() % 3 == 0, let id = bought.transaction {
            _ = try? await scene.refund(id, .full(.other))
        }
    }

    /// The store is at work again, and two days pass.
    private func settle(_ scene: SaleScene) async throws {
        try await Recovery(scene.store).run()
        for _ in 0..<60 {
            try await scene.work()
            scene.time.pass(.seconds(60 * 60))
        }
    }

    private func judge(_ scene: SaleScene) async throws {
        let report = try await scene.check(page: 5)
        #expect(report.isInOrder, "\(report.problems)")
        #expect(report.underWay == 0)
        #expect(
            try await scene.count(
                """
                SELECT count(*) FROM purchase
                WHERE state NOT IN ('purchased', 'declined', 'cancelled', 'failed')
                """) == 0)
        #expect(try await scene.count("SELECT count(*) FROM charge WHERE state NOT IN ('captured', 'released')") == 0)
        #expect(try await scene.count("SELECT count(*) FROM refund WHERE state = 'refunding'") == 0)
        #expect(try await scene.count("SELECT count(*) FROM work WHERE kind <> 'subscription'") == 0)
        #expect(
            try await scene.count(
                """
                SELECT count(*) FROM purchase WHERE (state = 'purchased') <> (transaction_id IS NOT NULL)
                """) == 0)
        #expect(await scene.processor.held == 0)
        // Of what is owned once nobody paid for two at a time: each is either the only one or came after a refund.
        #expect(
            try await scene.count(
                """
                SELECT count(*) FROM (
                    SELECT 1 FROM store_transaction WHERE kind = 'Non-Consumable' AND price > 0
                        AND NOT EXISTS (SELECT 1 FROM transaction_revocation WHERE transaction_id = store_transaction.id)
                    GROUP BY customer_id, item_id HAVING count(*) > 1) AS twice
                """) == 0)
        // Each customer's events are numbered without gaps.
        #expect(
            try await scene.count(
                """
                SELECT count(*) FROM (
                    SELECT 1 FROM customer_event GROUP BY customer_id, app_id
                    HAVING max(number) <> count(*) OR min(number) <> 1) AS gap
                """) == 0)
        let taken = await scene.processor.movements.values.reduce(into: Int64(0)) {
            $0 += $1.kind == .captured ? $1.amount.minorUnits : -$1.amount.minorUnits
        }
        #expect(report.sums.first { $0.account == "processor" }?.amount.minorUnits ?? 0 == taken)
    }
}
