import StoreHTTP
import StoreModel

/// The parameters of paths that several sections have.
enum ConsolePath {
    static let environment = PathParameter<StoreEnvironment>("environment", rule: "production or sandbox") {
        StoreEnvironment(rawValue: $0)
    }
    static let bundle = PathParameter<BundleID>("bundleId", rule: "the bundle id of an app") { BundleID($0) }
    static let product = PathParameter<ProductID>("productId", rule: "the id of a product") { ProductID($0) }
    /// What the answer to a visit without a session is: the way in.
    static let entrance: StaticString = "/console/sign-in"
}
