/// A link that begins the purchase of a product outside its app, in the form that Apple documents for promoted purchases.
///
/// ```
/// itms-services://?action=purchaseIntent&bundleId=com.example.app&productIdentifier=com.example.app.coins
/// ```
///
/// The page of an app has one for each of its products. The device that opens it hands the purchase to the app, which decides.
package struct PurchaseIntentLink: Hashable, Sendable, CustomStringConvertible {
    /// The scheme, as desktops register who opens such links.
    package static let scheme = "itms-services"
    private static let (action, subject) = ("purchaseIntent", "purchase link")
    /// The most bytes of a link that is read.
    package static let longest = 2048

    package let bundleID: BundleID
    package let productID: ProductID

    package init(_ productID: ProductID, of bundleID: BundleID) {
        self.bundleID = bundleID
        self.productID = productID
    }

    /// Reads a link; what else its query has is passed over.
    package init(parsing text: some StringProtocol) throws(InvalidValue) {
        let rule = "is \(Self.scheme)://?action=\(Self.action)&bundleId=…&productIdentifier=…"
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest, parts.count == 2,
            ["\(Self.scheme)://", "\(Self.scheme):///", "\(Self.scheme):"].contains(parts[0].lowercased())
        else { throw InvalidValue(subject: Self.subject, value: text, rule: rule) }
        var values: [String: String] = [:]
        for item in parts[1].prefix(while: { $0 != "#" }).split(separator: "&") {
            let mark = item.firstIndex(of: "=") ?? item.endIndex
            values[String(item[..<mark])] = StoreSlug.unescaped(item[mark...].dropFirst())
        }
        guard values["action"] == Self.action, let bundle = values["bundleId"] ?? values["bundleIdentifier"],
            let product = values["productIdentifier"]
        else { throw InvalidValue(subject: Self.subject, value: text, rule: rule) }
        bundleID = try BundleID(parsing: bundle)
        productID = try ProductID(parsing: product)
    }

    /// The link. Ids have no characters that a query would need to escape.
    package var description: String {
        "\(Self.scheme)://?action=\(Self.action)&bundleId=\(bundleID)&productIdentifier=\(productID)"
    }
}
