import StoreDatabase
package import StoreModel
package import StoreRules

/// A subscription as it is kept: a row of `subscription`, and its rules.
package struct StoredSubscription: Hashable, Sendable {
    /// The first transaction of the series.
    package let original: TransactionID
    package let scope: CustomerScope
    /// The group, or the product of one that is in none.
    package let groupKey: String
    package let group: SubscriptionGroupID?
    /// The transaction of its newest period.
    package internal(set) var latest: TransactionID
    package internal(set) var accountToken: AppAccountToken?
    /// The charge of the next period, while it is under way or rests.
    package internal(set) var charge: PurchaseID?
    /// How many renewals were ordered.
    package internal(set) var orders: Int
    /// When its price was last raised.
    package internal(set) var raisedAt: Instant?
    package internal(set) var historyCount: Int
    package internal(set) var rules: Subscription

    package var state: Subscription.State { rules.state }

    /// Whether the customer was asked about a higher price in the period that counts at an instant.
    func wasAskedForConsent(at instant: Instant) -> Bool {
        guard let raisedAt, rules.increase?.needsConsent != false else { return false }
        let isAhead = rules.startsAt > instant
        return raisedAt >= (isAhead ? rules.startsAt - (rules.endsAt - rules.startsAt) : rules.startsAt)
    }

    static let columns: SQL = """
        original_id, customer_id, app_id, bundle_id, group_key, group_id, storefront, latest_id, account_token, charge_id,
        orders, raised_at, history_count, state, currency, renews, item_id, product_id, period, level, price, next_item_id,
        next_product_id, next_period, next_level, next_price, starts_at, ends_at, anchor, number, scale, offer_type,
        offer_id, offer_mode, offer_period, offer_count, offer_price, offer_left, next_offer_type, next_offer_id,
        next_offer_mode, next_offer_period, next_offer_count, next_offer_price, renewals, began_at, charge_state,
        attempted_at, grace_ends_at, retry_ends_at, intent, revoked_at, raised_price, raise_needs_consent, raise_asked_at,
        raise_agreed
        """

    init(_ row: Row) throws {
        var cells = row.cells
        original = try cells.next()
        let (customer, app, bundle) = try (
            cells.next(as: CustomerID.self), cells.next(as: AppID.self), cells.next(as: BundleID.self)
        )
        groupKey = try cells.next()
        group = try cells.next()
        scope = CustomerScope(customer: customer, app: app, bundle: bundle, storefront: try cells.next())
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
        self.original = original
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
    /// Reads the columns from `state` on.
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
        let raised = try cells.next(as: Int64?.self).map { Money(minorUnits: $0, currency: currency) }
        let (needsConsent, askedAt, isAgreed) = try (
            cells.next(as: Bool?.self), cells.next(as: Instant?.self), cells.next(as: Bool?.self)
        )
        guard let state, let plan, let scale, let charge else {
            throw DatabaseError(.unexpectedValue, "a subscription is in a state that this version does not know")
        }
        self.init(
            state: state, plan: plan, next: next, renews: renews, startsAt: starts, endsAt: ends, anchor: anchor,
            number: number, scale: scale, offer: offer, offerPeriodsLeft: left, nextOffer: nextOffer,
            renewals: renewals, beganAt: began, charge: charge, attemptedAt: attempted, graceEndsAt: grace,
            retryEndsAt: retry, intent: intent, revokedAt: revoked,
            increase: raised.map {
                PriceIncrease(
                    price: $0, needsConsent: needsConsent ?? false, askedAt: askedAt ?? starts,
                    isAgreed: isAgreed ?? false)
            })
    }
}

// MARK: Writing

extension StoredSubscription {
    /// The values of ``columns``, in their order.
    private var values: [DatabaseValue] {
        var values: [DatabaseValue] = [
            original.databaseValue, scope.customer.databaseValue, scope.app.databaseValue, scope.bundle.databaseValue,
            groupKey.databaseValue, group.databaseValue, scope.storefront.databaseValue, latest.databaseValue,
            accountToken.databaseValue, charge.databaseValue, orders.databaseValue, raisedAt.databaseValue,
            historyCount.databaseValue, rules.state.rawValue.databaseValue, rules.plan.price.currency.databaseValue,
            rules.renews.databaseValue,
        ]
        values += Self.values(of: rules.plan) + Self.values(of: rules.next)
        values += [
            rules.startsAt.databaseValue, rules.endsAt.databaseValue, rules.anchor.databaseValue,
            rules.number.databaseValue, rules.scale.rawValue.databaseValue,
        ]
        values += rules.offer.databaseValues + [rules.offerPeriodsLeft.databaseValue] + rules.nextOffer.databaseValues
        values += [
            rules.renewals.databaseValue, rules.beganAt.databaseValue, rules.charge.rawValue.databaseValue,
            rules.attemptedAt.databaseValue, rules.graceEndsAt.databaseValue, rules.retryEndsAt.databaseValue,
            (rules.intent?.rawValue).databaseValue, rules.revokedAt.databaseValue,
            (rules.increase?.price.minorUnits).databaseValue, (rules.increase?.needsConsent).databaseValue,
            (rules.increase?.askedAt).databaseValue, (rules.increase?.isAgreed).databaseValue,
        ]
        return values
    }

    private static func values(of plan: SubscriptionPlan?) -> [DatabaseValue] {
        [
            (plan?.item).databaseValue, (plan?.product).databaseValue, (plan?.period).databaseValue,
            (plan?.level).databaseValue, (plan?.price.minorUnits).databaseValue,
        ]
    }

    func insert(in transaction: any WriteTransaction) throws {
        _ = try transaction.execute(
            """
            INSERT INTO subscription (\(Self.columns), counts_until)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43,
                $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57)
            """, binding: values + [rules.countsUntil.databaseValue])
    }

    /// Writes the row anew, if it is as it was read.
    ///
    /// - Parameter known: the length of its history when it was read.
    func update(knowing known: Int, in transaction: any WriteTransaction) throws {
        let count = try transaction.execute(
            """
            UPDATE subscription SET customer_id = $2, app_id = $3, bundle_id = $4, group_key = $5, group_id = $6,
                storefront = $7, latest_id = $8, account_token = $9, charge_id = $10, orders = $11, raised_at = $12,
                history_count = $13, state = $14, currency = $15, renews = $16, item_id = $17, product_id = $18,
                period = $19, level = $20, price = $21, next_item_id = $22, next_product_id = $23, next_period = $24,
                next_level = $25, next_price = $26, starts_at = $27, ends_at = $28, anchor = $29, number = $30,
                scale = $31, offer_type = $32, offer_id = $33, offer_mode = $34, offer_period = $35,
                offer_count = $36, offer_price = $37, offer_left = $38, next_offer_type = $39, next_offer_id = $40,
                next_offer_mode = $41, next_offer_period = $42, next_offer_count = $43, next_offer_price = $44,
                renewals = $45, began_at = $46, charge_state = $47, attempted_at = $48, grace_ends_at = $49,
                retry_ends_at = $50, intent = $51, revoked_at = $52, raised_price = $53, raise_needs_consent = $54,
                raise_asked_at = $55, raise_agreed = $56, counts_until = $57
            WHERE original_id = $1 AND history_count = $58
            """, binding: values + [rules.countsUntil.databaseValue, known.databaseValue])
        guard count == 1 else {
            throw DatabaseError(.serialization, "a subscription was changed that is not as it was read")
        }
    }
}

extension OfferTerms? {
    /// The values of the six columns of an offer: type, id, mode, period, count, price.
    var databaseValues: [DatabaseValue] {
        [
            (self?.type.rawValue).databaseValue, (self?.id).databaseValue, (self?.mode.rawValue).databaseValue,
            (self?.period).databaseValue, (self?.count).databaseValue, (self?.price.minorUnits).databaseValue,
        ]
    }
}
