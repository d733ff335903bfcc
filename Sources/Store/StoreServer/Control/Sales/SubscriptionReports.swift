import StoreCatalogue
package import StoreHTTP
package import StoreModel
package import StoreRules
import StoreService

/// A subscription as it stands.
package struct SubscriptionReport: Codable, Hashable, Sendable {
    /// What renews next.
    package struct Renewal: Codable, Hashable, Sendable {
        package var productId: ProductID
        package var period: BillingPeriod
        /// In lists what the customer has agreed to; the product may cost less by then, and it costs that.
        package var price: MoneyReport
        /// When it begins. It may be paid already, up to a day before.
        package var date: Instant
        package var offer: Offer?
    }

    package struct Offer: Codable, Hashable, Sendable {
        /// 1 introductory, 2 promotional, 3 of a code, 4 win-back.
        package var type: OfferType
        package var offerId: String?
        package var paymentMode: OfferDiscountType
        package var period: BillingPeriod
        package var periodCount: Int
        package var price: MoneyReport

        init(_ offer: OfferTerms) {
            (type, offerId, paymentMode, period) = (offer.kind.type, offer.id, offer.mode.discountType, offer.period)
            (periodCount, price) = (offer.count, MoneyReport(offer.price))
        }
    }

    package struct PriceIncrease: Codable, Hashable, Sendable {
        package var price: MoneyReport
        package var needsConsent: Bool
        package var isAgreed: Bool
        package var askedAt: Instant
    }

    /// The number of its first transaction.
    package var subscriptionId: SubscriptionID
    package var state: WireWord<Subscription.State>
    package var customerId: CustomerID
    package var bundleId: BundleID
    package var groupId: SubscriptionGroupID?
    package var storefront: StorefrontCode
    package var productId: ProductID
    package var period: BillingPeriod
    /// What the product costs the customer without an offer.
    package var price: MoneyReport
    package var offer: Offer?
    package var startsAt: Instant
    package var endsAt: Instant
    /// Until when the customer has it.
    package var countsUntil: Instant
    package var beganAt: Instant
    package var lastTransactionId: TransactionID
    /// How often it renewed since it was last bought.
    package var renewals: Int
    package var autoRenews: Bool
    /// Missing if it does not renew.
    package var renewal: Renewal?
    package var priceIncrease: PriceIncrease?
    /// 1 cancelled, 2 not paid, 3 no consent to a higher price, 4 not sold any more, 5 another reason.
    package var expirationIntent: ExpirationIntent?
    package var graceEndsAt: Instant?
    package var retryEndsAt: Instant?
    package var nextAttempt: Instant?
    package var revokedAt: Instant?
    package var appAccountToken: AppAccountToken?

    /// - Parameter now: the time of the customer.
    init(_ stored: StoredSubscription, at now: Instant) {
        let rules = stored.rules
        (subscriptionId, state, customerId) = (stored.id, WireWord(stored.state), stored.scope.customer)
        (bundleId, groupId, storefront) = (stored.scope.bundle, stored.group, stored.scope.storefront)
        let plan = rules.plan(at: now)
        (productId, period, price) = (plan.product, plan.period, MoneyReport(plan.price))
        offer = rules.offer.map(Offer.init)
        (startsAt, endsAt, countsUntil, beganAt) = (rules.startsAt, rules.endsAt, rules.countsUntil, rules.beganAt)
        (lastTransactionId, renewals) = (stored.latest, rules.renewals)
        autoRenews = rules.state.isLive && rules.renews
        if autoRenews {
            let (plan, offer) = rules.renewal
            renewal = Renewal(
                productId: plan.product, period: plan.period, price: MoneyReport(rules.renewalPrice()),
                date: rules.endsAt, offer: offer.map(Offer.init))
        }
        if let running = rules.running, plan != rules.plan {
            // Another plan is paid, and has not begun.
            (startsAt, endsAt, offer) = (running.startsAt, rules.startsAt, nil)
            renewal = Renewal(
                productId: rules.plan.product, period: rules.plan.period,
                price: MoneyReport(rules.offer?.price ?? rules.plan.price), date: rules.startsAt,
                offer: rules.offer.map(Offer.init))
        }
        priceIncrease = rules.increase.map {
            PriceIncrease(
                price: MoneyReport($0.price), needsConsent: $0.needsConsent, isAgreed: $0.isAgreed,
                askedAt: $0.askedAt)
        }
        expirationIntent = rules.intent
        (graceEndsAt, retryEndsAt, revokedAt) = (rules.graceEndsAt, rules.retryEndsAt, rules.revokedAt)
        if rules.state == .grace || rules.state == .retry { nextAttempt = rules.nextAttempt }
        appAccountToken = stored.accountToken
    }
}

/// A subscription with its whole life.
package struct SubscriptionDetails: Codable, Hashable, Sendable {
    package struct Period: Codable, Hashable, Sendable {
        package var transactionId: TransactionID
        package var productId: ProductID
        package var startsAt: Instant
        package var endsAt: Instant
        package var price: MoneyReport
        /// PURCHASE or RENEWAL.
        package var reason: TransactionReason
        package var offerType: OfferType?
        /// When an upgrade took its place.
        package var upgradedAt: Instant?
        package var revokedAt: Instant?

        init(_ sold: StoreTransaction) {
            (transactionId, productId, startsAt) = (sold.id, sold.productID, sold.purchaseDate)
            (endsAt, price, reason) = (sold.expiresDate ?? sold.purchaseDate, MoneyReport(sold.price), sold.reason)
            (offerType, upgradedAt, revokedAt) = (sold.offer?.type, sold.upgradedAt, sold.revocation?.revokedAt)
        }
    }

    package struct Entry: Codable, Hashable, Sendable {
        package var date: Instant
        package var event: WireWord<SubscriptionEvent>
        package var state: WireWord<Subscription.State>
        /// The same in words.
        package var text: String
        package var detail: String?
        package var actor: String
        package var requestId: String?
    }

    package struct Charge: Codable, Hashable, Sendable {
        package var purchaseId: SaleID
        package var state: WireWord<StoreRules.Charge.State>
        package var attempt: Int
        package var amount: MoneyReport
        package var failure: PurchaseFailureAnswer?
    }

    package var subscription: SubscriptionReport
    /// When it renews and what happens if the card fails, or why it ended, in a sentence or two.
    package var summary: String
    /// The time of its customer.
    package var now: Instant
    /// The oldest first.
    package var periods: [Period]
    package var history: [Entry]
    /// Of the next period, while it is under way or waits for another attempt.
    package var charge: Charge?
    /// The label of what the customer pays with.
    package var paymentMethod: String?

    init(_ details: SubscriptionChanges.Details) {
        subscription = SubscriptionReport(details.subscription, at: details.now)
        let rules = details.subscription.rules
        if rules.plan(at: details.now) == rules.plan {
            subscription.renewal?.price = MoneyReport(details.renewalPrice)
        }
        summary = SubscriptionSummary(details).sentence
        now = details.now
        periods = details.periods.map(Period.init)
        history = zip(details.history, [nil] + details.history).map { line, former in
            Entry(
                date: line.at, event: WireWord(line.event), state: WireWord(line.state),
                text: SubscriptionSummary.sentence(line, after: former), detail: line.detail, actor: line.actor,
                requestId: line.request)
        }
        charge = details.charge.map {
            Charge(
                purchaseId: $0.id.sale, state: WireWord($0.state), attempt: $0.rules.attempt,
                amount: MoneyReport($0.amount), failure: $0.rules.failure.map(PurchaseFailureAnswer.init))
        }
        paymentMethod = details.method?.label
    }
}

/// The answer of a customer to a higher price.
package struct PriceAnswerRequest: Codable, Hashable, Sendable {
    package var agrees: Bool

    package init(agrees: Bool) {
        self.agrees = agrees
    }
}

/// For whom the price of a subscription rises.
package struct PriceIncreaseRequest: Codable, Hashable, Sendable {
    package var storefront: StorefrontCode
    /// Whether customers are asked for consent; missing to go by the size of the increase.
    package var consent: Bool?

    package init(storefront: StorefrontCode, consent: Bool?) {
        self.storefront = storefront
        self.consent = consent
    }
}

package struct PriceIncreaseReport: Codable, Hashable, Sendable {
    /// How many subscriptions it reaches, and how many of them end without consent.
    package var count: Int
    package var needingConsent: Int
    /// How many were asked in this period already, and may be asked in their next one.
    package var askedAlready: Int
}

/// How long the subscriptions of an app count that could not be paid.
package struct GracePeriodMessage: Codable, Hashable, Sendable {
    /// Missing where they do not; 0 sets that. Missing in a request it stays as it is.
    package var days: Int?
    /// Whether only subscriptions have it whose last period was paid, not those after a free trial. Missing it stays as it is.
    package var isOnlyPaid: Bool?
    /// Whether it holds in production; in the sandbox it always does. Missing it stays as it is.
    package var isInProduction: Bool?

    package init(days: Int?, isOnlyPaid: Bool?, isInProduction: Bool?) {
        self.days = days
        self.isOnlyPaid = isOnlyPaid
        self.isInProduction = isInProduction
    }

    init(_ setting: GracePeriodSetting) {
        self.init(
            days: setting.grace?.days, isOnlyPaid: setting.grace?.isOnlyPaid ?? false,
            isInProduction: setting.isInProduction)
    }
}

extension GracePeriodMessage: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["days": .integer("3, 16 or 28; 0 for none.", minimum: 0, maximum: 28)]
    }
}

/// How the subscriptions of an environment do, of the last 30 days.
package struct SubscriptionFiguresReport: Codable, Hashable, Sendable {
    package struct Monthly: Codable, Hashable, Sendable {
        package var amount: MoneyReport
        package var count: Int
    }

    /// Those that count now.
    package var running: Int
    package var inGracePeriod: Int
    package var inBillingRetry: Int
    /// Those that stopped for good within 30 days, and their share of those that ran, in thousandths.
    package var ended: Int
    package var churn: Int?
    package var renewals: Int
    /// Free trials that ended within 30 days, those after which was paid, and their share in thousandths.
    package var trials: Int
    package var convertedTrials: Int
    package var trialConversion: Int?
    /// What those that run bring in a month, by currency.
    package var monthly: [Monthly]

    init(_ figures: SubscriptionFigures) {
        (running, inGracePeriod, inBillingRetry) = (figures.running, figures.inGrace, figures.retrying)
        (ended, churn, renewals) = (figures.ended, figures.churn, figures.renewals)
        (trials, convertedTrials, trialConversion) = (figures.trials, figures.convertedTrials, figures.conversion)
        monthly = figures.monthly.map { Monthly(amount: MoneyReport($0.amount), count: $0.count) }
    }
}
