import StoreHTTP
import StoreModel

/// The parts of paths that routes of the catalogue read.
enum CataloguePaths {
    static let bundleID = PathParameter<BundleID>("bundleId", rule: "the bundle id of an app, such as com.example.app")
    static let productID = PathParameter<ProductID>("productId", rule: "the id of a product")
    static let storefront = PathParameter<StorefrontRecord>(
        "storefront", rule: "the code of a storefront, three capital letters"
    ) { StorefrontRecord.storefront(alpha3: $0) }

    /// How many a page has if nobody says, and at most.
    static let page = (usual: 100, most: 1000)

    /// How many a client wants of a page.
    static func limit(of request: HTTPRequest) throws(APIError) -> Int {
        guard let text = request.target.query["limit"] else { return page.usual }
        guard let limit = Int(text), text.utf8.first != UInt8(ascii: "+"), (1...page.most).contains(limit) else {
            throw APIError(
                .badRequest, code: "limit_invalid", "A page has 1 to \(page.most).", parameter: "limit")
        }
        return limit
    }

    /// What a client wants a page to come after.
    static func after<ID: StoreIdentifier>(_ type: ID.Type, of request: HTTPRequest) throws(APIError) -> ID? {
        guard let text = request.target.query["after"] else { return nil }
        guard let id = ID(text) else {
            throw APIError(
                .badRequest, code: "after_invalid", "A page comes after a \(ID.subject).", parameter: "after")
        }
        return id
    }
}
