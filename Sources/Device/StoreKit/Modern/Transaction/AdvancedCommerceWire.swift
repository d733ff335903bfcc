import Foundation
import StoreModel

/// `advancedCommerceInfo` of a payload: prices in thousandths, times in milliseconds.
struct AdvancedCommerceWire: Decodable {
    struct Descriptors: Decodable {
        var description: String?
        var displayName: String?
    }

    struct Item: Decodable {
        struct Offer: Decodable {
            var period: BillingPeriod?
            var periodCount: Int
            var price: Int64
            var reason: String
        }

        var sku: String
        var description: String
        var displayName: String
        var offer: Offer?
        var price: Int64
        var refunds: [Refund]?
        var revocationDate: Instant?

        private enum CodingKeys: String, CodingKey {
            case sku = "SKU"
            case description, displayName, offer, price, refunds, revocationDate
        }
    }

    struct Refund: Decodable {
        var refundAmount: Int64
        var refundDate: Instant
        var refundReason: String
        var refundType: String
    }

    var descriptors: Descriptors?
    var description: String?
    var displayName: String?
    var estimatedTax: Int64?
    var items: [Item]
    var period: BillingPeriod?
    var requestReferenceId: String
    var taxCode: String?
    var taxExclusivePrice: Int64?
    var taxRate: String?

    var subscriptionPeriod: Product.SubscriptionPeriod? { period.map { .init($0) } }
}

extension Transaction.AdvancedCommerceInfo {
    init(_ wire: AdvancedCommerceWire) {
        description = wire.description ?? wire.descriptors?.description
        displayName = wire.displayName ?? wire.descriptors?.displayName
        estimatedTax = wire.estimatedTax.map { Decimal($0) / 1000 }
        items = wire.items.map { Item($0) }
        period = wire.subscriptionPeriod
        requestReferenceID = wire.requestReferenceId
        taxCode = wire.taxCode
        taxExclusivePrice = wire.taxExclusivePrice.map { Decimal($0) / 1000 }
        taxRate = wire.taxRate.flatMap { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) }
    }
}

extension Transaction.AdvancedCommerceInfo.Item {
    init(_ wire: AdvancedCommerceWire.Item) {
        let offer = wire.offer.map { offer in
            Details.Offer(
                period: offer.period.map { .init($0) }, periodCount: offer.periodCount,
                price: Decimal(offer.price) / 1000, reason: offer.reason)
        }
        details = Details(
            description: wire.description, displayName: wire.displayName, offer: offer,
            price: Decimal(wire.price) / 1000, sku: wire.sku)
        refunds = wire.refunds.map { refunds in
            refunds.map {
                Transaction.AdvancedCommerceInfo.Refund(
                    amount: Decimal($0.refundAmount) / 1000, date: $0.refundDate.date, reason: $0.refundReason,
                    type: $0.refundType)
            }
        }
        revocationDate = wire.revocationDate?.date
    }
}
