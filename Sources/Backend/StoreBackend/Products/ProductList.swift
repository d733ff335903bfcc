public import StoreModel

/// The products that an app may offer, as its developer's server lists them.
///
/// The app asks the store for prices and texts. What is added to the list is sold by apps that run already.
public struct ProductList: Codable, Hashable, Sendable {
    /// The app.
    public var bundleID: BundleID
    /// Which list it is, counted from 1; 0 as long as nothing was published.
    public var version: Int64
    /// The products, in the order in which they are to be shown.
    public var products: [ListedProduct]
    /// The tag of exactly this list, for `ETag`: without quotes, of letters and digits.
    public internal(set) var entityTag: String

    /// Makes a list to be published.
    public init(bundleID: BundleID, products: [ListedProduct]) {
        self.bundleID = bundleID
        self.products = products
        version = 0
        entityTag = ""
    }

    /// A product by its id.
    public subscript(productID: ProductID) -> ListedProduct? { products.first { $0.productID == productID } }

    /// Reads a list; a version and a tag may be missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        bundleID = try container.decode(BundleID.self, forKey: .bundleID)
        version = try container.decodeIfPresent(Int64.self, forKey: .version) ?? 0
        products = try container.decode([ListedProduct].self, forKey: .products)
        entityTag = try container.decodeIfPresent(String.self, forKey: .entityTag) ?? ""
    }

    private enum CodingKeys: String, CodingKey {
        case bundleID = "bundleId"
        case version, products, entityTag
    }
}

/// A product of a list.
public struct ListedProduct: Codable, Hashable, Sendable {
    /// The id, as the store knows it.
    public var productID: ProductID
    /// The kind.
    public var kind: ProductKind
    /// What the developer calls it.
    public var title: String?
    /// What each unit of it adds to a balance of the user.
    public var credit: Balance?
    /// The name of the content that is downloaded for it.
    public var content: String?
    /// The subscriptions that give this product too, for as long as they run.
    public var includedIn: [ProductID]?
    /// The first version of the app that may offer it.
    public var minimumAppVersion: String?
    /// The last version of the app that may offer it.
    public var maximumAppVersion: String?
    /// How long a period of a subscription lasts. Of those that do not renew themselves the backend counts it.
    public var period: BillingPeriod?
    /// The least time between two questions to a subscriber.
    public var minimumPeriod: BillingPeriod?
    /// Why that time is no shorter, in words for the app.
    public var minimumPeriodReason: String?
    /// The newest version of the content that the asking version of the app may have; said by the backend.
    public var contentVersion: String?
    /// How many bytes that version has; said by the backend.
    public var contentBytes: Int64?

    /// Makes a product; what is not said here is nil.
    public init(_ productID: ProductID, kind: ProductKind, credit: Balance? = nil, content: String? = nil) {
        self.productID = productID
        self.kind = kind
        self.credit = credit
        self.content = content
    }

    private enum CodingKeys: String, CodingKey {
        case productID = "productId"
        case kind, title, credit, content, includedIn, minimumAppVersion, maximumAppVersion, period, minimumPeriod
        case minimumPeriodReason, contentVersion, contentBytes
    }
}

/// A listed product that the store did not know.
public struct UnknownProduct: Hashable, Sendable {
    /// The product.
    public let productID: ProductID
    /// How often apps have said so.
    public let reports: Int64
    /// When it was said first.
    public let firstReported: Instant
    /// When it was said last.
    public let lastReported: Instant
}
