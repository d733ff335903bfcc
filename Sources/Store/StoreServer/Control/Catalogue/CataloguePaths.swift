import StoreHTTP
import StoreModel

/// The parts of paths that routes of the catalogue read.
enum CataloguePaths {
    static let bundleID = PathParameter<BundleID>("bundleId", rule: "the bundle id of an app, such as com.example.app")
    static let productID = PathParameter<ProductID>("productId", rule: "the id of a product")
    static let storefront = PathParameter<StorefrontRecord>(
        "storefront", rule: "the code of a storefront, three capital letters"
    ) { StorefrontRecord.storefront(alpha3: $0) }
}
