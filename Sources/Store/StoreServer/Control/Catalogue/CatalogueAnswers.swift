package import StoreModel
import StoreRules
import StoreService

/// An app as the control interface tells it.
package struct CatalogueAppAnswer: Codable, Hashable, Sendable {
    package let bundleId: BundleID
    package let appId: AppID
    package let name: String
    package let primaryLanguage: String
    package let hasSharedSecret: Bool
    package let capabilitiesRevision: Int
    package let createdAt: Instant

    init(_ app: CatalogueApp) {
        bundleId = app.bundleID
        appId = app.id
        name = app.name
        primaryLanguage = app.primaryLanguage
        hasSharedSecret = app.sharedSecret != nil
        capabilitiesRevision = app.capabilitiesRevision
        createdAt = app.createdAt
    }
}

/// A page of apps.
package struct CatalogueAppList: Codable, Hashable, Sendable {
    package let apps: [CatalogueAppAnswer]
    /// What the next page comes after; nil if there is none.
    package let next: BundleID?
}

/// A product as the control interface tells it.
package struct CatalogueProductAnswer: Codable, Hashable, Sendable {
    package let productId: ProductID
    package let itemId: ItemID
    package let type: ProductKind
    package let referenceName: String
    package let state: String
    package let isClearedForSale: Bool
    package let isFamilyShareable: Bool
    package let period: BillingPeriod?
    package let groupId: SubscriptionGroupID?
    package let createdAt: Instant
    package let changedAt: Instant

    init(_ product: CatalogueProduct) {
        productId = product.productID
        itemId = product.itemID
        type = product.kind
        referenceName = product.referenceName
        state = product.state.rawValue
        isClearedForSale = product.isClearedForSale
        isFamilyShareable = product.isFamilyShareable
        period = product.period
        groupId = product.groupID
        createdAt = product.createdAt
        changedAt = product.changedAt
    }
}

/// A page of products.
package struct CatalogueProductList: Codable, Hashable, Sendable {
    package let products: [CatalogueProductAnswer]
    /// What the next page comes after; nil if there is none.
    package let next: ProductID?
}

/// A product with its texts and prices.
package struct CatalogueDetailsAnswer: Codable, Hashable, Sendable {
    package struct Text: Codable, Hashable, Sendable {
        package let title: String
        package let description: String
    }

    package struct Price: Codable, Hashable, Sendable {
        /// Of the main unit of the currency: `0.99`.
        package let amount: String
        package let currency: Currency
    }

    package let product: CatalogueProductAnswer
    /// By language.
    package let texts: [String: Text]
    /// By storefront, three letters.
    package let prices: [String: Price]

    init(_ details: ProductDetails) {
        product = CatalogueProductAnswer(details.product)
        texts = details.texts.mapValues { Text(title: $0.title, description: $0.description) }
        prices = Dictionary(
            uniqueKeysWithValues: details.prices.map { storefront, price in
                (storefront.rawValue, Price(amount: price.decimalText, currency: price.currency))
            })
    }
}

/// What a product is to cost.
package struct PriceRequest: Codable, Hashable, Sendable {
    /// Of the main unit of the storefront's currency: `0.99`.
    package let amount: String

    package init(amount: String) {
        self.amount = amount
    }
}

/// A shared secret; nil if there is none.
package struct SecretAnswer: Codable, Hashable, Sendable {
    package let secret: String?
}
