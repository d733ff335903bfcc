package import StoreModel
import StoreRules

/// A lower price for the beginning of a subscription; nothing in it breaks a rule.
package struct SubscriptionOffer: Hashable, Sendable {
    /// One of its kind or another has it in a product. Of a code it is the name by which codes are made.
    package let id: String
    package let kind: OfferKind
    /// What its developer calls it.
    package let referenceName: String?
    package let paymentMode: OfferPaymentMode
    /// How long it is paid for at a time; how long it lasts, unless each period is paid.
    package let period: BillingPeriod
    /// How often; 1 unless each period is paid.
    package let periodCount: Int
    /// What it costs wherever a storefront has no price of its own: this, or what ``PriceTable`` makes of it.
    package let basePrice: Money?
    /// The prices of single storefronts, which win.
    package let prices: [StorefrontCode: Money]
    /// When it begins; nil if it has begun.
    package let startsAt: Instant?
    /// When it is over; nil if it has no end.
    package let endsAt: Instant?
    package let audience: Audience

    /// For whom it is.
    package struct Audience: Hashable, Sendable {
        /// Of a code; of other kinds empty.
        package let eligibility: Set<OfferEligibility>
        /// Whether who redeems a code keeps the introductory offer.
        package let isStackable: Bool
        /// Of a win-back offer: how many months were paid.
        package let paidMonths: Int?
        /// Of a win-back offer: how many months ago the subscription ended.
        package let lapsedMonths: Int?
        /// Of a win-back offer: how many months lie between two.
        package let waitMonths: Int?

        package init(
            eligibility: Set<OfferEligibility> = [], isStackable: Bool = false, paidMonths: Int? = nil,
            lapsedMonths: Int? = nil, waitMonths: Int? = nil
        ) {
            self.eligibility = eligibility
            self.isStackable = isStackable
            self.paidMonths = paidMonths
            self.lapsedMonths = lapsedMonths
            self.waitMonths = waitMonths
        }
    }

    /// Throws ``CatalogueError`` with the name of the field that breaks a rule.
    package init(
        id: String, kind: OfferKind, referenceName: String? = nil, paymentMode: OfferPaymentMode,
        period: BillingPeriod, periodCount: Int = 1, basePrice: Money? = nil, prices: [StorefrontCode: Money] = [:],
        startsAt: Instant? = nil, endsAt: Instant? = nil, audience: Audience = Audience()
    ) throws(CatalogueError) {
        self.id = try CatalogueText.id(id, atMost: SubscriptionOffers.longestID, field: "offerId")
        self.kind = kind
        self.referenceName = try referenceName.map { name throws(CatalogueError) in
            try CatalogueText.line(name, atMost: CatalogueLimits.referenceName, field: "referenceName")
        }
        self.paymentMode = paymentMode
        guard period.isForOffers else {
            let known = BillingPeriod.ofOffers.map(\.description).joined(separator: ", ")
            throw CatalogueError(.valueInvalid, "it is one of \(known)", field: "period")
        }
        self.period = period
        guard (1...SubscriptionOffers.mostPeriods).contains(periodCount) else {
            throw CatalogueError(
                .valueInvalid, "it is between 1 and \(SubscriptionOffers.mostPeriods)", field: "periodCount")
        }
        guard periodCount == 1 || paymentMode == .payAsYouGo else {
            throw CatalogueError(
                .valueInvalid, "it is 1 unless each period is paid; the period says how long the offer lasts",
                field: "periodCount")
        }
        self.periodCount = periodCount
        self.basePrice = basePrice
        self.prices = prices
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.audience = audience
        try checkPrices()
        try checkTime()
        try checkAudience()
    }

    private func checkPrices() throws(CatalogueError) {
        guard paymentMode != .free else {
            guard basePrice == nil, prices.isEmpty else {
                throw CatalogueError(.valueInvalid, "what is free has no price", field: "price")
            }
            return
        }
        guard basePrice != nil || !prices.isEmpty else {
            throw CatalogueError(.valueInvalid, "an offer that is paid has a price", field: "price")
        }
        let isNothing = "an offer that costs nothing has the payment mode free"
        if let basePrice {
            try ProductDraft.check(basePrice, field: "price")
            guard basePrice.minorUnits > 0 else {
                throw CatalogueError(.valueInvalid, isNothing, field: "price")
            }
        }
        for (code, price) in prices {
            guard let storefront = code.storefront else {
                throw CatalogueError(.valueInvalid, "there is no such storefront", field: "prices.\(code)")
            }
            try ProductDraft.check(price, in: storefront, field: "prices.\(code)")
            guard price.minorUnits > 0 else {
                throw CatalogueError(.valueInvalid, isNothing, field: "prices.\(code)")
            }
        }
    }

    private func checkTime() throws(CatalogueError) {
        if let startsAt, let endsAt, endsAt <= startsAt {
            throw CatalogueError(.valueInvalid, "it ends before it begins", field: "endsAt")
        }
    }

    private func checkAudience() throws(CatalogueError) {
        guard audience.eligibility.allSatisfy(\.isKnown) else {
            throw CatalogueError(.valueInvalid, "it is any of \(OfferEligibility.words)", field: "eligibility")
        }
        guard kind == .code || audience.eligibility.isEmpty && !audience.isStackable else {
            throw CatalogueError(.valueInvalid, "only codes are for some", field: "eligibility")
        }
        let months = [
            ("paidMonths", audience.paidMonths), ("lapsedMonths", audience.lapsedMonths),
            ("waitMonths", audience.waitMonths),
        ]
        for (field, count) in months {
            guard let count else { continue }
            guard kind == .winBack else {
                throw CatalogueError(.valueInvalid, "only win-back offers have it", field: field)
            }
            guard (0...SubscriptionOffers.mostMonths).contains(count) else {
                throw CatalogueError(
                    .valueInvalid, "it is between 0 and \(SubscriptionOffers.mostMonths)", field: field)
            }
        }
    }

    /// Checks what depends on the product.
    func check(for kind: ProductKind, _ period: BillingPeriod?) throws(CatalogueError) {
        guard kind == .autoRenewable else {
            throw CatalogueError(.valueInvalid, "only a subscription that renews has offers", field: "kind")
        }
        guard paymentMode != .payAsYouGo || self.period == period else {
            throw CatalogueError(
                .valueInvalid,
                "where each period is paid, it is that of the subscription, \(period?.description ?? "")",
                field: "period")
        }
    }

    /// Whether it can be had at a moment.
    package func isCurrent(at now: Instant) -> Bool {
        (startsAt.map { $0 <= now } ?? true) && (endsAt.map { now < $0 } ?? true)
    }

    /// What it costs in a storefront; nil if it cannot be had there.
    package func price(in storefront: StorefrontRecord) -> Money? {
        if paymentMode == .free { return .zero(storefront.currency) }
        let price =
            prices[StorefrontCode(storefront)]
            ?? basePrice.flatMap { PriceTable.price(of: $0, in: storefront.currency) }
        return price.flatMap { $0.minorUnits <= CatalogueLimits.price ? $0 : nil }
    }

    /// In one line, for people and for the audit.
    package var summary: String {
        let mode = paymentMode.rawValue.replacing("_", with: " ")
        let words = [
            kind.rawValue.replacing("_", with: " "), "\(mode) \(periodCount > 1 ? "\(periodCount) x " : "")\(period)",
            basePrice?.description,
            prices.isEmpty
                ? nil
                : prices.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                    "\($0.key) \($0.value)"
                }.joined(separator: " "),
            startsAt.map { "from \($0.rfc3339)" }, endsAt.map { "until \($0.rfc3339)" }, referenceName,
            audience.eligibility.isEmpty ? nil : "for \(OfferEligibility.text(audience.eligibility))",
            audience.isStackable ? "stackable" : nil, audience.paidMonths.map { "\($0) months paid" },
            audience.lapsedMonths.map { "\($0) months lapsed" }, audience.waitMonths.map { "every \($0) months" },
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }
}

extension WireValue where RawValue == String {
    /// The words that are known, for messages.
    package static var words: String { known.map(\.rawValue).sorted().joined(separator: ", ") }

    package static func text(_ values: Set<Self>) -> String { values.map(\.rawValue).sorted().joined(separator: ",") }
}
