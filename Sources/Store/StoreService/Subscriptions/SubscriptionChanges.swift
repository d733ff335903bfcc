import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreRules

/// Subscriptions as their customers and those who look after the store handle them: listed, shown with their whole life,
/// turned off and on, and brought into every state that tests need.
package struct SubscriptionChanges: Sendable {
    let store: EnvironmentStore
    let renewals: Renewals

    package init(_ store: EnvironmentStore) {
        self.store = store
        renewals = Renewals(store)
    }

    // MARK: Looking

    /// A subscription with its periods and its history.
    package struct Details: Sendable {
        package let subscription: StoredSubscription
        /// The time of its customer.
        package let now: Instant
        /// The oldest first.
        package let periods: [StoreTransaction]
        package let history: [Line]
        package let charge: StoredCharge?
        package let grace: GracePeriod?
        /// Whether the product of the next period is sold at the moment, by somebody who may sell.
        package let isSold: Bool
        /// What that costs; while it is tried to be paid, what was asked for first.
        package let renewalPrice: Money
        /// The payment method that is used, of its customer or of the organiser who pays; nil if there is none.
        package let method: PaymentMethod?
        /// How often one renews whose periods last as long as these; nil without a limit.
        package let renewalLimit: Int?
    }

    /// What happened to a subscription at one time.
    package struct Line: Hashable, Sendable {
        package let at: Instant
        package let event: SubscriptionEvent
        package let state: Subscription.State
        package let detail: String?
        package let actor: String
        package let request: String?
    }

    package func details(of id: SubscriptionID) async throws -> Details {
        let market = try await market(of: id)
        return try await store.database.read { [clocks = store.clocks, terms = store.subscriptions] transaction in
            let found = try Subscriptions.require(id, in: transaction)
            let charge = try found.charge.flatMap { try Charges.find($0, in: transaction) }
            return Details(
                subscription: found,
                now: clocks.now(by: try CustomerClock.of(found.scope.customer, in: transaction)).commerce,
                periods: try Subscriptions.transactions(of: id.original, in: transaction),
                history: try Subscriptions.history(of: id, in: transaction),
                charge: charge, grace: market.grace, isSold: market.isSold,
                renewalPrice: charge?.amount ?? found.rules.renewalPrice(at: market.price(for: found)),
                method: try Subscriptions.payment(of: found, in: transaction)?.method,
                renewalLimit: terms.with(found.rules.scale).renewalLimit)
        }
    }

    /// What the catalogue says of the next period of a subscription.
    ///
    /// - Parameter beginsNow: whether that begins at once, and not at the end of what runs.
    private func market(of id: SubscriptionID, beginsNow: Bool = false) async throws -> Renewals.Market {
        let clocks = store.clocks
        let (known, now) = try await store.database.read { transaction in
            let known = try Subscriptions.require(id, in: transaction)
            return (known, clocks.now(by: try CustomerClock.of(known.scope.customer, in: transaction)).commerce)
        }
        return try await renewals.market(of: known, beginningAt: beginsNow ? now : max(now, known.rules.endsAt))
    }

    /// Which subscriptions are meant.
    package struct Selection: Hashable, Sendable {
        package var state: Subscription.State?
        package var customer: CustomerID?
        package var app: AppID?
        package var product: ProductID?
        /// When the period ends that is paid.
        package var endsIn = ReportPeriod.always
        /// Only those that follow this one.
        package var after: SubscriptionID?
        package var isOldestFirst: Bool
        package var limit: Int

        package init(
            state: Subscription.State? = nil, customer: CustomerID? = nil, app: AppID? = nil,
            product: ProductID? = nil, after: SubscriptionID? = nil, isOldestFirst: Bool = false, limit: Int
        ) {
            self.state = state
            self.customer = customer
            self.app = app
            self.product = product
            self.after = after
            self.isOldestFirst = isOldestFirst
            self.limit = limit
        }
    }

    /// Those that are meant, the newest first.
    package func list(_ selection: Selection) async throws -> [StoredSubscription] {
        try await store.database.read { try Subscriptions.list(selection, in: $0) }
    }

    // MARK: What customers want

    /// Lets it end with its period, or renew after all.
    ///
    /// - Parameter customer: whose it is to be; nil for those who look after the store.
    @discardableResult
    package func renew(
        _ id: SubscriptionID, _ renews: Bool, of customer: CustomerID? = nil, _ cause: ChangeCause
    ) async throws -> StoredSubscription {
        try await change(id, renews ? .turnedOn : .turnedOff, of: customer, cause)
    }

    /// Answers to a higher price.
    package func answerPrice(
        _ id: SubscriptionID, agrees: Bool, _ cause: ChangeCause
    ) async throws -> StoredSubscription {
        try await change(id, agrees ? .agreedToPrice : .refusedPrice, cause)
    }

    /// Answers to a higher price as the customer of a scope did, if it is still the one that was asked about.
    func answerPrice(
        _ id: SubscriptionID, _ answer: PriceConsentRequest, of scope: CustomerScope, _ cause: ChangeCause
    ) async throws {
        _ = try await renewals.change(id, cause) { _, _, change in
            let stored = try Subscriptions.require(id, of: scope, in: change.transaction)
            guard try !Customers.require(scope.customer, in: change.transaction).asksToBuy else {
                throw ServiceError(.notAllowed, "somebody else answers to a higher price for who asks before buying")
            }
            guard let increase = stored.rules.increase, increase.askedAt == answer.askedAt else {
                throw ServiceError(.tooLate, "this price is not asked about any more", parameter: "askedAt")
            }
            // What was answered already, here or elsewhere, stays so.
            guard stored.rules.openIncrease != nil else { return nil }
            return try Self.handling {
                try Subscriptions.handle(answer.agrees ? .agreedToPrice : .refusedPrice, of: stored, change).charge
            }
        }
    }

    private func change(
        _ id: SubscriptionID, _ event: Subscription.Event, of customer: CustomerID? = nil, _ cause: ChangeCause
    ) async throws -> StoredSubscription {
        try await renewals.change(id, cause) { stored, _, change in
            if let customer {
                guard stored.scope.customer == customer else { throw Subscriptions.unknown(id) }
                if event == .turnedOn, try Customers.require(customer, in: change.transaction).asksToBuy {
                    throw ServiceError(.notAllowed, "who asks before buying lets nothing renew again alone")
                }
            }
            // What is so already stays so.
            if event == .turnedOff && !stored.rules.renews && stored.state.isLive { return nil }
            if event == .turnedOn && stored.rules.renews && stored.state.isLive { return nil }
            if event == .turnedOn, stored.state.isLive { try Self.requireRenewal(of: stored, change) }
            return try Self.handling { try Subscriptions.handle(event, of: stored, change).charge }
        }
    }

    /// Refuses to let a subscription renew that has renewed as often as it may.
    private static func requireRenewal(of stored: StoredSubscription, _ change: Change) throws {
        let terms = try change.terms(of: stored.scope.customer)
        guard let limit = terms.renewalLimit, stored.rules.isSpent(by: terms) else { return }
        throw ServiceError(
            .tooLate,
            "in the sandbox a subscription of shortened periods renews \(limit) times; this one ends with its period")
    }

    /// Says as a refusal what has no place in the state of a subscription.
    static func handling<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SubscriptionError {
            throw ServiceError(.tooLate, "\(error)")
        }
    }

    // MARK: What tests need

    /// Ends the period now, and with it the subscription. Only in the sandbox.
    package func expire(_ id: SubscriptionID, _ cause: ChangeCause) async throws -> StoredSubscription {
        try store.requireSandbox("only in the sandbox a subscription is made to end")
        return try await renewals.change(id, cause) { stored, _, change in
            // Whoever is told of the end is told when the period ended.
            try Subscriptions.cut(stored, change)
            try Self.handling { _ = try Subscriptions.handle(.ended, of: stored, change) }
            return nil
        }
    }

    /// Ends the period now and renews it, whatever is still left of it. Only in the sandbox.
    package func forceRenewal(_ id: SubscriptionID, _ cause: ChangeCause) async throws -> StoredSubscription {
        try store.requireSandbox("only in the sandbox a renewal is forced")
        let market = try await market(of: id, beginsNow: true)
        return try await renewals.change(id, cause) { stored, numbers, change in
            let (shortened, _) = try Self.handling { try Subscriptions.handle(.shortened, of: stored, change) }
            try Self.requireRenewing(stored, change)
            try Self.requireSold(stored, market)
            try Self.requireUnbought(stored, change)
            try Subscriptions.cut(stored, change)
            return try Subscriptions.handle(
                .due(isSold: true, price: market.price(for: shortened)), of: shortened, with: numbers,
                grace: market.grace, change
            ).charge
        }
    }

    /// Refuses to renew what would end instead.
    private static func requireRenewing(_ stored: StoredSubscription, _ change: Change) throws {
        guard stored.rules.renews else {
            try requireRenewal(of: stored, change)
            throw ServiceError(.tooLate, "the subscription was turned off, and ends with its period")
        }
        guard stored.rules.openIncrease == nil else {
            throw ServiceError(.tooLate, "the customer was asked about a higher price, and has not answered")
        }
    }

    /// Refuses to charge for what nobody may sell at the moment.
    private static func requireSold(_ stored: StoredSubscription, _ market: Renewals.Market) throws {
        guard market.isSold else {
            throw ServiceError(
                .productUnavailable,
                "\(stored.rules.renewal.plan.product) is not sold at the moment, so nothing is charged for it")
        }
    }

    /// Refuses to charge a subscription while another plan of its group is being paid, which decides first.
    private static func requireUnbought(_ stored: StoredSubscription, _ change: Change) throws {
        guard try stored.isBeingBought(in: change.transaction) else { return }
        throw ServiceError(.beingPaid, "a purchase of the same group is being paid at this moment")
    }

    /// Tries at once to have it paid, after the customer has mended what was wrong.
    package func resolve(_ id: SubscriptionID, _ cause: ChangeCause) async throws -> StoredSubscription {
        let market = try await market(of: id)
        return try await renewals.change(id, cause) { stored, numbers, change in
            guard stored.state == .grace || stored.state == .retry else {
                throw ServiceError(.tooLate, "the subscription has no payment that is tried again")
            }
            try Self.requireSold(stored, market)
            try Self.requireUnbought(stored, change)
            return try Self.handling {
                try Subscriptions.handle(
                    .resolved(price: market.price(for: stored)), of: stored, with: numbers, change
                ).charge
            }
        }
    }
}

// MARK: Rows

extension Subscriptions {
    /// Those that are meant. What narrows them most has an index that has them in order; other conditions are asked of its
    /// rows, and so that no other index is taken.
    package static func list(
        _ selection: SubscriptionChanges.Selection, in transaction: any ReadTransaction
    ) throws -> [StoredSubscription] {
        let isRare = selection.state == .grace || selection.state == .retry
        let (customer, app, product) = (selection.customer != nil, selection.app != nil, selection.product != nil)
        let byState = isRare && !customer
        let byProduct = product && !customer && !byState
        let byApp = app && !customer && !byState && !byProduct
        let conditions: [SQL] = [
            customer ? "customer_id = $1" : "$1 = 0",
            app ? (byApp ? "app_id = $2" : "app_id + 0 = $2") : "$2 = 0",
            selection.state == nil
                ? "$3 = ''" : byState || !(customer || app || product) ? "state = $3" : "state || '' = $3",
            product ? (byProduct ? "product_id = $4" : "product_id || '' = $4") : "$4 = ''",
        ]
        let order: SQL =
            selection.isOldestFirst
            ? "original_id > $5 ORDER BY original_id LIMIT $6" : "original_id < $5 ORDER BY original_id DESC LIMIT $6"
        let start = selection.after?.number ?? (selection.isOldestFirst ? 0 : .max)
        return try transaction.query(
            """
            SELECT \(StoredSubscription.table.columns) FROM subscription
            WHERE \(conditions[0]) AND \(conditions[1]) AND \(conditions[2]) AND \(conditions[3])
                AND ends_at + 0 >= $7 AND ends_at + 0 < $8 AND \(order)
            """, selection.customer?.number ?? 0, selection.app?.number ?? 0, selection.state?.rawValue ?? "",
            selection.product?.text ?? "", start, selection.limit, selection.endsIn.bounds.first,
            selection.endsIn.bounds.end, row: StoredSubscription.init)
    }

    static func history(
        of id: SubscriptionID, in transaction: any ReadTransaction
    ) throws -> [SubscriptionChanges.Line] {
        try transaction.query(
            """
            SELECT at, event, state, detail, actor, request_id FROM subscription_history
            WHERE subscription_id = $1 ORDER BY number
            """, id
        ) { row in
            var cells = row.cells
            return try SubscriptionChanges.Line(
                at: cells.next(), event: cells.nextWord(), state: cells.nextWord(), detail: cells.next(),
                actor: cells.next(), request: cells.next())
        }
    }

    /// Lets the running period of a subscription of the sandbox end now, and what the family has of it: the one thing of a
    /// transaction that ever changes. All devices that have it are told.
    static func cut(_ stored: StoredSubscription, _ change: Change) throws {
        let own = try cut("original_id = $1", stored, change)
        let shared = try cut(
            "shared_from IN (SELECT id FROM store_transaction WHERE original_id = $1)", stored, change)
        for id in own + shared {
            try TransactionRevisions.advance(id, in: change.transaction)
            let found = try Transactions.require(id, in: change.transaction)
            guard found.restoredID == nil, found.revocation == nil else { continue }
            try DeviceHold.tellAll(found, change.cause.change(of: found.customerID, in: change.transaction))
        }
    }

    private static func cut(
        _ condition: SQL, _ stored: StoredSubscription, _ change: Change
    ) throws -> [TransactionID] {
        try change.transaction.query(
            "UPDATE store_transaction SET expires_date = $2 WHERE \(condition) AND expires_date > $2 RETURNING id",
            stored.original, change.commerce
        ) { try $0.value(0, as: TransactionID.self) }.sorted()
    }
}
