import CommandOptions
import StoreModel

/// The options and arguments that commands on the catalogue have in common.
enum CatalogueOptions {
    static let bundleFormat = ValueFormat<BundleID>(
        "BUNDLE", rule: "a bundle id, such as com.example.app", explainsRule: false, parse: { BundleID($0) })
    static let bundle = Argument<BundleID>.required(bundleFormat, help: "The bundle id of the app.")

    static let productFormat = ValueFormat<ProductID>(
        "PRODUCT", rule: "a product id: letters, digits, periods and underscores", explainsRule: false,
        parse: { ProductID($0) })
    static let product = Argument<ProductID>.required(productFormat, help: "The id of the product.")
    static let products = Argument<[ProductID]>.rest(
        productFormat, atLeastOne: true, help: "The ids of the products.")

    static let storefront = Argument<StorefrontRecord>.required(
        ValueFormat(
            "STOREFRONT", rule: "the code of a storefront, three capital letters, such as USA or JPN",
            describe: { $0.alpha3 }, parse: { StorefrontRecord.storefront(alpha3: $0) }),
        help: "Where the price holds.")

    /// Where the control interface is, of either environment: they have one catalogue.
    static let path = "/production/control/v1"

    static func path(_ bundle: BundleID) -> String { "\(path)/apps/\(bundle)" }

    static let missing = ExitCode.inputMissing.when("There is no such app or product, or no store.")
    static let noStore = ExitCode.inputMissing.when("There is no store.")
    static let unavailable = ExitCode.unavailable.when("The process that has the store open does not answer.")
}
