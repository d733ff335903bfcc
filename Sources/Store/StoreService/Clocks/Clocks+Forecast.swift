import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

extension Clocks {
    /// What an advance by a step would do. Nothing is changed by asking.
    package func forecast(_ tester: String?, by step: ClockStep) async throws -> ClockForecast {
        try await forecast(tester, parameter: "by") { step.end(from: $0) }
    }

    /// What an advance to an instant would do.
    package func forecast(_ tester: String?, to goal: Instant) async throws -> ClockForecast {
        try await forecast(tester, parameter: "to") { _ in goal }
    }

    /// It goes through what an advance goes through: the work that is due by the clock up to the goal. Of subscriptions the
    /// machine goes on as far as that, with payments that come out as the processor expects of what is paid with.
    private func forecast(
        _ tester: String?, parameter: String, _ goal: @escaping @Sendable (Instant) -> Instant
    ) async throws -> ClockForecast {
        try requireSandbox()
        let (clocks, own) = (store.clocks, self)
        let due = try await store.database.read { transaction in
            let state = try Self.state(tester, clocks, in: transaction)
            try Self.requireRest(state)
            let start = state.clock.time(at: clocks.wall())
            let end = goal(start)
            try Self.require(end, notBefore: start, parameter: parameter)
            return try own.due(state, from: start, until: end, in: transaction)
        }
        let (environment, subscriptions) = (store.environment, store.subscriptions)
        let (wall, processor) = (store.clocks.wall(), store.processor)
        return try await store.catalogue.read { transaction in
            var forecast = due.forecast
            let market = ForecastMarket(environment, at: wall, transaction)
            var turns = ClockForecast.mostTurns
            for one in due.subscriptions {
                let stored = one.stored
                let terms = subscriptions.with(
                    one.scale ?? subscriptions.scale, grace: try market.grace(of: stored.scope.app))
                let questions = SubscriptionForecast.Questions(
                    payment: one.method.map { processor.expectation(of: $0.token) },
                    market: { try market.renewal(of: $0, stored.scope, at: $1) })
                let found = try SubscriptionForecast(
                    of: stored.rules, pending: one.pending, from: forecast.from, firstDueAt: one.dueAt,
                    until: forecast.goal, by: terms, limit: turns, questions)
                forecast.add(found, of: stored)
                turns = max(1, turns - found.steps.count)
            }
            forecast.sortSteps()
            let until = forecast.from...forecast.goal
            forecast.prices = try PriceChanges.starting(in: until, limit: ClockForecast.mostEntries, transaction)
            forecast.closedOffers = try SubscriptionOffers.ending(
                in: until, limit: ClockForecast.mostEntries, transaction)
            return forecast
        }
    }

    private struct Due: Sendable {
        var forecast: ClockForecast
        var subscriptions: [DueSubscription] = []
    }

    /// A subscription that has a turn, with what decides how that comes out.
    private struct DueSubscription: Sendable {
        let stored: StoredSubscription
        let dueAt: Instant
        let scale: PeriodScale?
        /// Nil where the customer has nothing to pay with, or may not buy.
        let method: PaymentMethod?
        let pending: (plan: SubscriptionPlan, offer: OfferTerms?)?
    }

    /// The work of a clock up to an instant; of a tester that has no clock yet, the tester's part of that of the environment.
    private func due(
        _ state: ClockState, from start: Instant, until end: Instant, in transaction: any ReadTransaction
    ) throws -> Due {
        let tester = state.isSet ? nil : state.tester
        var subjects: [String: Set<String>]?
        if let tester {
            subjects = Dictionary(
                uniqueKeysWithValues: try work.map { ($0.kind, Set(try $0.subjects(tester, transaction))) })
        }
        var due = Due(forecast: ClockForecast(from: start, until: end, of: state.tester))
        let found = try transaction.query(
            """
            SELECT kind, subject, due_at FROM work WHERE clock_id = $1 AND due_at <= $2
            ORDER BY due_at, kind, subject LIMIT $3
            """, state.clock.id, end, ClockForecast.mostSubscriptions + 1
        ) { row in
            var cells = row.cells
            return (
                kind: try cells.next(as: String.self), subject: try cells.next(as: String.self),
                at: try cells.next(as: Instant.self)
            )
        }
        due.forecast.isCut = found.count > ClockForecast.mostSubscriptions
        let meant = found.prefix(ClockForecast.mostSubscriptions).filter {
            subjects?[$0.kind]?.contains($0.subject) ?? (subjects == nil)
        }
        due.forecast.approvalEndings = meant.count { $0.kind == Purchases.work }
        due.forecast.notifications = meant.count { $0.kind == NotificationDeliveries.work }
        let times = meant.filter { $0.kind == Subscriptions.work }.compactMap { work in
            SubscriptionID(work.subject).map { ($0, work.at) }
        }
        due.subscriptions = try subscriptions(Dictionary(times, uniquingKeysWith: { first, _ in first }), transaction)
        return due
    }

    /// Reads the subscriptions and all that belongs to them in a few statements, however many they are.
    private func subscriptions(
        _ times: [SubscriptionID: Instant], _ transaction: any ReadTransaction
    ) throws -> [DueSubscription] {
        let found = try transaction.query(
            "SELECT \(StoredSubscription.table.columns) FROM subscription WHERE original_id IN \(.numbers)",
            of: times.keys, row: StoredSubscription.init)
        let customers = Set(found.map(\.scope.customer))
        let accounts = try Customers.find(all: customers, in: transaction)
        let payers = try Families.payers(
            for: accounts.values.filter(\.asksToBuy).map(\.id), in: transaction)
        let methods = try Customers.paymentMethods(ofAll: customers.union(payers.values), in: transaction)
        let scales = try PeriodScale.own(ofAll: customers, in: transaction)
        let orders = try SaleOrder.find(all: found.compactMap { $0.charge?.sale }, in: transaction)
        return found.map { stored in
            let customer = stored.scope.customer
            let account = accounts[customer]
            let mayPay = account.map { $0.deletedAt == nil && $0.spentAt == nil && $0.purchasesAllowed } ?? false
            let pending = stored.charge.flatMap { orders[$0.sale] }
                .flatMap { order in order.item.plan.map { (plan: $0, offer: order.item.offer) } }
            return DueSubscription(
                stored: stored, dueAt: times[stored.id] ?? .latest, scale: scales[customer],
                method: mayPay ? methods[payers[customer] ?? customer]?.last : nil, pending: pending)
        }.sorted { ($0.dueAt, $0.stored.id.number) < ($1.dueAt, $1.stored.id.number) }
    }
}

/// What the catalogue says of the next periods of subscriptions, each asked once.
private final class ForecastMarket {
    private let environment: StoreEnvironment
    private let wall: Instant
    private let transaction: any ReadTransaction
    private var sold: [Key: Catalogue.RenewalMarket] = [:]
    private var graces: [AppID: GracePeriod?] = [:]

    private struct Key: Hashable {
        let app: AppID
        let product: ProductID
        let storefront: StorefrontCode
    }

    init(_ environment: StoreEnvironment, at wall: Instant, _ transaction: any ReadTransaction) {
        (self.environment, self.wall, self.transaction) = (environment, wall, transaction)
    }

    func renewal(
        of product: ProductID, _ scope: CustomerScope, at start: Instant
    ) throws -> (isSold: Bool, price: Money?) {
        let key = Key(app: scope.app, product: product, storefront: scope.storefront)
        let market =
            try sold[key]
            ?? Catalogue.renewalMarket(
                of: product, app: scope.app, in: scope.storefront, environment, wall: wall, transaction)
        sold[key] = market
        return (market.isSold, market.isSold ? market.prices?.price(at: start) : nil)
    }

    func grace(of app: AppID) throws -> GracePeriod? {
        if let known = graces[app] { return known }
        let found = try GracePeriods.of(app, in: environment, transaction)
        graces[app] = .some(found)
        return found
    }
}
