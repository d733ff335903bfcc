import StoreDatabase
package import StoreModel
import StoreRules

/// A page of drafts.
package struct DraftPage: Hashable, Sendable {
    package let products: [CatalogueDrafts.ProductChanges]
    /// How many products there are with something to be published, beside this page too.
    package let count: Int
    /// After which product the next page begins; nil on the last.
    package let next: ProductPath?
    /// The number of the newest change; what is published says what was looked at.
    package let seen: Int64
}

extension ProductPath {
    /// An app and a product as one text, `com.example.app/com.example.app.pro`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, let app = BundleID(parts[0]), let product = ProductID(parts[1]) else { return nil }
        self.init(app, product)
    }

    package var text: String { "\(app)/\(product)" }
}

extension CatalogueEditing {
    /// What waits for its publication or for its approval, after one product.
    package func drafts(
        of app: BundleID? = nil, after last: ProductPath? = nil, limit: Int = CatalogueDrafts.page
    ) async throws -> DraftPage {
        try await read { transaction in
            if let app { _ = try self.app(app, in: transaction) }
            return try CatalogueDrafts.list(
                of: actor.team, app: app, after: last, limit: min(limit, CatalogueDrafts.page), in: transaction)
        }
    }

    /// What waits of one product; nil if nothing does.
    package func draft(of path: ProductPath) async throws -> CatalogueDrafts.ProductChanges? {
        try await read { transaction in
            let app = try app(path.app, in: transaction)
            guard try Catalogue.product(path.product, of: app.id, in: transaction) != nil else {
                throw CatalogueError(.productUnknown, "the app has no product of this id", field: "productId")
            }
            let found = try CatalogueDrafts.lines(
                of: actor.team, app: app.bundleID, isWhole: true, limit: CatalogueDrafts.most, in: transaction
            ).filter { $0.product.productID == path.product }
            return try CatalogueDrafts.changes(of: found, in: transaction).first
        }
    }

    /// Lets production sell by drafts, all from one moment on.
    ///
    /// - Parameter isTrial: whether only to tell what it would do.
    package func publish(
        _ choice: CatalogueDrafts.Choice, isTrial: Bool = false
    ) async throws -> CatalogueDrafts.Publication {
        try actor.require(.catalogue, in: .production)
        guard !isTrial else {
            let at = now()
            return try await read { transaction in
                let lines = try lines(of: choice, in: transaction)
                var products: [CatalogueDrafts.ProductChanges] = []
                for start in stride(from: 0, to: lines.count, by: CatalogueDrafts.page) {
                    let end = min(start + CatalogueDrafts.page, lines.count)
                    products += try CatalogueDrafts.changes(of: Array(lines[start..<end]), in: transaction)
                }
                return CatalogueDrafts.Publication(at: at, products: products)
            }
        }
        return try await write { change in
            try CatalogueDrafts.publish(lines(of: choice, in: change.transaction), seen: choice.seen, change)
        }
    }

    /// Takes drafts back; returns how many products sell as they did.
    package func discard(_ choice: CatalogueDrafts.Choice) async throws -> Int {
        try await drafting { change in
            let lines = try lines(of: choice, in: change.transaction)
            for line in lines { try CatalogueDrafts.discard(nil, of: line, change) }
            return lines.count
        }
    }

    /// Takes one field of a draft back: `prices.USA`, `offers.welcome`, and of what waits for its approval `texts.de-DE`
    /// or `image`.
    package func discard(_ field: String, of path: ProductPath) async throws {
        try await drafting { change in
            let found = try lines(
                of: CatalogueDrafts.Choice(app: path.app, products: [path.product]), isWhole: true,
                in: change.transaction)
            guard let line = found.first else { throw CatalogueDrafts.noDraft(of: path.product) }
            if let reviewed = ReviewedDifference.Kind(field) {
                return try CatalogueDrafts.discard(reviewed, of: line, change)
            }
            guard let field = DraftField(field) else {
                throw CatalogueError(
                    .valueInvalid, "it is a field of a draft, such as price or prices.USA", field: "field")
            }
            try CatalogueDrafts.discard(field, of: line, change)
        }
    }

    /// Changes drafts themselves, which is never published with that.
    private func drafting<Result: Sendable>(
        _ body: @escaping @Sendable (CatalogueChange) throws -> Result
    ) async throws -> Result {
        try await publishing(false).write(body)
    }

    /// The drafts that are meant; throws if one of the products that are named has none.
    private func lines(
        of choice: CatalogueDrafts.Choice, isWhole: Bool = false, in transaction: any ReadTransaction
    ) throws -> [CatalogueDrafts.Line] {
        guard choice.app != nil || choice.products.isEmpty else {
            throw CatalogueError(.valueMissing, "products are those of an app", field: "bundleId")
        }
        let app = try choice.app.map { try self.app($0, in: transaction) }
        let lines = try CatalogueDrafts.lines(
            of: actor.team, app: app?.bundleID, isWhole: isWhole, limit: CatalogueDrafts.most + 1, in: transaction)
        guard !choice.products.isEmpty, let app else { return lines }
        let wanted = Set(choice.products)
        let found = lines.filter { wanted.contains($0.product.productID) }
        for product in wanted.subtracting(found.map(\.product.productID)).sorted(by: { $0.text < $1.text }) {
            guard try Catalogue.product(product, of: app.id, in: transaction) != nil else {
                throw CatalogueError(.productUnknown, "the app has no product \(product)", field: "productId")
            }
            throw CatalogueDrafts.noDraft(of: product)
        }
        return found
    }
}
