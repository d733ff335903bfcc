import StoreDatabase
package import StoreModel
import StoreRules

/// A product in review, and everything that happened to it.
package struct ReviewedProduct: Hashable, Sendable {
    package let bundle: BundleID
    package let product: CatalogueProduct
    package let history: [ProductReviews.Entry]
}

extension CatalogueEditing {
    package func review(of path: ProductPath) async throws -> ReviewedProduct {
        try await read(for: .review) { try reviewed(path, in: $0) }
    }

    /// Asks for a review of a product: what it is and what customers get for it.
    package func submit(_ path: ProductPath, _ submission: ProductReviews.Submission) async throws -> ReviewedProduct {
        try await review(path) { try ProductReviews.submit($0, submission, $1) }
    }

    /// Takes a submission back.
    package func withdrawSubmission(of path: ProductPath) async throws -> ReviewedProduct {
        try await review(path) { try ProductReviews.withdraw($0, $1) }
    }

    /// Takes a product up for review.
    package func beginReview(of path: ProductPath) async throws -> ReviewedProduct {
        try await review(path, for: .review) { try ProductReviews.begin($0, $1) }
    }

    /// Approves or rejects a product that is in review.
    package func decide(_ decision: ProductReviews.Decision, about path: ProductPath) async throws -> ReviewedProduct {
        try await review(path, for: .review) { try ProductReviews.decide(decision, about: $0, $1) }
    }

    /// Takes an approved product off the shelves for the store; nil puts it back.
    package func setRemovedFromSale(because message: String?, _ path: ProductPath) async throws -> ReviewedProduct {
        try await review(path, for: .review) { try ProductReviews.setRemovedFromSale(because: message, $0, $1) }
    }

    private func review(
        _ path: ProductPath, for work: OperatorWork = .catalogue,
        _ body: @escaping @Sendable (CatalogueProduct, CatalogueChange) throws -> Void
    ) async throws -> ReviewedProduct {
        try await write(for: work) { change in
            try body(product(path, in: change.transaction), change)
            return try reviewed(path, in: change.transaction)
        }
    }

    private func reviewed(_ path: ProductPath, in transaction: any ReadTransaction) throws -> ReviewedProduct {
        let product = try shown(path, in: transaction)
        return ReviewedProduct(
            bundle: path.app, product: product, history: try ProductReviews.history(of: product.itemID, in: transaction)
        )
    }
}

// MARK: Why

extension CatalogueEditing {
    /// Why a product is sold to customers of an environment, or not.
    package struct Explanation: Hashable, Sendable {
        package let team: TeamID
        /// Nil if it is sold.
        package let invalid: InvalidProduct?
    }

    /// - Parameters:
    ///   - revision: the capabilities that the profile of a device has; nil where no device is asked about.
    package func explain(
        _ id: String, of bundle: BundleID, in environment: StoreEnvironment, storefront: StorefrontRecord,
        profile revision: Int?, delay: Duration
    ) async throws -> Explanation {
        let moment = CatalogueMoment(commerce: commerce(), wall: now(), delay: delay)
        return try await read { transaction in
            let app = try app(bundle, in: transaction)
            let profile = revision.flatMap { ProductObstacle.profile($0, capabilities: app.capabilitiesRevision) }
            if let obstacle = try profile ?? Catalogue.obstacle(of: app, at: moment.wall, in: transaction) {
                return Explanation(
                    team: app.teamID, invalid: InvalidProduct(id: id, obstacle: obstacle, nearest: nil))
            }
            let found = try Catalogue.listings(
                for: [id], app: app, environment: environment, storefront: storefront, languages: ["en-US"],
                at: moment, isForPeople: true, in: transaction)
            return Explanation(team: app.teamID, invalid: found.invalid.first)
        }
    }
}
