import StoreCatalogue
package import StoreHTTP
package import StoreModel

/// A product with what waits to go live.
package struct DraftAnswer: Codable, Hashable, Sendable {
    /// A field that is other than production has it.
    package struct Change: Codable, Hashable, Sendable {
        /// Such as `price`, `prices.USA`, `offers.welcome`, `texts.en-US`.
        package let field: String
        /// What production has; missing if it has nothing.
        package let before: String?
        /// What the sandbox has; missing if it has nothing.
        package let after: String?
        /// Whether it takes something from customers.
        package let takes: Bool
    }

    package let bundleId: BundleID
    package let productId: ProductID
    /// In the language of the app.
    package let title: String
    /// What goes live when it is published.
    package let changes: [Change]
    /// What goes live when it is approved.
    package let inReview: [Change]
    /// Who changed it last; missing where nothing waits for a publication.
    package let author: String?

    init(_ product: CatalogueDrafts.ProductChanges) {
        bundleId = product.app
        productId = product.product.productID
        title = product.title
        changes = product.differences.map {
            Change(field: $0.field.text, before: $0.before?.text, after: $0.after?.text, takes: $0.takes)
        }
        inReview = product.reviewed.map {
            Change(field: $0.kind.field, before: $0.before, after: $0.after, takes: false)
        }
        author = product.author
    }
}

/// Drafts, a page of them.
package struct DraftsAnswer: Codable, Hashable, Sendable {
    package let items: [DraftAnswer]
    /// How many products there are with something that waits for its publication.
    package let count: Int
    /// What to ask for as `after` to get the next page; missing on the last.
    package let next: String?
    /// What a publication names to be refused if anything of it was changed meanwhile.
    package let seen: Int64

    init(_ page: DraftPage) {
        items = page.products.map(DraftAnswer.init)
        (count, next, seen) = (page.count, page.next?.text, page.seen)
    }

    /// Several pages as one.
    package init(_ items: [DraftAnswer], count: Int, seen: Int64) {
        self.items = items
        (self.count, next, self.seen) = (count, nil, seen)
    }
}

/// Which drafts are to be published or discarded.
package struct DraftsRequest: Codable, Hashable, Sendable {
    /// All apps without it.
    package let bundleId: BundleID?
    /// All products of the app without them.
    package let products: [ProductID]?
    /// From the answer with the drafts that were looked at.
    package let seen: Int64?

    package init(bundleId: BundleID? = nil, products: [ProductID]? = nil, seen: Int64? = nil) {
        self.bundleId = bundleId
        self.products = products
        self.seen = seen
    }

    var choice: CatalogueDrafts.Choice {
        get throws {
            guard (products?.count ?? 0) <= CatalogueDrafts.most else {
                throw CatalogueError(
                    .limitReached, "one publication has at most \(CatalogueDrafts.most) products", field: "products")
            }
            return CatalogueDrafts.Choice(app: bundleId, products: products ?? [], seen: seen)
        }
    }
}

/// What a publication did, or would do.
package struct PublicationAnswer: Codable, Hashable, Sendable {
    /// The moment from which production sells by it.
    package let at: Instant
    /// Whether nothing was changed, since it was only asked what would be.
    package let isTrial: Bool
    package let changes: Int
    package let products: [DraftAnswer]

    init(_ publication: CatalogueDrafts.Publication, isTrial: Bool) {
        at = publication.at
        self.isTrial = isTrial
        changes = publication.count
        products = publication.products.map(DraftAnswer.init)
    }
}

/// How many products sell again as they were published.
package struct DiscardAnswer: Codable, Hashable, Sendable {
    package let products: Int
}

extension DraftsRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["seen": .integer("From the answer with the drafts that were looked at.", minimum: 0)]
    }
}
