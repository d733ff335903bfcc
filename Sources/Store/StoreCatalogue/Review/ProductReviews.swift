package import StoreDatabase
package import StoreModel
package import StoreRules

/// Takes products through their ``ProductReview``, and keeps what happened to them.
package enum ProductReviews {
    /// One thing that happened to a product.
    package struct Entry: Hashable, Sendable {
        package let at: Instant
        package let actor: String
        package let event: String
        package let state: ProductState
        package let reason: RejectionReason?
        package let message: String?
    }

    /// What a developer says of a product when it is submitted.
    package struct Submission: Hashable, Sendable {
        package let category: ProductCategory
        package let delivers: String
        /// The version of the app that it is submitted with.
        package let version: String?
        package let note: String?

        package init(category: ProductCategory, delivers: String, version: String? = nil, note: String? = nil) {
            self.category = category
            self.delivers = delivers
            self.version = version
            self.note = note
        }
    }

    /// What a reviewer decides.
    // Closed: one or the other.
    package enum Decision: Hashable, Sendable {
        case approve
        case reject(RejectionReason, message: String)
    }

    package static let longestNote = 4000
    package static let longestDelivers = 1000

    // MARK: The developer

    /// Asks for a review, and for one of the version that it goes with, unless that is submitted already.
    package static func submit(
        _ product: CatalogueProduct, _ submission: Submission, _ change: CatalogueChange
    ) throws {
        try submission.category.check(for: product.kind)
        guard try HostedContent.isSettled(product.itemID, in: change.transaction) else {
            throw CatalogueError(
                .stateWrong, "content of \(product.productID) is being processed; submit it after that")
        }
        let parts = try ItemShelf.item(of: product.itemID, in: change.transaction).flatMap {
            try ItemFiles.missingParts(of: $0, in: .sandbox, change.transaction)
        }
        if let parts {
            throw CatalogueError(.stateWrong, "\(product.productID) lacks \(parts): none is complete")
        }
        let delivers = try CatalogueText.lines(submission.delivers, atMost: longestDelivers, field: "delivers")
        guard !delivers.isEmpty else { throw CatalogueError(.valueInvalid, "it is empty", field: "delivers") }
        let note = try submission.note.map { try CatalogueText.lines($0, atMost: longestNote, field: "note") }
        let version = try submission.version.map {
            try AppVersions.require($0, of: product.appID, in: change.transaction)
        }
        if let version { try requireOpen(version, for: product, in: change.transaction) }
        try Catalogue.change(product, "submitted", change) {
            try change.transaction.update(
                "product", ["category": submission.category.rawValue, "delivers": delivers, "review_note": note],
                where: ["item_id": product.itemID])
            try requireNothingMissing(of: product, with: submission.version, in: change.transaction)
            try advance(
                .submitted(
                    version: submission.version, needsVersion: isFirstOfKind(product, in: change.transaction),
                    completeness(of: product.itemID, in: change.transaction)), product.itemID, change)
        }
        // Nobody could decide about the product while its version is not submitted.
        if let version, version.review.state == .prepareForSubmission {
            _ = try AppVersions.advance(.submitted, version.version, of: product.appID, change)
        }
    }

    /// Takes a submission back.
    package static func withdraw(
        _ product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        try Catalogue.change(product, "submission withdrawn", change) {
            try advance(.withdrawn, product.itemID, change)
        }
    }

    // MARK: The reviewer

    /// Takes a product up for review.
    package static func begin(
        _ product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        let version = try product.review.version.flatMap {
            try AppVersions.find($0, of: product.appID, in: change.transaction)
        }
        try Catalogue.change(product, "taken into review", change) {
            try advance(
                .begun(isVersionSubmitted: version?.review.isSubmitted ?? true), product.itemID, change)
        }
    }

    /// Decides about a product that is in review.
    package static func decide(
        _ decision: Decision, about product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        switch decision {
        case .approve:
            let version = try product.review.version.flatMap {
                try AppVersions.find($0, of: product.appID, in: change.transaction)
            }
            try Catalogue.change(product, "approved", change) {
                try advance(
                    .approved(isBinaryApproved: version.map { $0.review.state == .approved } ?? true), product.itemID,
                    change)
            }
        case .reject(let reason, let message):
            let rejection = try AppVersion.Rejection(reason, message: message)
            try Catalogue.change(product, "rejected", change) {
                try advance(
                    .rejected, product.itemID, reason: rejection.reason, message: rejection.message, change)
            }
        }
    }

    /// Takes a product off the shelves, or puts it back.
    package static func setRemovedFromSale(
        because message: String?, _ product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        let message = try message.map { try CatalogueText.lines($0, atMost: longestNote, field: "message") }
        try Catalogue.change(
            product, message == nil ? "put back on sale" : "removed from sale", change
        ) {
            try advance(
                message == nil ? .putBack : .removedFromSale, product.itemID, message: message, change)
            if message == nil {
                try change.transaction.update("product", ["shelved_at": change.at], where: ["item_id": product.itemID])
            }
        }
    }

    /// What waits for a reviewer, or is in review, of a team or of all; the oldest submission first.
    package static func queue(
        of team: TeamID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [CatalogueProduct] {
        try transaction.query(
            """
            SELECT \(CatalogueProduct.columns) FROM product WHERE state IN ('waiting_for_review', 'in_review')
                AND ($1 = '' OR app_id IN (SELECT app.app_id FROM app WHERE app.team_id = $1)) AND removed_at IS NULL
            ORDER BY changed_at, product.item_id LIMIT $2
            """, team?.text ?? "", limit, row: CatalogueProduct.init)
    }

    /// How many products of a team, or of all, wait for a reviewer or are in review.
    package static func queueCount(of team: TeamID?, in transaction: any ReadTransaction) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM product JOIN app ON app.app_id = product.app_id
            WHERE product.state IN ('waiting_for_review', 'in_review') AND ($1 = '' OR app.team_id = $1)
                AND product.removed_at IS NULL
            """, team?.text ?? "", as: Int.self)
    }

    /// Everything that happened to a product, the oldest first.
    package static func history(of item: ItemID, in transaction: any ReadTransaction) throws -> [Entry] {
        try transaction.query(
            "SELECT at, actor, event, state, reason, message FROM product_review WHERE item_id = $1 ORDER BY number",
            item
        ) { row in
            var cells = row.cells
            return try Entry(
                at: cells.next(), actor: cells.next(), event: cells.next(), state: cells.next(),
                reason: cells.next(as: String?.self).map(RejectionReason.init), message: cells.next())
        }
    }
}

extension ProductReviews {
    /// What is left out of an event until it is known how complete the product is.
    // Closed: it stands for two events of the machine.
    enum Step {
        case edited
        case event(ProductReview.Event)

        static let approvedAtOnce = Step.event(.approvedAtOnce)
        static let withdrawn = Step.event(.withdrawn)
        static func begun(isVersionSubmitted: Bool) -> Step { .event(.begun(isVersionSubmitted: isVersionSubmitted)) }
        static let rejected = Step.event(.rejected)
        static let removedFromSale = Step.event(.removedFromSale)
        static let putBack = Step.event(.putBack)
        static let reverted = Step.event(.reverted)
        static func cleared(_ isCleared: Bool) -> Step { .event(.cleared(isCleared)) }
        static func approved(isBinaryApproved: Bool) -> Step { .event(.approved(isBinaryApproved: isBinaryApproved)) }
        static func submitted(version: String?, needsVersion: Bool, _ now: ProductReview.Completeness) -> Step {
            .event(.submitted(version: version, needsVersion: needsVersion, now))
        }
    }

    /// Takes a product one step on, and notes the step if it changed its state.
    static func advance(
        _ step: Step, _ item: ItemID, reason: RejectionReason? = nil, message: String? = nil, _ change: CatalogueChange
    ) throws {
        guard let product = try Catalogue.product(item, in: change.transaction) else {
            throw CatalogueError(.productUnknown, "there is no product \(item)")
        }
        let event: ProductReview.Event =
            switch step {
            case .edited: .edited(try completeness(of: item, in: change.transaction))
            case .event(let event): event
            }
        if event.isOfReview { try change.require(.review, in: .production) }
        var review = product.review
        let action: ProductReview.Action?
        do throws(ReviewError) {
            action = try review.handle(event)
        } catch {
            throw CatalogueError(.stateWrong, "\(product.productID): \(error)")
        }
        if let action { try carryOut(action, product, change) }
        guard review != product.review || reason != nil else { return }
        try change.transaction.update(
            "product",
            [
                "state": review.state, "is_live": review.isLive, "review_version": review.version,
                "held_state": review.held,
            ], where: ["item_id": item])
        if review.isLive, !product.review.isLive {
            try change.transaction.update("product", ["live_at": change.at], where: ["item_id": item])
        }
        try change.transaction.insertNumbered(
            into: "product_review",
            [
                "at": change.at, "actor": change.actor.text, "event": event.name, "state": review.state,
                "reason": reason?.rawValue, "message": message,
            ], within: ["item_id": item])
    }

    private static func carryOut(
        _ action: ProductReview.Action, _ product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        switch action {
        case .publish:
            try publishTexts(of: product.itemID, in: change.transaction)
            try ProductImages.publish(of: product.itemID, change)
            if let item = try ItemShelf.item(of: product.itemID, in: change.transaction) {
                try ItemDrafts.publish(item, change)
                try ItemFiles.publish(item, change)
            }
        case .reject: break
        }
        guard product.hostsContent else { return }
        try HostedContent.review(
            action == .publish ? .approved : .rejected, of: product.itemID, at: change.at, in: change.transaction)
    }

    /// Notes that a price was given or taken: it may have been what was missing. A price is not reviewed.
    static func complete(_ item: ItemID, _ change: CatalogueChange) throws {
        guard let product = try Catalogue.product(item, in: change.transaction),
            [.missingMetadata, .readyToSubmit].contains(product.review.stage)
        else { return }
        try advance(.edited, item, change)
    }

    /// Sets texts. Those of what production sells are kept apart until they are approved.
    ///
    /// - Parameter isApproved: whether the caller approves the product right after this.
    static func setTexts(
        _ texts: [String: ProductText], of product: CatalogueProduct, isApproved: Bool, _ change: CatalogueChange
    ) throws {
        guard !texts.isEmpty else { return try complete(product.itemID, change) }
        if product.review.isLive {
            for (language, text) in texts {
                try change.transaction.insertOrUpdate(
                    "product_text_change", ["title": text.title, "description": text.description],
                    key: ["item_id": product.itemID, "language": language])
            }
        } else {
            try Catalogue.write(texts, [:], of: product.itemID, change.transaction)
        }
        if isApproved { return }
        try advance(.edited, product.itemID, change)
    }

    private static func publishTexts(of item: ItemID, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO product_text (item_id, language, title, description)
            SELECT item_id, language, title, description FROM product_text_change WHERE item_id = $1
            ON CONFLICT (item_id, language) DO UPDATE SET title = excluded.title, description = excluded.description
            """, item)
        try transaction.execute("DELETE FROM product_text_change WHERE item_id = $1", item)
    }

    /// What a product has of all that it needs.
    static func completeness(
        of item: ItemID, in transaction: any ReadTransaction
    ) throws -> ProductReview.Completeness {
        let counts = try transaction.query(
            """
            SELECT (SELECT count(*) FROM product_text WHERE item_id = $1),
                (SELECT count(*) FROM product_price WHERE item_id = $1),
                CASE WHEN base_amount IS NULL THEN 0 ELSE 1 END, hosts_content
            FROM product WHERE item_id = $1
            """, item
        ) { row in
            var cells = row.cells
            return try (
                cells.next(as: Int.self), cells.next(as: Int.self), cells.next(as: Bool.self), cells.next(as: Bool.self)
            )
        }.first
        guard let (texts, prices, hasBase, hostsContent) = counts else {
            throw CatalogueError(.productUnknown, "there is no product \(item)")
        }
        var missing: [String] = []
        if texts == 0 { missing.append(ProductChecklist.text) }
        if let item = try ItemShelf.item(of: item, in: transaction) {
            // One that has no price is not sold by itself.
            missing += try ItemFiles.missing(of: item, in: transaction)
        } else if prices == 0 && !hasBase {
            missing.append(ProductChecklist.price)
        }
        return ProductReview.Completeness(
            missing: missing, content: hostsContent ? try HostedContent.completeness(of: item, in: transaction) : nil)
    }

    /// Whether no product of its kind was ever approved in its app. Items need no version to go with.
    static func isFirstOfKind(_ product: CatalogueProduct, in transaction: any ReadTransaction) throws -> Bool {
        if try ItemShelf.item(of: product.itemID, in: transaction) != nil { return false }
        return try transaction.value(
            "SELECT count(*) FROM product WHERE app_id = $1 AND kind = $2 AND is_live = 1", product.appID, product.kind,
            as: Int.self) == 0
    }
}
