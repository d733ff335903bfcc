import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// A product as its developer enters it by hand.
package struct ProductRequest: Codable, Hashable, Sendable {
    package let type: ProductKind
    package let referenceName: String
    package let isFamilyShareable: Bool?
    package let period: BillingPeriod?
    package let groupId: SubscriptionGroupID?
    /// By language; those that are left out stay.
    package let texts: [String: CatalogueDetailsAnswer.Text]?
    /// What it costs everywhere, or what this comes to; the one that it has, if it is left out.
    package let price: BasePrice?

    package init(
        type: ProductKind, referenceName: String, isFamilyShareable: Bool?, period: BillingPeriod?,
        groupId: SubscriptionGroupID?, texts: [String: CatalogueDetailsAnswer.Text]?, price: BasePrice?
    ) {
        self.type = type
        self.referenceName = referenceName
        self.isFamilyShareable = isFamilyShareable
        self.period = period
        self.groupId = groupId
        self.texts = texts
        self.price = price
    }
}

/// What a product is to a tax office.
package struct TaxRequest: Codable, Hashable, Sendable {
    package let taxCategory: String

    package init(taxCategory: String) {
        self.taxCategory = taxCategory
    }
}

/// A price from a moment on.
package struct PriceChangeMessage: Codable, Hashable, Sendable {
    package let startsAt: Instant
    /// Of the main unit of the currency: `0.99`.
    package let amount: String
    package let currency: Currency
    /// Where; all that have no price of their own, if it is missing.
    package let storefront: StorefrontCode?

    package init(startsAt: Instant, amount: String, currency: Currency, storefront: StorefrontCode?) {
        self.startsAt = startsAt
        self.amount = amount
        self.currency = currency
        self.storefront = storefront
    }

    init(_ change: PriceChange) {
        self.init(
            startsAt: change.startsAt, amount: change.price.decimalText, currency: change.price.currency,
            storefront: change.storefront)
    }
}

/// An app or a product by its store id.
package struct ItemAnswer: Codable, Hashable, Sendable {
    package let storeId: Int64
    package let bundleId: BundleID
    /// Missing for an app.
    package let productId: ProductID?
    package let name: String
    package let link: String

    init(_ item: StoreItem, _ store: ControlStore) {
        storeId = item.storeID
        bundleId = item.bundleID
        productId = item.productID
        name = item.name
        link = item.link(at: store.profiles?.storeAddress)
    }
}

extension ProductRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "type": .string(among: ProductKind.known.map(\.rawValue).sorted()),
            "referenceName": visibleText(CatalogueLimits.referenceName),
            "texts": .dictionary(of: .of(CatalogueDetailsAnswer.Text.self), description: "By language."),
            "groupId": SubscriptionGroupID.schema,
        ]
    }
}

extension TaxRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["taxCategory": .string(among: TaxCategory.known.map(\.rawValue).sorted())]
    }
}

extension PriceChangeMessage: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "amount": .string("Of the main unit of the currency.", example: "0.99", pattern: PriceRequest.pattern),
            "currency": .string("That of the storefront, or one in which any sells.", example: "USD"),
            "storefront": StorefrontCode.schema,
        ]
    }
}

extension ItemAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["link": .string("Where customers find it; a path alone if the address of the store is not known.")]
    }
}
