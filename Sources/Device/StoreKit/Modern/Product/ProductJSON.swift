import Foundation
import StoreModel

/// What the store says of a product, as JSON.
///
/// The members are where the App Store has them, for apps that look into it: the locale and the group's name and level are in
/// `attributes`, price and discounts in the only element of `attributes.offers`. The same listing always has the same bytes.
struct ProductJSON: Encodable {
    private let attributes: Attributes
    private let id: String
    private let type = "in-apps"

    static func data(of listing: ProductListingAnswer, locale: String) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and numbers can always be encoded.
        return (try? encoder.encode(ProductJSON(listing, locale))) ?? Data("{}".utf8)
    }

    private init(_ listing: ProductListingAnswer, _ locale: String) {
        id = listing.itemId.description
        attributes = Attributes(
            description: Words(standard: listing.description), icuLocale: locale,
            isFamilyShareable: listing.isFamilyShareable ? 1 : 0,
            isSubscription: listing.subscriptionPeriod == nil ? 0 : 1, kind: listing.type.rawValue,
            name: listing.title, offerName: listing.productId.text, offers: [Offer(listing)],
            subscriptionFamilyId: listing.subscriptionGroupIdentifier?.text,
            subscriptionFamilyName: listing.subscriptionGroupName,
            subscriptionFamilyRank: listing.subscriptionGroupLevel)
    }

    private struct Words: Encodable {
        var standard: String
    }

    private struct Attributes: Encodable {
        var description: Words
        var icuLocale: String
        var isFamilyShareable: Int
        var isSubscription: Int
        var kind: String
        var name: String
        var offerName: String
        var offers: [Offer]
        var subscriptionFamilyId: String?
        var subscriptionFamilyName: String?
        var subscriptionFamilyRank: Int?
    }

    private struct Offer: Encodable {
        var currencyCode: String
        var discounts: [Discount]
        var price: String
        var priceFormatted: String
        var recurringSubscriptionPeriod: String?
        var type = "buy"

        init(_ listing: ProductListingAnswer) {
            currencyCode = listing.price.currency.rawValue
            discounts = (listing.offers ?? []).map(Discount.init)
            price = listing.price.amount
            priceFormatted = listing.price.display
            recurringSubscriptionPeriod = listing.subscriptionPeriod?.description
        }
    }

    private struct Discount: Encodable {
        var modeType: String
        var numOfPeriods: Int
        var offerId: String?
        var price: String
        var priceFormatted: String
        var recurringSubscriptionPeriod: String
        var type: String

        init(_ offer: SubscriptionOfferAnswer) {
            let kind = Product.SubscriptionOffer.OfferType(offer.kind)
            modeType = Product.SubscriptionOffer.PaymentMode(offer.paymentMode).rawValue
            numOfPeriods = offer.periodCount
            offerId = kind == .introductory ? nil : offer.offerId
            price = offer.price.amount
            priceFormatted = offer.price.display
            recurringSubscriptionPeriod = offer.period.description
            type = kind.rawValue
        }
    }
}
