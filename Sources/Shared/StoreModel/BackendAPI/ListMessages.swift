/// What an app may sell: `GET /v1/apps/{bundleId}/products` of the developer's own server.
package struct ProductListAnswer: Codable, Hashable, Sendable {
    package var bundleId: BundleID
    /// Grows with each list that is published.
    package var version: Int
    /// In the order in which they are to be shown.
    package var products: [OfferedProduct]

    package init(bundleId: BundleID, version: Int, products: [OfferedProduct]) {
        self.bundleId = bundleId
        self.version = version
        self.products = products
    }
}

/// A product that the developer's own server names to the app. Texts and price are asked of the store.
public struct OfferedProduct: Codable, Hashable, Sendable {
    /// What the store is asked for.
    public var productId: ProductID
    /// What kind of product it is.
    public var kind: ProductKind
    /// What the developer calls it; the store has the name that customers read.
    public var title: String?
    /// The balance that it adds to, if it is used up.
    public var balance: String?
    /// How much one of it adds to its balance.
    public var amount: Int64?
    /// The name of the content that the server has for it.
    public var content: String?
    /// The newest version of its content that this version of the app may have.
    public var contentVersion: String?
    /// The size of that version.
    public var contentBytes: Int64?
    /// The subscriptions that give it too, for as long as they run.
    public var includedIn: [ProductID]?
    /// The least time between two questions to a subscriber.
    public var minimumPeriod: BillingPeriod?
    /// Why that time is no shorter, as customers may read it.
    public var minimumPeriodReason: String?

    /// Makes a product without content and balance.
    public init(productId: ProductID, kind: ProductKind, title: String? = nil) {
        self.productId = productId
        self.kind = kind
        self.title = title
    }
}

/// Products of the list that the store does not know: `POST /v1/apps/{bundleId}/products/unknown`.
package struct UnknownProductsRequest: Codable, Hashable, Sendable {
    /// The most ids of one report.
    package static let longest = 200

    package var productIds: [ProductID]

    package init(productIds: [ProductID]) {
        self.productIds = productIds
    }
}
