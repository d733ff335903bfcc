package import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreService

/// A group of subscriptions.
package struct GroupMessage: Codable, Hashable, Sendable {
    package struct Text: Codable, Hashable, Sendable {
        package let name: String
        package let appName: String?

        package init(name: String, appName: String? = nil) {
            self.name = name
            self.appName = appName
        }
    }

    package let groupId: SubscriptionGroupID
    package let referenceName: String
    /// By language.
    package let texts: [String: Text]
    /// The highest service first.
    package let subscriptions: [SubscriptionGroup.Member]

    init(_ group: SubscriptionGroup) {
        groupId = group.id
        referenceName = group.referenceName
        texts = group.texts.mapValues { Text(name: $0.name, appName: $0.appName) }
        subscriptions = group.members
    }
}

/// What a group is to be called, and how its subscriptions rank.
package struct GroupRequest: Codable, Hashable, Sendable {
    /// A group that is there keeps its name without one.
    package let referenceName: String?
    package let texts: [String: GroupMessage.Text]?
    /// By product id.
    package let levels: [String: Int]?

    package init(referenceName: String?, texts: [String: GroupMessage.Text]?, levels: [String: Int]?) {
        self.referenceName = referenceName
        self.texts = texts
        self.levels = levels
    }
}

/// What an offer is to be.
package struct OfferRequest: Codable, Hashable, Sendable {
    package var kind: String
    package var referenceName: String?
    package var paymentMode: String
    package var period: BillingPeriod
    /// 1 if it is missing.
    package var periodCount: Int?
    /// The price in every storefront without one of its own; missing if it is free.
    package var price: BasePrice?
    /// By storefront, in its currency.
    package var prices: [String: String]?
    package var startsAt: Instant?
    package var endsAt: Instant?
    /// Of codes: any of new, existing, expired.
    package var eligibility: [String]?
    package var isStackable: Bool?
    package var paidMonths: Int?
    package var lapsedMonths: Int?
    package var waitMonths: Int?

    package init(kind: String, paymentMode: String, period: BillingPeriod) {
        self.kind = kind
        self.paymentMode = paymentMode
        self.period = period
    }

    func offer(_ id: String) throws -> SubscriptionOffer {
        let prices = try (prices ?? [:]).map { code, amount in
            guard let storefront = StorefrontRecord.storefront(alpha3: code) else {
                throw CatalogueError(.valueInvalid, "there is no such storefront", field: "prices.\(code)")
            }
            return (
                StorefrontCode(storefront),
                try CatalogueRoutes.money(amount, storefront.currency, field: "prices.\(code)")
            )
        }
        return try SubscriptionOffer(
            id: id, kind: OfferKind.named(kind), referenceName: referenceName,
            paymentMode: OfferPaymentMode.named(paymentMode), period: period, periodCount: periodCount ?? 1,
            basePrice: price.map { try CatalogueRoutes.money($0.amount, $0.currency, field: "price.amount") },
            prices: Dictionary(uniqueKeysWithValues: prices), startsAt: startsAt, endsAt: endsAt,
            audience: SubscriptionOffer.Audience(
                eligibility: Set((eligibility ?? []).map(OfferEligibility.init)), isStackable: isStackable ?? false,
                paidMonths: paidMonths, lapsedMonths: lapsedMonths, waitMonths: waitMonths))
    }
}

/// An offer of a subscription.
package struct OfferMessage: Codable, Hashable, Sendable {
    package let offerId: String
    package let kind: String
    package let referenceName: String?
    package let paymentMode: String
    package let period: BillingPeriod
    package let periodCount: Int
    package let price: BasePrice?
    package let prices: [String: String]
    package let startsAt: Instant?
    package let endsAt: Instant?
    package let eligibility: [String]
    package let isStackable: Bool
    package let paidMonths: Int?
    package let lapsedMonths: Int?
    package let waitMonths: Int?
    /// All of it in one line, for people.
    package let summary: String

    init(_ offer: SubscriptionOffer) {
        offerId = offer.id
        kind = offer.kind.rawValue
        referenceName = offer.referenceName
        paymentMode = offer.paymentMode.rawValue
        period = offer.period
        periodCount = offer.periodCount
        price = offer.basePrice.map(BasePrice.init)
        prices = Dictionary(uniqueKeysWithValues: offer.prices.map { ($0.key.rawValue, $0.value.decimalText) })
        startsAt = offer.startsAt
        endsAt = offer.endsAt
        eligibility = offer.audience.eligibility.map(\.rawValue).sorted()
        isStackable = offer.audience.isStackable
        paidMonths = offer.audience.paidMonths
        lapsedMonths = offer.audience.lapsedMonths
        waitMonths = offer.audience.waitMonths
        summary = offer.summary
    }
}

extension GroupRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "referenceName": visibleText(CatalogueLimits.referenceName),
            "texts": .dictionary(
                of: .of(GroupMessage.Text.self), description: "By language; an empty name takes a text away."),
            "levels": .dictionary(
                of: .integer(minimum: 1, maximum: SubscriptionGroups.lowestLevel),
                description: "By product id; 1 is the highest service."),
        ]
    }
}

extension OfferRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        let months = { (text: String) in
            JSONSchema.integer("Of a win-back offer: \(text).", minimum: 0, maximum: SubscriptionOffers.mostMonths)
        }
        return [
            "kind": .string(among: OfferKind.allCases.map(\.rawValue).sorted()),
            "referenceName": visibleText(CatalogueLimits.referenceName),
            "paymentMode": .string(among: OfferPaymentMode.allCases.map(\.rawValue).sorted()),
            "period": .string(example: "P1M", among: BillingPeriod.ofOffers.map(\.description)),
            "periodCount": .integer(
                "More than 1 only where each period is paid.", minimum: 1, maximum: SubscriptionOffers.mostPeriods),
            "prices": .dictionary(
                of: .string(example: "0.99"), description: "By storefront, three letters, in its currency."),
            "eligibility": .array(of: .string(among: OfferEligibility.known.map(\.rawValue).sorted())),
            "isStackable": .boolean("Whether who redeems a code keeps the introductory offer."),
            "paidMonths": months("how many months were paid"),
            "lapsedMonths": months("how many months ago the subscription ended"),
            "waitMonths": months("how many months lie between two"),
        ]
    }
}
