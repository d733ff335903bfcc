package import StoreModel

/// What a subscription is of: a product, and what its customer pays for a period of it.
package struct SubscriptionPlan: Hashable, Sendable {
    package let item: ItemID
    package let product: ProductID
    package let period: BillingPeriod
    /// 1 for the highest service of the group; nil where none was given.
    package let level: Int?
    package let price: Money

    package init(item: ItemID, product: ProductID, period: BillingPeriod, level: Int?, price: Money) {
        self.item = item
        self.product = product
        self.period = period
        self.level = level
        self.price = price
    }

    /// The same at another price.
    package func priced(_ price: Money) -> SubscriptionPlan {
        SubscriptionPlan(item: item, product: product, period: period, level: level, price: price)
    }

    /// The same at a price that is lower; as it is if it is not.
    package func priced(atMost price: Money?) -> SubscriptionPlan {
        guard let price, price.currency == self.price.currency, price.minorUnits < self.price.minorUnits else {
            return self
        }
        return priced(price)
    }

    /// What it comes to when a customer of this plan asks for another one.
    package func change(to other: SubscriptionPlan) -> Change {
        if other.item == item { return .none }
        // Without levels all are of one.
        if let level, let asked = other.level, asked != level { return asked < level ? .atOnce : .atRenewal }
        return other.period == period ? .atOnce : .atRenewal
    }

    /// When another plan takes the place of one.
    // Closed: there are these three.
    package enum Change: Hashable, Sendable {
        /// It is the same.
        case none
        /// An upgrade, or a crossgrade to the same period: what is left of the period is given back.
        case atOnce
        /// A downgrade, or a crossgrade to another period.
        case atRenewal
    }
}

/// A lower price that applies to periods of a subscription.
package struct OfferTerms: Hashable, Sendable {
    package let kind: OfferKind
    /// Nil of an introductory offer.
    package let id: String?
    package let mode: OfferPaymentMode
    /// How long it is paid for at a time.
    package let period: BillingPeriod
    /// How many periods it has; 1 unless each is paid.
    package let count: Int
    /// What each of them costs.
    package let price: Money

    package init(
        kind: OfferKind, id: String?, mode: OfferPaymentMode, period: BillingPeriod, count: Int, price: Money
    ) {
        self.kind = kind
        self.id = id
        self.mode = mode
        self.period = period
        self.count = count
        self.price = price
    }

    /// Whether one period of it takes the place of several of the subscription's.
    package var replacesPeriod: Bool { mode != .payAsYouGo }
}

/// A higher price for who subscribes already.
package struct PriceIncrease: Hashable, Sendable {
    package let price: Money
    /// Whether the subscription ends without the customer's consent.
    package let needsConsent: Bool
    package let askedAt: Instant
    package private(set) var isAgreed: Bool

    package init(price: Money, needsConsent: Bool, askedAt: Instant, isAgreed: Bool = false) {
        self.price = price
        self.needsConsent = needsConsent
        self.askedAt = askedAt
        self.isAgreed = isAgreed
    }

    /// Whether the next period may be charged at the higher price.
    package var holds: Bool { isAgreed || !needsConsent }

    mutating func agree() {
        isAgreed = true
    }

    /// Whether a higher price needs consent: it does beyond half as much again, beyond 5 dollars more of a period or 50 of a
    /// year, and where there was another within a year.
    ///
    /// - Parameter dollars: what the difference comes to in cents of a dollar.
    package static func needsConsent(
        from old: Money, to new: Money, of period: BillingPeriod, dollars: Int64, lastAt: Instant?, at now: Instant
    ) -> Bool {
        let difference = new.minorUnits - old.minorUnits
        guard difference > 0 else { return false }
        if let lastAt, lastAt.adding(.oneYear) > now { return true }
        return difference * 2 > old.minorUnits || dollars > (period.unit == .year ? 5_000 : 500)
    }

    /// The same with what the difference comes to by the table of prices.
    package static func needsConsent(
        from old: Money, to new: Money, of period: BillingPeriod, lastAt: Instant?, at now: Instant
    ) -> Bool {
        let difference = Money(minorUnits: max(0, new.minorUnits - old.minorUnits), currency: new.currency)
        return needsConsent(
            from: old, to: new, of: period, dollars: PriceTable.price(of: difference, in: .usd)?.minorUnits ?? 0,
            lastAt: lastAt, at: now)
    }
}

/// By which rules a subscription lives that are not its own: those of its app, its environment and its customer.
package struct SubscriptionTerms: Hashable, Sendable {
    package let scale: PeriodScale
    /// Nil where a subscription that could not be paid does not count any more.
    package let grace: GracePeriod?
    /// How often it renews in shortened periods.
    private let shortenedLimit: Int?

    /// - Parameter renewalLimit: how often it renews in shortened periods; nil without a limit.
    package init(scale: PeriodScale, grace: GracePeriod? = nil, renewalLimit: Int? = nil) {
        self.scale = scale
        self.grace = grace
        shortenedLimit = renewalLimit
    }

    /// How often it renews; nil without a limit. What lives by the calendar has none: it is looked at over years, and does not
    /// go on for nobody every few minutes.
    package var renewalLimit: Int? { scale == .calendar ? nil : shortenedLimit }

    /// The same with another scale, and with the grace period of an app.
    package func with(_ scale: PeriodScale, grace: GracePeriod? = nil) -> SubscriptionTerms {
        SubscriptionTerms(scale: scale, grace: grace, renewalLimit: shortenedLimit)
    }

    /// How often a subscription of the sandbox renews in shortened periods.
    package static let sandboxRenewals = 12
}

/// How long the subscriptions of an app count that could not be paid.
package struct GracePeriod: Hashable, Sendable {
    package let days: Int
    /// Whether a subscription has it only after a period that was paid, not after a free trial.
    package let isOnlyPaid: Bool

    /// The lengths it can have.
    package static let lengths = [3, 16, 28]

    package init(days: Int, isOnlyPaid: Bool = false) {
        self.days = days
        self.isOnlyPaid = isOnlyPaid
    }
}
