package import StoreModel

/// The receipt of one transaction in the form of iOS 6 and before: what `transactionReceipt` of a payment holds.
package struct TransactionReceipt: Hashable, Sendable {
    package var quantity: Int64
    package var productID: String
    package var transactionID: String
    package var originalTransactionID: String
    package var purchaseDate: Instant
    package var originalPurchaseDate: Instant
    /// The numeric store id of the product.
    package var itemID: String
    package var bundleID: String
    /// `CFBundleVersion` of the app.
    package var applicationVersion: String
    /// 40 hexadecimal digits that name the device.
    package var uniqueIdentifier: String
    package var uniqueVendorIdentifier: String
    /// Numeric store id of the app; production only.
    package var appItemID: String?
    /// Production only.
    package var versionExternalIdentifier: String?
    /// The end of the paid period; auto-renewable subscriptions only, as are the two below.
    package var expirationDate: Instant?
    package var webOrderLineItemID: String?
    package var isTrialPeriod: Bool?
    /// Entries that have no name here, unchanged.
    package var otherEntries: [String: String] = [:]

    package init(
        quantity: Int64 = 1, productID: String, transactionID: String, originalTransactionID: String,
        purchaseDate: Instant, originalPurchaseDate: Instant, itemID: String, bundleID: String,
        applicationVersion: String, uniqueIdentifier: String, uniqueVendorIdentifier: String
    ) {
        self.quantity = quantity
        self.productID = productID
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.itemID = itemID
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.uniqueIdentifier = uniqueIdentifier
        self.uniqueVendorIdentifier = uniqueVendorIdentifier
    }
}

extension TransactionReceipt {
    /// The entries of `purchase-info`, in the order of genuine receipts.
    var entries: PropertyListText {
        var entries: [(key: String, value: String?)] = [
            ("original-purchase-date-pst", originalPurchaseDate.pacificText),
            ("purchase-date-ms", purchaseDate.millisecondsText), ("unique-identifier", uniqueIdentifier),
            ("original-transaction-id", originalTransactionID), ("expires-date", expirationDate?.millisecondsText),
            ("bvrs", applicationVersion), ("transaction-id", transactionID), ("quantity", String(quantity)),
            ("web-order-line-item-id", webOrderLineItemID), ("unique-vendor-identifier", uniqueVendorIdentifier),
            ("original-purchase-date-ms", originalPurchaseDate.millisecondsText),
            ("expires-date-formatted", expirationDate?.gmtText), ("item-id", itemID),
            ("expires-date-formatted-pst", expirationDate?.pacificText), ("product-id", productID),
            ("is-trial-period", isTrialPeriod.map { $0 ? "true" : "false" }), ("app-item-id", appItemID),
            ("version-external-identifier", versionExternalIdentifier), ("purchase-date", purchaseDate.gmtText),
            ("original-purchase-date", originalPurchaseDate.gmtText), ("bid", bundleID),
            ("purchase-date-pst", purchaseDate.pacificText),
        ]
        entries += otherEntries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return PropertyListText(entries.compactMap { entry in entry.value.map { (entry.key, $0) } })
    }

    /// Reads the entries of `purchase-info`.
    init(_ list: PropertyListText) throws {
        func text(_ key: String) throws -> String {
            guard let value = list[key] else { throw SigningError(.malformed, "\(key) is missing from the receipt") }
            return value
        }
        func date(_ key: String) throws -> Instant {
            guard let instant = try? Instant(millisecondsText: text(key)) else {
                throw SigningError(.malformed, "\(key) of the receipt is not a number of milliseconds")
            }
            return instant
        }
        guard let quantity = try Int64(text("quantity")) else {
            throw SigningError(.malformed, "quantity of the receipt is not a number")
        }
        try self.init(
            quantity: quantity, productID: text("product-id"), transactionID: text("transaction-id"),
            originalTransactionID: text("original-transaction-id"), purchaseDate: date("purchase-date-ms"),
            originalPurchaseDate: date("original-purchase-date-ms"), itemID: text("item-id"), bundleID: text("bid"),
            applicationVersion: text("bvrs"), uniqueIdentifier: text("unique-identifier"),
            uniqueVendorIdentifier: list["unique-vendor-identifier"] ?? "")
        appItemID = list["app-item-id"]
        versionExternalIdentifier = list["version-external-identifier"]
        expirationDate = try list["expires-date"].map { _ in try date("expires-date") }
        webOrderLineItemID = list["web-order-line-item-id"]
        isTrialPeriod = list["is-trial-period"].map { $0 == "true" }
        let known = Set(entries.entries.map(\.key))
        otherEntries = Dictionary(
            list.entries.filter { !known.contains($0.key) }.map { ($0.key, $0.value) },
            uniquingKeysWith: { first, _ in first })
    }
}
