public import StoreModel

extension Backend {
    /// Publishes a list of products: it is given to every app that asks from now on. The same list again changes nothing.
    ///
    /// A product that its app may not offer yet is listed with a ``ListedProduct/minimumAppVersion``. What the list leaves out is
    /// offered no longer, and given as before to those who paid for it.
    @discardableResult
    public func publish(_ list: ProductList, at now: Instant) async throws -> ProductList {
        try requireApp(list.bundleID)
        let lists = lists
        let published = try await database.transaction { [settings] connection in
            let table = ProductTable(connection, cache: lists)
            let newest = try table.newestList(of: list.bundleID)
            let former = newest?.products ?? []
            let known = try table.formerSubscriptions(of: list.bundleID)
                .union(former.lazy.filter { $0.kind.isSubscription }.map(\.productID))
            let list = try ProductListRules(settings: settings).checked(list, subscriptions: known)
            if let newest, newest.products == list.products { return newest }
            let listed = Set(list.products.map(\.productID))
            for product in former where !listed.contains(product.productID) {
                try table.keepFormer(product, of: list.bundleID)
            }
            var next = list
            next.version = (newest?.version ?? 0) + 1
            try table.add(next, at: now)
            let text = "version \(next.version) of \(list.bundleID), \(list.products.count) products"
            try AuditTable(connection).note(.listPublished, text, at: now)
            return next
        }
        return try published.tagged()
    }

    /// The newest list of an app: of all its products, or of those that a version of the app may offer.
    ///
    /// Of each content it says the newest version that this version of the app may have. The list is empty and has the
    /// version 0 as long as none was published.
    public func productList(of bundleID: BundleID, appVersion: String? = nil) async throws -> ProductList {
        try requireApp(bundleID)
        let appVersion = try appVersion.map { try AppVersionRange.read($0, parameter: "appVersion") }
        let lists = lists
        var (list, contents) = try await database.transaction { connection in
            let list = try ProductTable(connection, cache: lists).newestList(of: bundleID)
            let contents = try ContentTable(connection).newest(for: appVersion)
            return (list ?? ProductList(bundleID: bundleID, products: []), contents)
        }
        list.products = try list.products.compactMap { product in
            guard try AppVersionRange(product).contains(appVersion) else { return nil }
            var product = product
            let file = product.content.flatMap { contents[$0] }
            (product.contentVersion, product.contentBytes) = (file?.version, file?.bytes)
            return product
        }
        return try list.tagged()
    }

    /// Notes that the store does not know products which the list has, as an app found out when it asked for their prices.
    ///
    /// Ids that are not listed are left out, so that nobody can fill the database with them.
    public func reportUnknown(_ productIDs: [ProductID], of bundleID: BundleID, at now: Instant) async throws {
        try requireApp(bundleID)
        let most = settings.limits.unknownProductsPerReport
        guard productIDs.count <= most else {
            throw BackendError(.invalidValue, "A report has at most \(most) products.", parameter: "productIds")
        }
        let lists = lists
        try await database.transaction { connection in
            let table = ProductTable(connection, cache: lists)
            guard let list = try table.newestList(of: bundleID) else { return }
            for productID in Set(productIDs).sorted() where list[productID] != nil {
                guard try table.countUnknown(productID, of: bundleID, at: now) == 1 else { continue }
                try AuditTable(connection).note(
                    .productUnknown, product: productID, "an app of \(bundleID) says that the store does not know it",
                    at: now)
            }
        }
    }

    /// The products of the newest list that apps have reported as unknown to the store.
    public func unknownProducts(of bundleID: BundleID) async throws -> [UnknownProduct] {
        try requireApp(bundleID)
        let lists = lists
        return try await database.transaction { connection in
            let table = ProductTable(connection, cache: lists)
            let list = try table.newestList(of: bundleID)
            return try table.unknownProducts(of: bundleID).filter { list?[$0.productID] != nil }
        }
    }

    func requireApp(_ bundleID: BundleID) throws {
        guard settings.bundleIDs.contains(bundleID) else {
            throw BackendError(.unknownApp, "\(bundleID) is no app of this backend.", parameter: "bundleId")
        }
    }
}
