import StoreCatalogue
package import StoreDatabase
package import StoreModel

/// What customers say of items, in one transaction each.
package enum CustomerReviews {
    package static func find(_ id: ReviewID, in transaction: any ReadTransaction) throws -> CustomerReview? {
        try transaction.optional(
            "SELECT \(CustomerReview.table.columns) FROM customer_review WHERE id = $1", id, row: CustomerReview.init)
    }

    package static func require(_ id: ReviewID, in transaction: any ReadTransaction) throws -> CustomerReview {
        guard let found = try find(id, in: transaction), found.state != .withdrawn else {
            throw ServiceError(.reviewUnknown, "there is no review \(id)", parameter: "reviewId")
        }
        return found
    }

    /// What a customer says of an item, unless it was taken back.
    static func standing(
        of storeID: Int64, by scope: WebScope, in transaction: any ReadTransaction
    ) throws -> CustomerReview? {
        try own(of: storeID, by: scope, in: transaction).flatMap { $0.state == .withdrawn ? nil : $0 }
    }

    /// What is kept of what a customer says of an item.
    package static func own(
        of storeID: Int64, by scope: WebScope, in transaction: any ReadTransaction
    ) throws -> CustomerReview? {
        try transaction.optional(
            "SELECT \(CustomerReview.table.columns) FROM customer_review WHERE customer_id = $1 AND store_id = $2",
            scope.customer, storeID, row: CustomerReview.init)
    }

    /// The texts about an item that its page shows, the newest first; at most `limit`.
    ///
    /// - Parameter id: the last one of the page before.
    package static func shown(
        of storeID: Int64, before id: ReviewID? = nil, limit: Int, in transaction: any ReadTransaction
    ) throws -> [CustomerReview] {
        try transaction.query(
            """
            SELECT \(CustomerReview.table.columns) FROM customer_review
            WHERE store_id = $1 AND body IS NOT NULL AND state = 'shown' AND id < $2
            ORDER BY id DESC LIMIT $3
            """, storeID, id?.number ?? Int64.max, limit, row: CustomerReview.init)
    }

    /// How many texts about an item its page shows.
    package static func shownCount(of storeID: Int64, in transaction: any ReadTransaction) throws -> Int {
        try transaction.value(
            "SELECT count(*) FROM customer_review WHERE store_id = $1 AND body IS NOT NULL AND state = 'shown'", storeID
        )
    }

    /// Those that somebody has to decide about, the oldest first, after one.
    static func waiting(
        after id: ReviewID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [CustomerReview] {
        try transaction.query(
            """
            SELECT \(CustomerReview.table.columns) FROM customer_review
            WHERE (open_reports > 0 OR state = 'held') AND id > $1 ORDER BY id LIMIT $2
            """, id?.number ?? 0, limit, row: CustomerReview.init)
    }

    /// How many somebody has to decide about.
    package static func waitingCount(in transaction: any ReadTransaction) throws -> Int {
        try transaction.value("SELECT count(*) FROM customer_review WHERE open_reports > 0 OR state = 'held'")
    }

    /// How customers rate these items; those that nobody rated are left out.
    ///
    /// - Parameter versions: the current versions of apps among them.
    package static func scores(
        of ids: some Sequence<Int64>, versions: [Int64: String] = [:], in transaction: any ReadTransaction
    ) throws -> [Int64: ItemScore] {
        let rows = try transaction.query(
            "SELECT store_id, version, stars, ratings FROM item_score WHERE store_id IN \(.numbers) AND ratings > 0",
            of: ids
        ) { row in
            var cells = row.cells
            return try (
                item: cells.next(as: Int64.self), version: cells.next(as: String.self), stars: cells.next(as: Int.self),
                ratings: cells.next(as: Int.self)
            )
        }
        return rows.reduce(into: [:]) { scores, row in
            scores[row.item, default: ItemScore()].add(
                row.ratings, stars: row.stars, isCurrent: row.version == versions[row.item] ?? "")
        }
    }

    // MARK: Changes

    /// Writes a new review, or a changed one, with its line of history and what the score of the item comes to.
    static func keep(
        _ review: CustomerReview, instead former: CustomerReview?, as event: String, detail: String? = nil,
        by customer: CustomerID? = nil, _ change: Change
    ) throws {
        let transaction = change.transaction
        if let former {
            try transaction.update(review, from: former, in: CustomerReview.table)
            if former.counts { try score(former, -1, in: transaction) }
        } else {
            try transaction.insert(review, into: CustomerReview.table)
        }
        if review.counts { try score(review, 1, in: transaction) }
        try record(event, of: review, detail: detail, by: customer, change)
    }

    /// Writes a line about what happened to a review. Pages live by the wall clock.
    static func record(
        _ event: String, of review: CustomerReview, detail: String?, by customer: CustomerID?, _ change: Change
    ) throws {
        try History.customerReviews.append(
            event, to: review.id, number: review.historyCount, detail: detail,
            ["state": review.state, "customer_id": customer], at: change.wall, by: change.actor, change.cause.request,
            in: change.transaction)
    }

    private static func score(_ review: CustomerReview, _ difference: Int, in transaction: any WriteTransaction) throws
    {
        _ = try transaction.insertIfNew(
            into: "item_score",
            ["store_id": review.storeID, "version": review.version, "stars": review.stars, "ratings": 0])
        try transaction.execute(
            "UPDATE item_score SET ratings = ratings + $4 WHERE store_id = $1 AND version = $2 AND stars = $3",
            review.storeID, review.version, review.stars, difference)
    }

    /// Removes a review. Its history stays, without its text.
    static func remove(_ review: CustomerReview, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM customer_review WHERE id = $1", review.id)
        try transaction.execute("DELETE FROM customer_review_report WHERE review_id = $1", review.id)
        if review.counts { try score(review, -1, in: transaction) }
    }

    /// Removes everything that a customer wrote and fetched, whose account is deleted.
    static func forget(of customer: CustomerID, in transaction: any WriteTransaction) throws {
        let written = try transaction.query(
            "SELECT \(CustomerReview.table.columns) FROM customer_review WHERE customer_id = $1", customer,
            row: CustomerReview.init)
        for review in written { try remove(review, in: transaction) }
        try transaction.execute("DELETE FROM customer_review_report WHERE customer_id = $1", customer)
        try transaction.execute("DELETE FROM item_download WHERE customer_id = $1", customer)
    }

    /// Refuses what a customer did too often in a day.
    static func requireRoom(
        for events: Activity, of customer: CustomerID, at now: Instant, in transaction: any ReadTransaction
    ) throws {
        let count = try transaction.value(
            "SELECT count(*) FROM customer_review_history WHERE customer_id = $1 AND at > $2 AND \(events.condition)",
            customer, now - ReviewLimits.day, as: Int.self)
        guard count < events.limit else {
            throw ServiceError(
                .tooMany, "a customer \(events == .reports ? "reports" : "writes") \(events.limit) reviews a day",
                parameter: "review", retryAfter: .seconds(60 * 60))
        }
    }

    /// What is counted of a customer.
    enum Activity {
        case writes
        case reports

        var condition: SQL { self == .reports ? "event = 'reported'" : "event <> 'reported'" }
        var limit: Int { self == .writes ? ReviewLimits.writesPerDay : ReviewLimits.reportsPerDay }
    }
}
