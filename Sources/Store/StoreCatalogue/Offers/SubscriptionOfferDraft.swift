package import StoreModel

/// What an offer is to be. What a draft says nothing of stays as the offer of its id has it.
package struct SubscriptionOfferDraft: Hashable, Sendable {
    /// A member of an offer that a draft may say nothing of.
    package enum Member<Value: Hashable & Sendable>: Hashable, Sendable {
        // Closed: something is said of it or not.
        case kept
        case set(Value)

        func value(_ former: Value?, else value: Value) -> Value {
            switch self {
            case .kept: former ?? value
            case .set(let value): value
            }
        }
    }

    package let id: String
    package let kind: OfferKind
    package let paymentMode: OfferPaymentMode
    package let period: BillingPeriod
    package let periodCount: Int
    package let basePrice: Money?
    package var referenceName = Member<String?>.kept
    /// Of an offer that is free now none are kept.
    package var prices = Member<[StorefrontCode: Money]>.kept
    package var startsAt = Member<Instant?>.kept
    package var endsAt = Member<Instant?>.kept
    package var eligibility = Member<Set<OfferEligibility>>.kept
    package var isStackable = Member<Bool>.kept
    package var paidMonths = Member<Int?>.kept
    package var lapsedMonths = Member<Int?>.kept
    package var waitMonths = Member<Int?>.kept

    package init(
        id: String, kind: OfferKind, paymentMode: OfferPaymentMode, period: BillingPeriod, periodCount: Int = 1,
        basePrice: Money?
    ) {
        self.id = id
        self.kind = kind
        self.paymentMode = paymentMode
        self.period = period
        self.periodCount = periodCount
        self.basePrice = basePrice
    }

    /// The offer that it makes of the one that is there. Throws ``CatalogueError`` if that breaks a rule.
    func offer(after former: SubscriptionOffer?) throws(CatalogueError) -> SubscriptionOffer {
        let audience = former?.audience
        return try SubscriptionOffer(
            id: id, kind: kind, referenceName: referenceName.value(former?.referenceName, else: nil),
            paymentMode: paymentMode, period: period, periodCount: periodCount, basePrice: basePrice,
            prices: prices.value(paymentMode == .free ? nil : former?.prices, else: [:]),
            startsAt: startsAt.value(former?.startsAt, else: nil), endsAt: endsAt.value(former?.endsAt, else: nil),
            audience: SubscriptionOffer.Audience(
                eligibility: eligibility.value(audience?.eligibility, else: []),
                isStackable: isStackable.value(audience?.isStackable, else: false),
                paidMonths: paidMonths.value(audience?.paidMonths, else: nil),
                lapsedMonths: lapsedMonths.value(audience?.lapsedMonths, else: nil),
                waitMonths: waitMonths.value(audience?.waitMonths, else: nil)))
    }
}
