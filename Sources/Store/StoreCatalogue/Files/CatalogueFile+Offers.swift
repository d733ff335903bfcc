import StoreFoundation
import StoreModel
import StoreRules

extension CatalogueFileReader {
    func offers(_ object: FileObject, _ period: BillingPeriod?) -> [OfferKind: [SubscriptionOffer]] {
        // A list has the offers of all kinds; a kind that is not in it has none.
        var offers = Dictionary(uniqueKeysWithValues: OfferKind.allCases.map { ($0, [SubscriptionOffer]()) })
        var ids: Set<String> = []
        for entry in object.list("offers") {
            guard let offer = offer(entry, period) else { continue }
            if !ids.insert(offer.id).inserted { entry.refuse("there are two offers of this id", "offerId") }
            offers[offer.kind, default: []].append(offer)
        }
        return offers
    }

    private static let offerMembers: Set<String> = [
        "offerId", "kind", "referenceName", "paymentMode", "period", "periodCount", "price", "prices", "startsAt",
        "endsAt",
        "eligibility", "isStackable", "paidMonths", "lapsedMonths", "waitMonths",
    ]

    private func offer(_ object: FileObject, _ period: BillingPeriod?) -> SubscriptionOffer? {
        object.refuseUnknown(but: Self.offerMembers)
        let id = object.text("offerId", isRequired: true)
        let (kind, mode) = (object.text("kind", isRequired: true), object.text("paymentMode", isRequired: true))
        let lasting = object.value("period", isRequired: true) { try BillingPeriod(parsing: $0) }
        let price = object.object("price").flatMap(money)
        let prices = prices(object) ?? [:]
        let (start, end) = (instant("startsAt", object), instant("endsAt", object))
        guard let id, let kind, let mode, let lasting else { return nil }
        let names = Dictionary(uniqueKeysWithValues: Self.offerMembers.map { ($0, $0) })
        return object.check("offerId", names) {
            let offer = try SubscriptionOffer(
                id: id, kind: OfferKind.named(kind), referenceName: object.text("referenceName"),
                paymentMode: OfferPaymentMode.named(mode), period: lasting,
                periodCount: object.number("periodCount") ?? 1, basePrice: price, prices: prices, startsAt: start,
                endsAt: end,
                audience: .init(
                    eligibility: Set(object.words("eligibility").map(OfferEligibility.init)),
                    isStackable: object.flag("isStackable") ?? false, paidMonths: object.number("paidMonths"),
                    lapsedMonths: object.number("lapsedMonths"), waitMonths: object.number("waitMonths")))
            try offer.check(for: .autoRenewable, period)
            return offer
        }
    }
}
