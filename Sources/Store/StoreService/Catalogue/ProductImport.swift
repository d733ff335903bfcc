package import StoreDatabase
package import StoreModel

/// Brings the products of an app up to a file: all of it or nothing, and once however often.
package struct ProductImport: Sendable {
    private let file: StoreKitFile
    private let bundleID: BundleID
    private let name: String?
    private let isApproved: Bool

    /// - Parameters:
    ///   - bundleID: the app; it is made if there is none.
    ///   - name: of an app that is made; else its bundle id is its name.
    ///   - isApproved: whether production sells the products from now on.
    package init(_ file: StoreKitFile, into bundleID: BundleID, name: String? = nil, isApproved: Bool = false) {
        self.file = file
        self.bundleID = bundleID
        self.name = name
        self.isApproved = isApproved
    }

    /// Imports the file.
    package func run(
        in database: any Database, numbers: Numbers, at now: Instant
    ) async throws -> ImportReport {
        while true {
            // Numbers are drawn before, as many as are needed by what is there now.
            let needed = try await database.read { try self.neededNumbers(in: $0) }
            let drawn = try await numbers.next(needed, of: .items)
            let report = try await database.write { transaction -> ImportReport? in
                var rest = drawn[...]
                // Somebody else removed an app or a product meanwhile; with fresh numbers it is tried again.
                guard try self.neededNumbers(in: transaction) <= rest.count else { return nil }
                return try self.run(&rest, at: now, in: transaction)
            }
            if let report { return report }
        }
    }

    private func neededNumbers(in transaction: any ReadTransaction) throws -> Int {
        guard let app = try Catalogue.app(bundleID, in: transaction) else { return file.products.count + 1 }
        return try file.products.count { try Catalogue.product($0.productID, of: app.id, in: transaction) == nil }
    }

    private func run(
        _ numbers: inout ArraySlice<Int64>, at now: Instant, in transaction: any WriteTransaction
    ) throws -> ImportReport {
        let known = try Catalogue.app(bundleID, in: transaction)
        let app =
            try known
            ?? Catalogue.addApp(
                AppID(number: Self.take(&numbers)), bundleID, name: name ?? bundleID.text,
                primaryLanguage: file.language, at: now, in: transaction)
        var changes: [ProductChange: [ProductID]] = [:]
        var unpriced: [ProductID: Int] = [:]
        for draft in file.products {
            let change = try Catalogue.put(
                draft, of: app.id, number: { try ItemID(number: Self.take(&numbers)) }, isApproved: isApproved, at: now,
                in: transaction)
            changes[change, default: []].append(draft.productID)
            guard draft.basePrice == nil,
                let product = try Catalogue.product(draft.productID, of: app.id, in: transaction)
            else { continue }
            let count = try Catalogue.details(of: product, in: transaction).unpriced.count
            if count > 0 { unpriced[draft.productID] = count }
        }
        let inFile = Set(file.products.map(\.productID))
        let all = try Catalogue.products(of: app.id, limit: CatalogueLimits.products, in: transaction)
        return ImportReport(
            bundleId: bundleID, appId: app.id, isNewApp: known == nil, added: changes[.added] ?? [],
            changed: changes[.changed] ?? [], unchanged: changes[.unchanged] ?? [],
            kept: all.map(\.productID).filter { !inFile.contains($0) },
            unpriced: file.products.compactMap { draft in
                unpriced[draft.productID].map { .init(productId: draft.productID, storefronts: $0) }
            }, omitted: file.omissions, noise: file.noise)
    }

    private static func take(_ numbers: inout ArraySlice<Int64>) throws -> Int64 {
        guard let next = numbers.popFirst() else {
            throw CatalogueError(.limitReached, "there are no numbers left for what is new")
        }
        return next
    }
}

/// What an import did.
package struct ImportReport: Codable, Hashable, Sendable {
    /// A product without a price in some storefronts.
    package struct Unpriced: Codable, Hashable, Sendable {
        package let productId: ProductID
        /// How many these are.
        package let storefronts: Int

        package init(productId: ProductID, storefronts: Int) {
            self.productId = productId
            self.storefronts = storefronts
        }
    }

    package let bundleId: BundleID
    package let appId: AppID
    /// Whether the app was new.
    package let isNewApp: Bool
    package let added: [ProductID]
    package let changed: [ProductID]
    package let unchanged: [ProductID]
    /// Products of the app that the file does not have; they stay as they are.
    package let kept: [ProductID]
    /// Products of the file that are not sold everywhere for want of a price.
    package let unpriced: [Unpriced]
    /// What the file says and the catalogue does not keep.
    package let omitted: [FileFinding]
    /// What the file has and what says nothing, or not what it seems to.
    package let noise: [FileFinding]
}
