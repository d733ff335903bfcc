import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite(.bounded) struct LedgerCheckTests {
    /// Books with sales in two currencies, something free, a refund, and a page that is smaller than they are.
    private func sold(_ engine: StoreEngine, _ body: (SaleScene, [BoughtPurchase]) async throws -> Void) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            var bought: [BoughtPurchase] = []
            for quantity in 1...4 {
                bought.append(try await scene.buy(.sample(.consumable), on: device, quantity: quantity))
            }
            bought.append(
                try await scene.buy(.sample(.consumable, 2, cents: 160, currency: .jpy, storefront: "JPN"), on: device))
            bought.append(try await scene.buy(.sample(.nonConsumable, 3, cents: 0), on: device))
            _ = try await scene.refund(bought[0].transaction)
            try await body(scene, bought)
        }
    }

    @Test(
        "Books in order say what each account has in each currency", arguments: StoreEngine.allCases,
        [1, 2, 3, 6, 1000])
    func inOrder(_ engine: StoreEngine, _ page: Int) async throws {
        try await sold(engine) { scene, _ in
            let report = try await scene.check(page: page)
            #expect(report.isInOrder, "\(report.problems)")
            #expect(report.entries == 6)
            #expect(report.movements == 6)
            // 9 × 1.99 dollars are 17.91; of each sale the store keeps 30 %, rounded.
            let sums = report.sums.map { "\($0.account) \($0.amount)" }
            #expect(
                sums == [
                    "commission -48 JPY", "commission -5.37 USD", "proceeds/42 -112 JPY", "proceeds/42 -12.54 USD",
                    "processor 160 JPY", "processor 17.91 USD",
                ])
        }
    }

    @Test(
        "R1.8: The proceeds of an app are what the books have, of a time and in each currency",
        arguments: StoreEngine.allCases)
    func proceeds(_ engine: StoreEngine) async throws {
        try await sold(engine) { scene, _ in
            let app = try AppID(number: 42)
            let lines = { (from: Instant?, until: Instant?) in
                try await scene.store.database.read { transaction in
                    try Proceeds.list(of: app, from: from, until: until, in: transaction).map {
                        "\($0.sales) sold, \($0.refunds) back: \($0.paid) - \($0.commission) = \($0.proceeds)"
                    }
                }
            }
            let all = [
                "1 sold, 0 back: 160 JPY - 48 JPY = 112 JPY", "4 sold, 1 back: 17.91 USD - 5.37 USD = 12.54 USD",
            ]
            #expect(try await lines(nil, nil) == all)
            #expect(try await lines(SceneTime.start - .seconds(1), scene.time.current + .seconds(1)) == all)
            #expect(try await lines(scene.time.current + .seconds(1), nil) == [])
            #expect(try await lines(nil, SceneTime.start) == [])
        }
    }

    /// A way to break the books, and what must be said of it.
    struct Breach: Sendable, CustomTestStringConvertible {
        let statement: SQL
        let codes: Set<LedgerReport.Problem.Code>
        let testDescription: String

        init(_ name: String, _ statement: SQL, _ codes: Set<LedgerReport.Problem.Code>) {
            (testDescription, self.statement, self.codes) = (name, statement, codes)
        }
    }

    static let breaches = [
        Breach(
            "a posting changed",
            "UPDATE ledger_posting SET amount = amount + 1 WHERE entry_id = (SELECT id FROM ledger_entry WHERE kind = 'sale' AND subject = 2) AND line = 2",
            [.entryUnbalanced]),
        Breach(
            "two postings changed alike",
            "UPDATE ledger_posting SET amount = amount + CASE WHEN line = 1 THEN 1 ELSE -1 END WHERE entry_id = (SELECT id FROM ledger_entry WHERE kind = 'sale' AND subject = 2) AND line < 3",
            [.entryAmountWrong]),
        Breach(
            "a currency changed",
            "UPDATE ledger_posting SET currency = 'EUR' WHERE entry_id = (SELECT id FROM ledger_entry WHERE kind = 'sale' AND subject = 2)",
            [.entryAmountWrong]),
        Breach(
            "postings gone",
            "DELETE FROM ledger_posting WHERE entry_id = (SELECT id FROM ledger_entry WHERE kind = 'sale' AND subject = 2)",
            [.entryUnbalanced, .entryAmountWrong]),
        Breach(
            "an entry gone", "DELETE FROM ledger_entry WHERE kind = 'sale' AND subject = 2",
            [.saleMissing, .transactionMissing, .postingWithoutEntry, .processorUnknown]),
        Breach(
            "the entry of a refund gone",
            "DELETE FROM ledger_entry WHERE kind = 'refund'", [.refundMissing, .postingWithoutEntry, .processorUnknown]),
        Breach(
            "an entry about nothing", "UPDATE ledger_entry SET subject = 99999 WHERE kind = 'sale' AND subject = 2",
            [.entryWithoutSubject, .saleMissing, .transactionMissing, .processorUnknown]),
        Breach(
            "an entry about another transaction",
            "UPDATE ledger_entry SET transaction_id = transaction_id + 1 WHERE kind = 'sale' AND subject = 2",
            [.entryTransactionWrong, .saleMissing]),
        Breach(
            "a transaction gone", "DELETE FROM store_transaction WHERE order_id = 2",
            [.transactionMissing, .entryTransactionWrong]),
        Breach(
            "a price changed", "UPDATE store_transaction SET price = price + 1 WHERE order_id = 2",
            [.entryAmountWrong, .transactionMissing]),
        Breach(
            "a charge that took money and did not end so", "UPDATE charge SET state = 'released' WHERE id = 2",
            [.entryWithoutSubject]),
        Breach(
            "a purchase that was paid and did not end so", "UPDATE purchase SET state = 'failed' WHERE id = 2",
            [.purchaseWrong]),
        Breach(
            "a refund that was not given", "UPDATE refund SET state = 'failed'",
            [.entryWithoutSubject, .refundedWrong]),
        Breach("more refunded than was", "UPDATE charge SET refunded = amount WHERE id = 2", [.refundedWrong]),
    ]

    @Test(
        "Books that were broken are not in order, and what is wrong is said",
        arguments: breaches.map { (StoreEngine.memory, $0) } + breaches.prefix(3).map { (.postgres, $0) })
    func broken(_ engine: StoreEngine, _ breach: Breach) async throws {
        try await sold(engine) { scene, _ in
            // The second sale is that of the purchase 2.
            let changed = try await scene.store.database.write { try $0.execute(breach.statement) }
            #expect(changed > 0)
            let report = try await scene.check()
            #expect(Set(report.problems.map(\.code)) == breach.codes, "\(report.problems)")
            #expect(report.problemCount == report.problems.count)
            #expect(try await scene.check(page: 1).problemCount == report.problemCount)
        }
    }

    @Test("What the processor has otherwise is said, in both directions")
    func processor() async throws {
        try await sold(.memory) { scene, bought in
            let key = ProcessorKeys("first").charge(bought[1].id.sale.charge, attempt: 1, "capture")
            let right = try #require(await scene.processor.movements[key])
            func codes() async throws -> [LedgerReport.Problem.Code] { try await scene.check().problems.map(\.code) }
            await scene.processor.falsify(key, to: nil)
            #expect(try await codes() == [.processorMissing])
            await scene.processor.falsify(
                key, to: ProcessorMovement(key: key, kind: .captured, amount: Money(minorUnits: 1, currency: .usd)))
            #expect(try await codes() == [.processorAmountWrong])
            await scene.processor.falsify(key, to: ProcessorMovement(key: key, kind: .refunded, amount: right.amount))
            #expect(try await codes() == [.processorAmountWrong, .processorUnknown])
            await scene.processor.falsify(key, to: right)
            for stray in ["first/charge/77/1/capture", "first/refund/77", "gift/1", String(key.dropFirst(6))] {
                await scene.processor.falsify(
                    stray, to: ProcessorMovement(key: stray, kind: .captured, amount: right.amount))
                #expect(try await codes() == [.processorUnknown])
                await scene.processor.falsify(stray, to: nil)
            }
            #expect(try await scene.check(withProcessor: false).movements == nil)
        }
    }

    @Test("Money that moved for what still waits for its answer is no problem")
    func underWay() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let id = try #require(try await scene.buy(.sample(.consumable), on: device).transaction)
            await scene.processor.plan("refund", .lostAfter)
            await scene.processor.plan("capture", .lostAfter)
            _ = try await scene.refund(id, .full(.other))
            _ = try await scene.buy(.sample(.consumable), on: device)
            let report = try await scene.check()
            #expect(report.isInOrder, "\(report.problems)")
            #expect(report.underWay == 2)
        }
    }

    @Test("A report tells the first problems and counts all")
    func manyProblems() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.store.database.write { transaction in
                for id in 1...(LedgerReport.problemLimit + 50) {
                    try transaction.execute(
                        """
                        INSERT INTO ledger_posting (entry_id, line, account, amount, currency) VALUES ($1, 1, 'processor', 1, 'USD')
                        """, id)
                }
            }
            let report = try await scene.check(page: 7)
            #expect(report.problems.count == LedgerReport.problemLimit)
            #expect(report.problemCount == LedgerReport.problemLimit + 50)
        }
    }
}
