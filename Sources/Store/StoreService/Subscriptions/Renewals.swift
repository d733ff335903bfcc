import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules

/// Renews subscriptions: looks at each when its machine says so, and drives the charge of its next period.
///
/// A turn keeps the intent (order, charge, state) in one transaction, then asks the processor. What has no answer is looked
/// up by the work of the charge; a turn that runs twice finds the row changed, and does nothing.
package struct Renewals: Sendable {
    private let store: EnvironmentStore
    private let charges: ChargeDriver

    package init(_ store: EnvironmentStore) {
        self.store = store
        charges = ChargeDriver(store)
    }

    /// One turn of the work of a subscription, at the time at which it was due.
    func turn(_ turn: WorkTurn) async throws -> WorkOutcome {
        guard let id = SubscriptionID(turn.work.subject) else { return .done }
        return try await look(after: id, at: turn.at, store.cause(.store)) ? .settled : .done
    }

    /// Looks at a subscription; false if nothing is to be done about it.
    @discardableResult
    func look(after id: SubscriptionID, at now: Instant, _ cause: ChangeCause) async throws -> Bool {
        guard let known = try await store.database.lookUp({ try Subscriptions.find(id, in: $0) }) else { return false }
        let market = try await market(of: known, beginningAt: max(now, known.rules.endsAt))
        let numbers = try await draw()
        let cause = cause.at(now)
        let (isChanged, charge) = try await store.database.write(isolation: .snapshot) {
            transaction -> (Bool, StoredCharge?) in
            guard let stored = try Subscriptions.find(id, in: transaction), let due = stored.rules.nextDue, due <= now
            else { return (false, nil) }
            let change = try cause.change(of: stored.scope.customer, in: transaction)
            // A purchase of the group that is being paid decides first.
            if try stored.isBeingBought(in: transaction) {
                try WorkTable.schedule(
                    Work(Subscriptions.work, id.description, dueAt: now + Self.pause, clock: change.clock),
                    in: transaction)
                return (true, nil)
            }
            let (_, charge) = try Subscriptions.handle(
                .due(isSold: market.isSold, price: market.price(for: stored)), of: stored, with: numbers,
                grace: market.grace, change)
            return (true, charge)
        }
        if let charge { _ = try await charges.drive(charge, isFirst: true, cause) }
        return isChanged
    }

    private static let pause = Duration.seconds(60)

    /// What the catalogue says of the next period of a subscription.
    struct Market: Sendable {
        let product: ProductID
        let isSold: Bool
        /// What the product costs when the period begins.
        let price: Money?
        let grace: GracePeriod?

        /// The price for a subscription, which may renew as something else by now.
        func price(for stored: StoredSubscription) -> Money? {
            stored.rules.renewal.plan.product == product ? price : nil
        }
    }

    /// - Parameter start: when the period begins, by the clock of the customer.
    func market(of stored: StoredSubscription, beginningAt start: Instant) async throws -> Market {
        let (scope, product) = (stored.scope, stored.rules.renewal.plan.product)
        let moment = CatalogueMoment(commerce: start, wall: store.clocks.wall())
        return try await store.catalogue.read { [environment = store.environment] transaction in
            let sold = try Catalogue.renewal(
                of: product, app: scope.app, in: scope.storefront, environment, at: moment, transaction)
            return Market(
                product: product, isSold: sold.isSold, price: sold.price,
                grace: try GracePeriods.of(scope.app, in: environment, transaction))
        }
    }

    private func draw() async throws -> Subscriptions.Numbers {
        Subscriptions.Numbers(
            order: try SaleID(number: await store.numbers.next(.purchases)), drawn: try await store.draw())
    }

    /// Does something about a subscription that may have to be charged at once: renews it now, or tries a payment again.
    ///
    /// - Parameter body: changes it, given what was drawn; returns the charge to be driven.
    func change(
        _ id: SubscriptionID, _ cause: ChangeCause,
        _ body: @escaping @Sendable (StoredSubscription, Subscriptions.Numbers, Change) throws -> StoredCharge?
    ) async throws -> StoredSubscription {
        let numbers = try await draw()
        let (charge, at) = try await store.afterAdvance {
            try await store.database.write { transaction in
                let stored = try Subscriptions.require(id, in: transaction)
                let change = try cause.change(of: stored.scope.customer, in: transaction)
                try change.requireArrival()
                return (try body(stored, numbers, change), change.commerce)
            }
        }
        if let charge { _ = try await charges.drive(charge, isFirst: true, cause.at(at)) }
        return try await store.database.read { try Subscriptions.require(id, in: $0) }
    }
}

extension StoredSubscription {
    /// Whether a purchase of its group is being paid.
    func isBeingBought(in transaction: any ReadTransaction) throws -> Bool {
        let item = SoldItem(rules.plan, nil, group: group, storefront: scope.storefront)
        return try Subscriptions.isBeingBought(item, by: scope, in: transaction)
    }
}

extension Change {
    /// Refuses what depends on how a subscription stands while the clock of its customer is being advanced: its turns are
    /// ahead then of what the clock shows.
    func requireArrival() throws {
        if try ClockState.find(clock, in: transaction)?.advance != nil { throw AdvancingClock(clock: clock) }
    }
}

/// A clock that is being advanced, which something has to wait for.
struct AdvancingClock: Error {
    let clock: ClockID
}

extension EnvironmentStore {
    /// How long the end of an advance is waited for.
    static let longestWait = Duration.seconds(20)

    /// Does something, after the advance of its customer's clock where one is under way.
    func afterAdvance<Found: Sendable>(_ body: () async throws -> Found) async throws -> Found {
        do {
            return try await body()
        } catch let advancing as AdvancingClock {
            let subject = "\(advancing.clock.number)"
            let found = try await waiters.wait(for: subject, on: .clocks, upTo: Self.longestWait) {
                do {
                    return try await body()
                } catch is AdvancingClock {
                    return Found?.none
                }
            }
            guard let found else {
                throw ServiceError(
                    .clockBusy, "the clock of this customer is being advanced, and has not arrived yet",
                    parameter: "clock")
            }
            return found
        }
    }
}
