import StoreCatalogue
import StoreModel
import StoreRules

/// An offer as people read it: what it is, who gets it, and when.
struct OfferWords {
    let offer: SubscriptionOffer
    /// How long a period of the subscription is.
    let period: BillingPeriod?
    /// What the subscription costs in ``storefront`` without it.
    let regular: Money?
    let storefront: StorefrontCode
    let price: (Money) -> String

    /// `Free for one week, then $4.99 a month`.
    var sentence: String {
        let amount = (storefront.storefront.flatMap { offer.price(in: $0) } ?? offer.basePrice).map(price)
        let length = offer.period.length
        let first =
            switch offer.paymentMode {
            case .free: "Free for \(length)"
            case .payAsYouGo:
                "\(amount ?? "A lower price") \(Self.each(offer.period))"
                    + (offer.periodCount > 1 ? ", \(offer.periodCount) times" : ", once")
            default: "\(amount ?? "A lower price") for \(length)"
            }
        guard let period, let regular else { return first }
        return "\(first), then \(price(regular)) \(Self.each(period))"
    }

    /// `a month`, `every 2 months`.
    private static func each(_ period: BillingPeriod) -> String {
        period.count == 1 ? period.words : "every \(period.words)"
    }

    /// Who gets it.
    var audience: String {
        let audience = offer.audience
        switch offer.kind {
        case .introductory: return "Who is new to the group"
        case .promotional: return "Subscribers, now or before, with a signature of your server"
        case .code:
            let words = ["new": "new ones", "existing": "subscribers", "expired": "those who left"]
            let who = ["new", "existing", "expired"]
                .filter { audience.eligibility.contains(OfferEligibility(rawValue: $0)) }.compactMap { words[$0] }
            return "With a code" + (who.isEmpty ? "" : ": " + who.joined(separator: ", "))
                + (audience.isStackable ? "; the introductory offer stays" : "")
        case .winBack:
            let months = { (count: Int) in "\(count) month\(count == 1 ? "" : "s")" }
            let conditions = [
                audience.paidMonths.map { "paid \(months($0))" }, audience.lapsedMonths.map { "away \(months($0))" },
                audience.waitMonths.map { "once in \(months($0))" },
            ].compactMap(\.self)
            return "Who left" + (conditions.isEmpty ? "" : ": " + conditions.joined(separator: ", "))
        }
    }

    /// From when to when.
    var dates: String {
        switch (offer.startsAt, offer.endsAt) {
        case (nil, nil): "Until you end it"
        case (let start?, nil): "From \(start.written)"
        case (nil, let end?): "Until \(end.written)"
        case (let start?, let end?): "\(start.written) to \(end.written)"
        }
    }

    static func of(_ offer: SubscriptionOffer, _ details: ProductDetails, _ visit: ConsoleVisit) -> OfferWords {
        let usa = StorefrontCode(rawValue: "USA")
        return OfferWords(
            offer: offer, period: details.product.period, regular: details.prices[usa], storefront: usa
        ) { visit.text($0, in: usa) }
    }
}
