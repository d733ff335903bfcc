import StoreDatabase
package import StoreModel
package import StoreRules

/// A subscription as it is kept: a row of `subscription`, and its rules.
package struct StoredSubscription: Hashable, Sendable {
    package let id: SubscriptionID
    package let scope: CustomerScope
    /// The group, or the product of one that is in none.
    package let groupKey: String
    package let group: SubscriptionGroupID?
    /// The transaction of its newest period.
    package internal(set) var latest: TransactionID
    package internal(set) var accountToken: AppAccountToken?
    /// The charge of the next period, while it is under way or rests.
    package internal(set) var charge: ChargeID?
    /// How many renewals were ordered.
    package internal(set) var orders: Int
    /// When its price was last raised.
    package internal(set) var raisedAt: Instant?
    package internal(set) var historyCount: Int
    package internal(set) var rules: Subscription

    /// The first transaction of the series.
    package var original: TransactionID { id.original }

    package var state: Subscription.State { rules.state }

    /// Whether the customer was asked about a higher price in the period that counts at an instant.
    func wasAskedForConsent(at instant: Instant) -> Bool {
        guard let raisedAt, rules.increase?.needsConsent != false else { return false }
        let isAhead = rules.startsAt > instant
        return raisedAt >= (isAhead ? rules.startsAt - (rules.endsAt - rules.startsAt) : rules.startsAt)
    }

    static let table = RowTable<StoredSubscription>("subscription") {
        Column("original_id", .key) { $0.id }
        Column("customer_id") { $0.scope.customer }
        Column("app_id") { $0.scope.app }
        Column("bundle_id") { $0.scope.bundle }
        Column("storefront") { $0.scope.storefront }
        Column("group_key") { $0.groupKey }
        Column("group_id") { $0.group }
        Column("latest_id", .changing) { $0.latest }
        Column("account_token", .changing) { $0.accountToken }
        Column("charge_id", .changing) { $0.charge }
        Column("orders", .changing) { $0.orders }
        Column("raised_at", .changing) { $0.raisedAt }
        Column("history_count", .version) { $0.historyCount }
        Subscription.columns.of(.changing) { $0.rules }
    }

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        scope = try CustomerScope(
            customer: cells.next(), app: cells.next(), bundle: cells.next(), storefront: cells.next())
        groupKey = try cells.next()
        group = try cells.next()
        latest = try cells.next()
        accountToken = try cells.next()
        charge = try cells.next()
        orders = try cells.next()
        raisedAt = try cells.next()
        historyCount = try cells.next()
        rules = try Subscription(&cells)
    }

    /// One that begins.
    init(_ rules: Subscription, _ order: SaleOrder, original: TransactionID) {
        id = SubscriptionID(beganWith: original)
        scope = order.scope
        groupKey = Subscriptions.groupKey(of: order.item)
        group = order.item.group
        latest = original
        accountToken = order.accountToken
        orders = 0
        historyCount = 0
        self.rules = rules
    }
}

extension Subscription {
    /// What of a row is the matter of the rules.
    fileprivate static let columns = Columns<Subscription> {
        Column("state") { $0.state.rawValue }
        Column("currency") { $0.plan.price.currency }
        Column("renews") { $0.renews }
        SubscriptionPlan.columns.of { $0.plan }
        SubscriptionPlan.columns.of(prefix: "next_") { $0.next }
        Column("starts_at") { $0.startsAt }
        Column("ends_at") { $0.endsAt }
        Column("anchor") { $0.anchor }
        Column("number") { $0.number }
        Column("scale") { $0.scale.rawValue }
        OfferTerms.columns.of { $0.offer }
        Column("offer_left") { $0.offerPeriodsLeft }
        OfferTerms.columns.of(prefix: "next_") { $0.nextOffer }
        Column("renewals") { $0.renewals }
        Column("began_at") { $0.beganAt }
        Column("charge_state") { $0.charge.rawValue }
        Column("attempted_at") { $0.attemptedAt }
        Column("grace_ends_at") { $0.graceEndsAt }
        Column("retry_ends_at") { $0.retryEndsAt }
        Column("intent") { $0.intent?.rawValue }
        Column("revoked_at") { $0.revokedAt }
        PriceIncrease.columns.of { $0.increase }
        SubscriptionPlan.columns.of(prefix: "running_") { $0.running?.plan }
        Column("running_since") { $0.running?.startsAt }
        // Only conditions and indexes read it.
        Column("counts_until") { $0.countsUntil }
    }

    /// Reads ``columns``.
    fileprivate init(_ cells: inout RowCells) throws {
        let (state, currency) = (State(rawValue: try cells.next()), try cells.next(as: Currency.self))
        let renews = try cells.next(as: Bool.self)
        let plan = try SubscriptionPlan.next(in: &cells, currency: currency)
        let next = try SubscriptionPlan.next(in: &cells, currency: currency)
        let (starts, ends, anchor, number) = try (
            cells.next(as: Instant.self), cells.next(as: Instant.self), cells.next(as: Instant.self),
            cells.next(as: Int.self)
        )
        let scale = PeriodScale(rawValue: try cells.next())
        let offer = try OfferTerms.next(in: &cells, currency: currency)
        let left = try cells.next(as: Int.self)
        let nextOffer = try OfferTerms.next(in: &cells, currency: currency)
        let (renewals, began) = try (cells.next(as: Int.self), cells.next(as: Instant.self))
        let charge = ChargeState(rawValue: try cells.next())
        let (attempted, grace, retry) = try (
            cells.next(as: Instant?.self), cells.next(as: Instant?.self), cells.next(as: Instant?.self)
        )
        let intent = try cells.next(as: Int?.self).map { ExpirationIntent(rawValue: $0) }
        let revoked = try cells.next(as: Instant?.self)
        let increase = try PriceIncrease.next(in: &cells, currency: currency)
        let (running, since) = (
            try SubscriptionPlan.next(in: &cells, currency: currency), try cells.next(as: Instant?.self)
        )
        guard let state, let plan, let scale, let charge else {
            throw DatabaseError(.unexpectedValue, "a subscription is in a state that this version does not know")
        }
        self.init(
            state: state, plan: plan, next: next, renews: renews, startsAt: starts, endsAt: ends, anchor: anchor,
            number: number, scale: scale, offer: offer, offerPeriodsLeft: left, nextOffer: nextOffer,
            renewals: renewals, beganAt: began, charge: charge, attemptedAt: attempted, graceEndsAt: grace,
            retryEndsAt: retry, intent: intent, revokedAt: revoked,
            increase: increase, running: running.flatMap { plan in since.map { RunningPlan(plan, since: $0) } })
    }
}

extension PriceIncrease {
    /// The columns that ``next(in:currency:)`` reads.
    fileprivate static let columns = Columns<PriceIncrease?> {
        Column("raised_price") { $0?.price.minorUnits }
        Column("raise_needs_consent") { $0?.needsConsent }
        Column("raise_asked_at") { $0?.askedAt }
        Column("raise_agreed") { $0?.isAgreed }
    }

    /// The increase; nil where the columns are NULL.
    fileprivate static func next(in cells: inout RowCells, currency: Currency) throws -> PriceIncrease? {
        guard let price = try cells.next(as: Int64?.self) else {
            cells.skip(3)
            return nil
        }
        return try PriceIncrease(
            price: Money(minorUnits: price, currency: currency), needsConsent: cells.next(), askedAt: cells.next(),
            isAgreed: cells.next())
    }
}
