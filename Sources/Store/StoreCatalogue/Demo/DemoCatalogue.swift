import CResources
package import StoreDatabase
package import StoreModel
package import StoreRules

/// What a new store has to sell if it is asked to: five apps, with every kind of product and every category of review.
///
/// The apps are written down in ``DemoApp``. Their pictures are the files of `DemoImages`, `<bundle>.<product>.png`, which
/// `Scripts/demo-images.py` draws.
package enum DemoCatalogue {
    /// The app that is tried first.
    package static let bundleID = DemoApp.monkeyCredits.bundleID

    /// Enters what is missing of the apps and their products; what is there stays as it is. Production sells them too.
    ///
    /// All of it is one transaction. Gives the products that were entered.
    ///
    /// - Parameter blobs: where the pictures are kept; without it the products have none.
    @discardableResult
    package static func enter(
        _ apps: [DemoApp] = DemoApp.all, into database: any Database, numbers: Numbers,
        pictures blobs: (any BlobStore)? = nil, at now: Instant
    ) async throws -> [ProductID] {
        // Numbers are drawn before; a second start of the demo draws none.
        let missing = try await database.read { transaction in
            try apps.reduce(0) { try $0 + self.missing(of: $1, in: transaction).count }
        }
        guard missing > 0 else { return [] }
        let pictures = try blobs.map { blobs in try keep(in: blobs) } ?? [:]
        let drawn = try await StoreNumbers.next(missing + apps.count, numbers, in: database)
        return try await database.write { transaction in
            var drawn = drawn[...]
            var entered: [ProductID] = []
            for app in apps {
                // Another server may have entered some since they were counted, and none is ever taken away.
                let missing = try self.missing(of: app, in: transaction)
                let id = try self.id(of: app, number: { drawn.removeFirst() }, at: now, in: transaction)
                for product in missing {
                    let number = try ItemID(number: drawn.removeFirst())
                    let picture = try pictures[app.id(of: product)]
                    try enter(product, of: app, id, as: number, picture, at: now, in: transaction)
                    entered.append(try app.id(of: product))
                }
            }
            return entered
        }
    }

    private static func missing(of app: DemoApp, in transaction: any ReadTransaction) throws -> [DemoProduct] {
        guard let known = try Catalogue.app(BundleID(parsing: app.bundleID), in: transaction) else {
            return app.products
        }
        return try app.products.filter { try Catalogue.product(app.id(of: $0), of: known.id, in: transaction) == nil }
    }

    /// The number of an app, which is entered with its groups if it is not there.
    private static func id(
        of app: DemoApp, number: () -> Int64, at now: Instant, in transaction: any WriteTransaction
    ) throws -> AppID {
        let bundle = try BundleID(parsing: app.bundleID)
        if let known = try Catalogue.app(bundle, in: transaction) { return known.id }
        let made = try Catalogue.addApp(
            AppID(number: number()), bundle, name: app.name, primaryLanguage: DemoApp.languages[0],
            CatalogueChange(.store, at: now, in: transaction))
        for (id, names) in app.groups {
            let texts = zip(DemoApp.languages, names).map { ($0, SubscriptionGroupText(name: $1)) }
            let group = SubscriptionGroup(
                id: try SubscriptionGroupID(parsing: id), referenceName: names[0],
                texts: Dictionary(uniqueKeysWithValues: texts))
            try SubscriptionGroups.put(group, of: made.id, CatalogueChange(.store, at: now, in: transaction))
        }
        return made.id
    }

    private static func enter(
        _ product: DemoProduct, of app: DemoApp, _ id: AppID, as item: ItemID, _ picture: Picture?, at now: Instant,
        in transaction: any WriteTransaction
    ) throws {
        let draft = try product.draft(in: app)
        // What the store hosts is approved with its content, by ``DemoContent``.
        let isHosted = product.chapter != nil && picture != nil
        _ = try Catalogue.put(
            draft, of: id, number: { item }, isApproved: !isHosted, CatalogueChange(.store, at: now, in: transaction))
        guard let entered = try Catalogue.product(item, in: transaction) else { return }
        // What a developer says of a product when it is submitted.
        let cause = CatalogueCause(.store, at: now)
        if isHosted { try Catalogue.setHosting(true, of: entered, cause.change(in: transaction)) }
        if let picture {
            try ProductImages.put(
                picture.blob, picture.head, bytes: picture.bytes, as: .promotional, of: entered,
                isApproved: true, cause.change(in: transaction))
        }
        try Catalogue.change(entered, "categorised", cause.change(in: transaction)) {
            try transaction.update(
                "product", ["category": product.category.rawValue, "delivers": product.texts[0].1],
                where: ["item_id": item])
        }
    }
}

extension DemoCatalogue {
    private struct Picture {
        let blob: BlobID
        let head: ProductImage.Head
        let bytes: Int
    }

    /// The pictures of the products, which the program carries.
    package static var pictures: [ProductID: [UInt8]] {
        get throws {
            var pictures: [ProductID: [UInt8]] = [:]
            while let file = demoImage(pictures.count)?.pointee {
                let bytes = [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
                pictures[try ProductID(parsing: String(cString: file.name))] = bytes
            }
            return pictures
        }
    }

    private static func keep(in blobs: any BlobStore) throws -> [ProductID: Picture] {
        try pictures.mapValues {
            Picture(blob: try blobs.keep($0), head: try ProductImage.Head(of: $0), bytes: $0.count)
        }
    }
}

/// A sample app of the demo.
package struct DemoApp: Sendable {
    package let bundleID: String
    package let name: String
    /// The names of its groups of subscriptions, by id and in the order of ``languages``.
    var groups: [String: [String]] = [:]
    package let products: [DemoProduct]

    /// The languages of all texts.
    package static let languages = ["en-US", "ja", "tr", "zh-Hans", "de-DE", "fr-FR"]

    package func id(of product: DemoProduct) throws -> ProductID {
        try ProductID(parsing: "\(bundleID).\(product.name)")
    }
}

/// A product of the demo.
package struct DemoProduct: Sendable {
    /// What follows the bundle id and a period.
    package let name: String
    package let kind: ProductKind
    /// What is delivered: content, a function of the app, a service that is rendered once, or a subscription.
    package let category: ProductCategory
    let referenceName: String
    var period: BillingPeriod?
    var group: String?
    /// In its group, 1 for the highest service.
    var level: Int?
    /// Whether the first week is free for those who are new to the group.
    var hasFreeWeek = false
    /// In dollars; everywhere else what this comes to. Nil for what is free.
    var price: String?
    /// In the order of ``DemoApp/languages``: title and description.
    package let texts: [(String, String)]
    /// The text of the content that the store hosts; nil without any.
    var chapter: String?

    func draft(in app: DemoApp) throws -> ProductDraft {
        let translations = zip(DemoApp.languages, texts).map { language, text in
            (language, ProductText(title: text.0, description: text.1))
        }
        var draft = try ProductDraft(
            app.id(of: self), kind, referenceName: referenceName, period: period,
            groupID: group.map { try SubscriptionGroupID(parsing: $0) },
            texts: Dictionary(uniqueKeysWithValues: translations),
            basePrice: price.map { try Money(decimal: $0, currency: .usd) })
        draft.rest.level = level
        if hasFreeWeek {
            draft.rest.offers[.introductory] = [
                try SubscriptionOffer(id: "freeweek", kind: .introductory, paymentMode: .free, period: .oneWeek)
            ]
        }
        return draft
    }
}
