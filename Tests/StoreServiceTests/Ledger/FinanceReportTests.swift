import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Reports on money", .bounded) struct FinanceReportTests {
    /// Lives that are different each time: purchases of several products in two currencies, whole and partial refunds, over
    /// several months.
    private func lives(_ scene: SaleScene, _ rounds: Int) async throws {
        var random = RandomizedRun.generator(named: "finance")
        let device = try await scene.device(scene.customer())
        var bought: [(TransactionID, Int64, Currency)] = []
        for _ in 0..<rounds {
            scene.time.pass(.seconds(Int.random(in: 0...400_000, using: &random)))
            let isYen = Int.random(in: 0..<3, using: &random) == 0
            let (number, cents) = (Int64.random(in: 1...4, using: &random), Int64.random(in: 1...999, using: &random))
            let item = try SoldItem.sample(
                .consumable, (isYen ? 2000 : 1000) + number, cents: cents, currency: isYen ? .jpy : .usd,
                storefront: isYen ? "JPN" : "USA")
            let quantity = Int.random(in: 1...3, using: &random)
            let sold = try await scene.buy(item, on: device, quantity: quantity)
            if let id = sold.transaction { bought.append((id, cents * Int64(quantity), isYen ? .jpy : .usd)) }
            guard !bought.isEmpty, Int.random(in: 0..<3, using: &random) == 0 else { continue }
            let (id, price, currency) = bought.remove(at: Int.random(in: 0..<bought.count, using: &random))
            let isWhole = Bool.random(using: &random) || price < 2
            let part = Money(minorUnits: Int64.random(in: 1...max(1, price - 1), using: &random), currency: currency)
            _ = try await scene.refund(
                id, isWhole ? .full(.other) : .amount(part, key: PurchaseKey(UUID()), reason: .other))
        }
    }

    /// The first team, which has the app that sells.
    private func scope(of scene: SaleScene) async throws -> FinanceScope {
        let (now, catalogue) = (scene.time.current, scene.store.catalogue)
        try await catalogue.write { transaction in
            _ = try Catalogue.addApp(
                AppID(number: 42), BundleID(parsing: "com.example.app"), name: "App", primaryLanguage: "en-US",
                CatalogueChange(.store, at: now, in: transaction))
        }
        let editing = CatalogueStore(catalogue, Numbers(catalogue), now: { now }).editing(by: .owner, request: nil)
        return try await editing.financed(Teams.first)
    }

    /// The currencies of sums, each with its amounts.
    private func text(_ sums: [LedgerSums]) -> [String] {
        sums.map { "\($0.sales) \($0.refunds) \($0.taken) \($0.givenBack) \($0.commission) \($0.proceeds)" }
    }

    private func added(_ rows: [FinanceReport.Row]) throws -> [LedgerSums] {
        try rows.reduce(into: [Currency: LedgerSums]()) { sums, row in
            sums[row.sums.currency] = try (sums[row.sums.currency] ?? .none(row.sums.currency)).adding(row.sums)
        }.values.sorted { $0.currency.code < $1.currency.code }
    }

    // A grouping that loses or doubles a row, a refund with the wrong sign, or a day cut at the wrong place differs here.
    @Test(
        "X10: Whatever they are told apart by, the sums equal the ledger to the last minor unit",
        arguments: StoreEngine.allCases)
    func equal(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await lives(scene, RandomizedRun.cases(40))
            let checked = try await scene.check()
            #expect(checked.isInOrder, "\(checked.problems)")
            let (balances, reports) = try await scene.store.database.read { transaction in
                (
                    try LedgerBalances(transaction),
                    try FinanceReport.Grouping.allCases.map { try FinanceReport(by: $0, in: .always, in: transaction) }
                )
            }
            #expect(balances.isSettled && balances.sentence.contains("as they must"))
            #expect(
                balances.balances.map { "\($0.account) \($0.amount)" }
                    == checked.sums.map { "\($0.account) \($0.amount)" })
            for report in reports {
                #expect(text(try added(report.rows)) == text(report.totals), "\(report.grouping)")
                for sums in report.totals {
                    func booked(_ account: String) throws -> Money {
                        try balances.balances.filter { $0.account == account && $0.amount.currency == sums.currency }
                            .reduce(.zero(sums.currency)) { try $0 + $1.amount }
                    }
                    #expect(try booked("proceeds/42") == -sums.proceeds)
                    #expect(try booked("commission") == -sums.commission)
                    #expect(try booked("processor") == sums.kept())
                }
            }
            try await months(reports, scene)
        }
    }

    /// Every month by itself, and the statement of each, add up to the whole, and equal the accounts.
    private func months(_ reports: [FinanceReport], _ scene: SaleScene) async throws {
        let byMonth = try #require(reports.first { $0.grouping == .month })
        let months = Set(byMonth.rows.compactMap(\.key.month))
        #expect(months.count > 1)
        let scope = try await scope(of: scene)
        var lines: [FinanceReport.Row] = []
        for month in months {
            let statement = try await scene.store.finance.statement(of: scope, for: month)
            #expect(statement.isEqual && !statement.accounts.isEmpty, "\(month)")
            #expect(statement.accounts.allSatisfy { $0.name == "proceeds/42" })
            #expect(statement.isFinal == (month.next.first <= scene.store.finance.today))
            let rows = byMonth.rows.filter { $0.key.month == month }
            #expect(text(rows.map(\.sums)) == text(statement.totals))
            lines += statement.lines
        }
        #expect(text(try added(lines)) == text(byMonth.totals))
    }

    @Test("A statement does not equal an account that was changed", arguments: StoreEngine.allCases)
    func differs(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            _ = try await scene.buy(.sample(.consumable), on: device)
            // It is of an account that has no sale.
            try await scene.store.database.write { transaction in
                try transaction.insert(
                    into: "ledger_entry",
                    [
                        "id": 900, "kind": "sale", "subject": 900, "transaction_id": 900,
                        "at": SceneTime.start,
                    ])
                try transaction.insert(
                    into: "ledger_posting",
                    ["entry_id": 900, "line": 1, "account": "proceeds/42", "amount": -1, "currency": "USD"])
            }
            let scope = try await scope(of: scene)
            let statement = try await scene.store.finance.statement(
                of: scope, for: ReportDay(SceneTime.start).month)
            #expect(!statement.isEqual)
            let balances = try await LedgerBalances(of: scene.store)
            #expect(!balances.isSettled && balances.sentence.contains("do not sum to nothing"))
        }
    }

    @Test("A report is of the apps that it is asked for, of the days it names, and says when it is cut")
    func narrowed() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            for number in 1...3 { _ = try await scene.buy(.sample(.consumable, Int64(1000 + number)), on: device) }
            let today = ReportDay(SceneTime.start)
            try await scene.store.database.read { transaction in
                let report = { (period: ReportPeriod, apps: [AppID]?, limit: Int) in
                    try FinanceReport(by: .product, in: period, of: apps, limit: limit, in: transaction)
                }
                let app = try AppID(number: 42)
                #expect(try report(.always, [app], 10).rows.count == 3)
                #expect(try report(.always, [try AppID(number: 43)], 10).totals.isEmpty)
                #expect(try report(.always, [], 10).totals.isEmpty)
                #expect(try report(ReportPeriod(days: today...today), nil, 10).rows.count == 3)
                #expect(try report(ReportPeriod(days: today.next...today.next), nil, 10).rows.isEmpty)
                let cut = try report(.always, nil, 2)
                #expect(cut.isCut && cut.rows.count == 2 && cut.totals.first?.sales == 3)
            }
        }
    }

    @Test("Lines of the books are found by account, kind, transaction, day and amount, a page after the other")
    func postings() async throws {
        for engine in StoreEngine.allCases {
            try await SaleScene.on(engine) { scene in
                let device = try await scene.device(scene.customer())
                let first = try await scene.buy(.sample(.consumable, cents: 100), on: device)
                _ = try await scene.buy(.sample(.consumable, 2, cents: 900), on: device)
                _ = try await scene.refund(first.transaction)
                var search = LedgerPostings(limit: 4)
                func found() async throws -> [String] {
                    try await search.list(of: scene.store).map { "\($0.kind.rawValue) \($0.posting.amount)" }
                }
                search.account = "processor"
                #expect(try await found() == ["refund -1.00 USD", "sale 9.00 USD", "sale 1.00 USD"])
                search.isOldestFirst = true
                #expect(try await found() == ["sale 1.00 USD", "sale 9.00 USD", "refund -1.00 USD"])
                search.amount = try AmountRange(from: "1", to: "1.00", in: "USD")
                #expect(try await found() == ["sale 1.00 USD", "refund -1.00 USD"])
                (search.amount, search.kind) = (.any, .refund)
                #expect(try await found() == ["refund -1.00 USD"])
                (search.kind, search.account, search.transaction) = (nil, nil, first.transaction)
                #expect(try await search.list(of: scene.store).count == 4)
                search.after = try await search.list(of: scene.store).last?.place
                #expect(try await search.list(of: scene.store).count == 2)
                search.period = try ReportPeriod(from: nil, until: "2020-01-01")
                #expect(try await search.list(of: scene.store).isEmpty)
            }
        }
    }

    @Test("The place of a line is read as it is written")
    func places() {
        #expect(LedgerPostings.Place("12-3")?.description == "12-3")
        for text in ["", "12", "12-", "12-0", "12--3", "012-3", "12-3-4", "a-1", "12-99999999999"] {
            #expect(LedgerPostings.Place(text) == nil, "\(text)")
        }
    }
}
