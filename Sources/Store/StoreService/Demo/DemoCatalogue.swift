package import StoreDatabase
package import StoreModel

/// The app of the demo, MonkeyCredits, with a product of each kind: what a new store has to sell if it is asked to.
package enum DemoCatalogue {
    package static let bundleID = "com.example.monkeycredits"

    /// Enters what is missing of the app and its products; what is there stays as it is. Production sells them too.
    ///
    /// Gives the products that were entered.
    @discardableResult
    package static func enter(
        into database: any Database, numbers: Numbers, at now: Instant
    ) async throws -> [ProductID] {
        let bundleID = try BundleID(parsing: bundleID)
        let drafts = try products.map { try $0.draft() }
        // Numbers are drawn before; a second start of the demo draws none.
        let missing = try await database.read { transaction in
            try self.missing(drafts, of: bundleID, in: transaction).count
        }
        guard missing > 0 else { return [] }
        let drawn = try await numbers.next(drafts.count + 1, of: .items)
        return try await database.write { transaction in
            let app =
                try Catalogue.app(bundleID, in: transaction)
                ?? Catalogue.addApp(
                    AppID(number: drawn[0]), bundleID, name: "MonkeyCredits", primaryLanguage: "en-US", at: now,
                    in: transaction)
            let missing = try self.missing(drafts, of: bundleID, in: transaction)
            for (draft, number) in zip(missing, drawn.dropFirst()) {
                _ = try Catalogue.put(
                    draft, of: app.id, number: { try ItemID(number: number) }, isApproved: true, at: now,
                    in: transaction)
            }
            return missing.map(\.productID)
        }
    }

    private static func missing(
        _ drafts: [ProductDraft], of bundleID: BundleID, in transaction: any ReadTransaction
    ) throws -> [ProductDraft] {
        guard let app = try Catalogue.app(bundleID, in: transaction) else { return drafts }
        return try drafts.filter { try Catalogue.product($0.productID, of: app.id, in: transaction) == nil }
    }
}
