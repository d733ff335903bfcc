/// What a file says, as far as it is looked at. Everything else in it is passed over.
struct StoreKitFileDocument: Decodable {
    struct Version: Decodable {
        let major: Int
    }

    struct Localization: Decodable {
        let locale: String
        let displayName: String?
        let description: String?
    }

    /// A product of any kind; what only subscriptions have is missing from others.
    struct Item: Decodable {
        let productID: String
        let type: String
        let referenceName: String?
        let displayPrice: String
        let familyShareable: Bool?
        let localizations: [Localization]?
        let recurringSubscriptionPeriod: String?
        let introductoryOffer: Presence?
        let introductoryOffers: [Presence]?
        let adHocOffers: [Presence]?
        let codeOffers: [Presence]?
        let winbackOffers: [Presence]?
        let billingPlans: [Presence]?
    }

    struct Group: Decodable {
        let id: String
        let localizations: [Presence]?
        let subscriptions: [Item]
    }

    struct Settings: Decodable {
        let storefront: String?
        let locale: String?

        enum CodingKeys: String, CodingKey {
            case storefront = "_storefront"
            case locale = "_locale"
        }
    }

    /// Something of which only counts that it is there.
    struct Presence: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    let version: Version
    let products: [Item]?
    let nonRenewingSubscriptions: [Item]?
    let subscriptionGroups: [Group]?
    let settings: Settings?
    let appPolicies: Presence?
    let subscriptionOffersKeyPair: Presence?
}
