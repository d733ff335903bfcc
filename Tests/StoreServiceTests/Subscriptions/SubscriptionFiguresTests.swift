import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("Figures and lists of subscriptions", .bounded)
struct SubscriptionFiguresTests {
    @Test(
        "X7: Churn, renewals, trials and income are those of the last thirty days, however long ago the books begin",
        arguments: [StoreEngine.memory, .postgres])
    func figures(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            let trial = OfferTerms(
                kind: .introductory, id: nil, mode: .free, period: try BillingPeriod(parsing: "P1W"), count: 1,
                price: .zero(.usd))
            func begin(_ item: SoldItem) async throws -> CustomerID {
                let customer = try await scene.customer()
                _ = try await scene.buy(item, on: scene.device(customer))
                return customer
            }
            func figures() async throws -> SubscriptionFigures {
                let now = scene.time.current
                return try await scene.store.database.read { try SubscriptionFigures(at: now, in: $0) }
            }
            #expect(try await figures().running == 0)
            _ = try await begin(SaleScene.plan())
            let leaving = try await begin(SaleScene.plan(cents: 5988, period: "P1Y"))
            _ = try await begin(SaleScene.plan(offer: trial))
            let cancelling = try await begin(SaleScene.plan(offer: trial))
            let begun = try await figures()
            // A year comes to a twelfth a month, and a trial to nothing.
            #expect(begun.monthly == [.init(amount: Money(minorUnits: 499 + 499, currency: .usd), count: 4)])
            #expect(begun.running == 4 && begun.renewals == 0 && begun.trials == 0 && begun.conversion == nil)

            for customer in [leaving, cancelling] {
                let id = try await scene.store.database.read { transaction in
                    try Subscriptions.list(.init(customer: customer, limit: 1), in: transaction)[0].id
                }
                _ = try await SubscriptionChanges(scene.store).renew(id, false, scene.store.cause(.owner))
            }
            try await scene.pass(days: 8)
            let later = try await figures()
            #expect(later.trials == 2 && later.convertedTrials == 1 && later.conversion == 500)
            #expect(later.running == 3 && later.ended == 1 && later.churn == 250 && later.renewals == 1)

            // What is longer ago does not count any more.
            try await scene.pass(days: 360)
            let year = try await figures()
            #expect(year.running == 2 && year.ended == 1 && year.trials == 0 && year.renewals == 2)
            #expect(year.monthly.map(\.amount.minorUnits) == [998])
        }
    }

    @Test("X7: A subscription is found by state, customer, app and product, in both orders, a page at a time")
    func list() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            var customers: [CustomerID] = []
            for number in [1001, 1001, 1002] as [Int64] {
                let customer = try await scene.customer()
                _ = try await scene.buy(SaleScene.plan(number), on: scene.device(customer))
                customers.append(customer)
            }
            let changes = SubscriptionChanges(scene.store)
            let all = try await changes.list(.init(limit: 10))
            #expect(all.map(\.scope.customer) == customers.reversed())
            let product = try ProductID(parsing: "com.example.item1001")
            let app = all[0].scope.app
            let rows: [(SubscriptionChanges.Selection, [Int])] = [
                (.init(product: product, limit: 10), [1, 0]), (.init(customer: customers[1], limit: 10), [1]),
                (.init(state: .active, limit: 10), [2, 1, 0]), (.init(state: .grace, app: app, limit: 10), []),
                (.init(state: .active, app: app, product: product, isOldestFirst: true, limit: 10), [0, 1]),
                (.init(app: app, after: all[1].id, limit: 10), [0]),
                (.init(after: all[1].id, isOldestFirst: true, limit: 10), [2]),
                (.init(state: .active, customer: customers[2], app: app, product: product, limit: 10), []),
            ]
            for (selection, expected) in rows {
                let found = try await changes.list(selection).map(\.scope.customer)
                #expect(found == expected.map { customers[$0] }, "\(selection)")
            }
        }
    }

    @Test("The overview reads indexes of what runs and of the last days, not all subscriptions and transactions")
    func indexes() async throws {
        try await SaleScene.on(.memory) { scene in
            let plans = try await scene.store.database.read { transaction in
                let queries: [(SQL, values: Int)] = [
                    (SubscriptionFigures.income, 1), (SubscriptionFigures.inState, 1), (SubscriptionFigures.ended, 1),
                    (SubscriptionFigures.renewals, 1), (SubscriptionFigures.trials, 3),
                ]
                return try queries.map { query, count in
                    var plan: [String] = []
                    try transaction.forEachRow(
                        "EXPLAIN QUERY PLAN \(query)", binding: Array(repeating: .integer(1), count: count)
                    ) { plan.append(try $0.value(3)) }
                    return plan
                }
            }
            let names = [
                "subscription_income", "subscription_", "subscription_ended", "transaction_renewal",
                "transaction_trial",
            ]
            for (plan, name) in zip(plans, names) {
                #expect(plan.contains { $0.contains("INDEX \(name)") }, "\(plan)")
                #expect(
                    !plan.contains { $0.hasPrefix("SCAN") && !$0.contains("COVERING") && !$0.contains("trial") },
                    "\(plan)")
            }
        }
    }
}
