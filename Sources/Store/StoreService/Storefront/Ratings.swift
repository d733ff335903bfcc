import StoreCatalogue
import StoreDatabase
package import StoreModel

/// Ratings and reviews of items: what customers do with them.
///
/// Whoever has an item says once what it is like, and may change or remove that. Anybody who is signed in reports what others wrote.
package struct Ratings: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    // MARK: Reading

    /// What the page of an item shows of what customers say.
    package struct Listing: Hashable, Sendable {
        package let score: ItemScore
        /// The newest first.
        package let reviews: [CustomerReview]
        /// How many texts there are on all pages.
        package let count: Int
        /// What the customer says who looks at it.
        package let own: CustomerReview?
    }

    /// What customers say of an item.
    ///
    /// - Parameters:
    ///   - version: the current one of an app.
    ///   - scope: who looks at it; nil for nobody who is signed in.
    ///   - id: the last review of the page before.
    package func list(
        of storeID: Int64, version: String? = nil, for scope: WebScope? = nil, before id: ReviewID? = nil,
        limit: Int = ReviewLimits.page
    ) async throws -> Listing {
        try await store.database.read { transaction in
            let scores = try CustomerReviews.scores(
                of: [storeID], versions: version.map { [storeID: $0] } ?? [:], in: transaction)
            return try Listing(
                score: scores[storeID] ?? ItemScore(),
                reviews: CustomerReviews.shown(
                    of: storeID, before: id, limit: min(limit, ReviewLimits.page), in: transaction),
                count: CustomerReviews.shownCount(of: storeID, in: transaction),
                own: scope.flatMap { try CustomerReviews.standing(of: storeID, by: $0, in: transaction) })
        }
    }

    /// How customers rate these items; those that nobody rated are left out.
    ///
    /// - Parameter versions: the current versions of apps among them.
    package func scores(
        of ids: some Sequence<Int64> & Sendable, versions: [Int64: String] = [:]
    ) async throws -> [Int64: ItemScore] {
        try await store.database.read { try CustomerReviews.scores(of: ids, versions: versions, in: $0) }
    }

    /// What a customer says of an item.
    package func own(of storeID: Int64, by scope: WebScope) async throws -> CustomerReview? {
        try await store.database.lookUp { try CustomerReviews.standing(of: storeID, by: scope, in: $0) }
    }

    // MARK: What customers do

    /// Gives an item stars, with a text or without one; what the customer said before is changed.
    ///
    /// - Parameter text: nil leaves a text that is there as it is.
    @discardableResult
    package func write(
        _ text: CustomerReview.Text?, stars: Int, of storeID: Int64, as scope: WebScope, request: String?
    ) async throws -> CustomerReview {
        guard ReviewLimits.stars.contains(stars) else {
            throw ServiceError(.valueInvalid, "an item has one to five stars", parameter: "stars")
        }
        guard try await Library(store).has([storeID], scope).contains(storeID) else {
            throw ServiceError(.itemNotOwned, "only those rate an item who have it", parameter: "storeId")
        }
        let version = try await version(of: storeID)
        let id = try ReviewID(number: await store.numbers.next(.customerReviews))
        let cause = store.cause(.customer, request: request)
        return try await store.database.write { transaction in
            let change = try cause.change(of: scope.customer, in: transaction)
            // Of two that are sent at once the second changes the first.
            try Customers.claim(scope.customer, in: transaction)
            let former = try CustomerReviews.own(of: storeID, by: scope, in: transaction)
            try CustomerReviews.requireRoom(for: .writes, of: scope.customer, at: change.wall, in: transaction)
            let review =
                former?.changed(stars: stars, text: text ?? former?.text, version: version, at: change.wall)
                ?? CustomerReview(
                    id, of: storeID, by: scope, stars: stars, text: text, version: version, at: change.wall)
            try CustomerReviews.keep(
                review, instead: former, as: former == nil ? "written" : "changed", by: scope.customer, change)
            return review
        }
    }

    /// The version that customers of the environment get of an app; empty for everything else.
    private func version(of storeID: Int64) async throws -> String {
        let environment = store.environment
        return try await store.catalogue.read { transaction in
            try Library.packages(of: storeID, in: environment, transaction).first?.version ?? ""
        }
    }

    /// Removes what a customer said of an item. A repetition changes nothing. What was taken off a page, or is reported, is not
    /// forgotten with it.
    package func remove(of storeID: Int64, as scope: WebScope, request: String?) async throws {
        let cause = store.cause(.customer, request: request)
        try await store.database.write { transaction in
            guard let review = try CustomerReviews.standing(of: storeID, by: scope, in: transaction) else { return }
            let change = try cause.change(of: scope.customer, in: transaction)
            guard !review.isDoubted else {
                return try CustomerReviews.keep(
                    review.withdrawn(at: change.wall), instead: review, as: "removed", by: scope.customer, change)
            }
            var removed = review
            removed.historyCount += 1
            try CustomerReviews.record("removed", of: removed, detail: nil, by: scope.customer, change)
            try CustomerReviews.remove(review, in: transaction)
        }
    }

    /// Says that a text should not be there. Once for each customer and text.
    package func report(
        _ id: ReviewID, because reason: CustomerReview.Reason, as scope: WebScope, request: String?
    ) async throws {
        guard reason.isKnown else {
            let known = CustomerReview.Reason.all.map(\.rawValue).joined(separator: ", ")
            throw ServiceError(.valueInvalid, "the reason is one of \(known)", parameter: "reason")
        }
        let cause = store.cause(.customer, request: request)
        try await store.database.write { transaction in
            let review = try CustomerReviews.require(id, in: transaction)
            guard review.text != nil, review.state == .shown else {
                throw ServiceError(.reviewUnknown, "there is no review \(id)", parameter: "reviewId")
            }
            let change = try cause.change(of: scope.customer, in: transaction)
            try Customers.claim(scope.customer, in: transaction)
            try CustomerReviews.requireRoom(for: .reports, of: scope.customer, at: change.wall, in: transaction)
            let isNew = try transaction.insertIfNew(
                into: "customer_review_report",
                [
                    "review_id": id, "customer_id": scope.customer, "reason": reason, "at": change.wall,
                    "is_decided": false,
                ])
            guard isNew else { return }
            try CustomerReviews.keep(
                review.reported(), instead: review, as: "reported", detail: reason.rawValue, by: scope.customer, change)
        }
    }
}
