package import StoreCatalogue
import StoreDatabase
package import StoreModel

/// What those do with reviews who sell the item, and who look after the store.
extension Ratings {
    /// Answers a review for the team of its item, or takes the answer back. It stands inside the review.
    ///
    /// - Parameter text: nil takes the answer back.
    @discardableResult
    package func answer(_ id: ReviewID, with text: String?, _ cause: ChangeCause) async throws -> CustomerReview {
        try cause.require(.catalogue)
        let text = try text.map { try CatalogueText.lines($0, atMost: ReviewLimits.answer, field: "answer") }
        guard text?.isEmpty != true else {
            throw ServiceError(.valueMissing, "the answer is empty", parameter: "answer")
        }
        _ = try await review(id, for: cause.actor)
        let work = cause.working(on: .catalogue)
        return try await store.database.write { transaction in
            let review = try CustomerReviews.require(id, in: transaction)
            guard review.text != nil else {
                throw ServiceError(.stateWrong, "this is a rating without a text", parameter: "reviewId")
            }
            let change = try work.change(of: nil, in: transaction)
            let answer = text.map { CustomerReview.Answer($0, at: change.wall, by: change.actor.text) }
            guard answer?.text != review.answer?.text else { return review }
            let answered = review.answered(answer)
            try CustomerReviews.keep(
                answered, instead: review, as: answer == nil ? "answer removed" : "answered", change)
            return answered
        }
    }

    /// A review for those who look after the store, or after the team of its item.
    package func review(_ id: ReviewID, for actor: Actor) async throws -> CustomerReview {
        try actor.require(.review, change: false, in: .environment(store.environment))
        let review = try await store.database.lookUp { try CustomerReviews.require(id, in: $0) }
        try await requireTeam(actor, of: review.storeID)
        return review
    }

    private func requireTeam(_ actor: Actor, of storeID: Int64) async throws {
        guard let team = actor.team else { return }
        let item = try await store.catalogue.lookUp { try ItemShelf.item(storeID, in: $0) }
        guard item?.teamID == team else {
            throw ServiceError(.reviewUnknown, "there is no such review of an item of the team", parameter: "reviewId")
        }
    }

    /// What customers wrote of an item, for its team and for those who look after the store: also what is not shown.
    package func written(
        of storeID: Int64, before id: ReviewID?, limit: Int, for actor: Actor
    ) async throws -> [CustomerReview] {
        try actor.require(.review, change: false, in: .environment(store.environment))
        try await requireTeam(actor, of: storeID)
        return try await store.database.read {
            try CustomerReviews.written(of: storeID, before: id, limit: limit, in: $0)
        }
    }

    // MARK: The queue

    /// A review that somebody has to decide about.
    package struct Waiting: Hashable, Sendable {
        package let review: CustomerReview
        package let item: CatalogueItem?
        /// Why it was reported, and how often for each reason, since somebody last decided.
        package let reasons: [CustomerReview.Reason: Int]
    }

    /// The reviews that were reported, and those that were changed after they were taken off a page, the oldest first.
    package func queue(after id: ReviewID? = nil, limit: Int, for actor: Actor) async throws -> [Waiting] {
        try requireModerator(actor, change: false)
        let (reviews, reasons) = try await store.database.read { transaction in
            let reviews = try CustomerReviews.waiting(after: id, limit: limit, in: transaction)
            return (reviews, try CustomerReviews.reasons(of: reviews.map(\.id), in: transaction))
        }
        let items = try await store.catalogue.lookUp { try ItemShelf.items(reviews.map(\.storeID), in: $0) }
        return reviews.map { review in
            Waiting(review: review, item: items[review.storeID], reasons: reasons[review.id] ?? [:])
        }
    }

    /// How many somebody has to decide about.
    package func waitingCount() async throws -> Int {
        try await store.database.lookUp { try CustomerReviews.waitingCount(in: $0) }
    }

    private func requireModerator(_ actor: Actor, change isChange: Bool) throws {
        try actor.require(.review, change: isChange, in: .environment(store.environment))
        guard actor.team == nil else {
            throw ServiceError(.notAllowed, "what customers wrote is judged by the store, not by a team")
        }
    }

    /// Keeps a review on its page, or takes it off; its stars count no more then. Its reports are decided with it.
    ///
    /// - Parameter reason: why, for the history; whoever takes something off says it.
    @discardableResult
    package func decide(
        _ id: ReviewID, _ decision: CustomerReview.Decision, because reason: String?, _ cause: ChangeCause
    ) async throws -> CustomerReview {
        try requireModerator(cause.actor, change: true)
        let reason = try reason.map { try CatalogueText.lines($0, atMost: ReviewLimits.title, field: "reason") }
        guard decision == .keep || reason?.isEmpty == false else {
            throw ServiceError(.valueMissing, "say why it is taken off", parameter: "reason")
        }
        let work = cause.working(on: .review)
        return try await store.database.write { transaction in
            let review = try CustomerReviews.require(id, in: transaction)
            let decided = review.decided(decision)
            guard decided.state != review.state || review.openReports > 0 else { return review }
            let change = try work.change(of: nil, in: transaction)
            try CustomerReviews.keep(
                decided, instead: review, as: decision == .keep ? "kept" : "hidden", detail: reason, change)
            try transaction.execute("UPDATE customer_review_report SET is_decided = 1 WHERE review_id = $1", id)
            return decided
        }
    }
}

extension CustomerReviews {
    /// Why reviews were reported since somebody last decided about them.
    static func reasons(
        of ids: [ReviewID], in transaction: any ReadTransaction
    ) throws -> [ReviewID: [CustomerReview.Reason: Int]] {
        let rows = try transaction.query(
            """
            SELECT review_id, reason, count(*) FROM customer_review_report
            WHERE review_id IN \(.numbers) AND is_decided = 0 GROUP BY review_id, reason
            """, of: ids
        ) { row in
            var cells = row.cells
            return try (
                id: cells.next(as: ReviewID.self), reason: cells.next(as: CustomerReview.Reason.self),
                count: cells.next(as: Int.self)
            )
        }
        return rows.reduce(into: [:]) { $0[$1.id, default: [:]][$1.reason] = $1.count }
    }

    /// The texts about an item, also those that its page does not show, the newest first.
    static func written(
        of storeID: Int64, before id: ReviewID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [CustomerReview] {
        try transaction.query(
            """
            SELECT \(CustomerReview.table.columns) FROM customer_review
            WHERE store_id = $1 AND body IS NOT NULL AND id < $2 ORDER BY id DESC LIMIT $3
            """, storeID, id?.number ?? Int64.max, limit, row: CustomerReview.init)
    }
}
