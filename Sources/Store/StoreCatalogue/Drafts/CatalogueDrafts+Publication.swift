import StoreDatabase
import StoreModel
import StoreRules

extension CatalogueDrafts {
    /// Publishes drafts: production sells by all of them from this moment on, or by none.
    ///
    /// Throws ``CatalogueError`` if a product that is named has no draft, or if one of them was changed after it was looked at.
    static func publish(_ lines: [Line], seen: Int64?, _ change: CatalogueChange) throws -> Publication {
        let transaction = change.transaction
        try change.require(.catalogue, in: .production)
        guard lines.count <= most else {
            throw CatalogueError(
                .limitReached, "one publication has at most \(most) products; publish app by app", field: "products")
        }
        if let seen, let newer = lines.first(where: { $0.revision > seen }) {
            throw CatalogueError(
                .stateWrong,
                "\(newer.product.productID) of \(newer.bundle) was changed after these drafts were looked at; look again",
                field: "seen")
        }
        var changes: [ProductChanges] = []
        for start in stride(from: 0, to: lines.count, by: page) {
            changes += try Self.changes(of: Array(lines[start..<min(start + page, lines.count)]), in: transaction)
        }
        for product in changes { try bringLive(product, change) }
        try note(Array(zip(lines, changes)), change)
        for product in changes { try SearchIndex.follow(.product(product.product.itemID), transaction) }
        return Publication(at: change.at, products: changes)
    }

    private static func bringLive(_ changes: ProductChanges, _ change: CatalogueChange) throws {
        let item = changes.product.itemID
        try Drafting.end(item, change.transaction)
        var row: RowValues = ["changed_at": change.at]
        for difference in changes.differences {
            switch difference.field.kind {
            case .removal: row = row + ["removed_at": change.at]
            // What comes to customers takes its time, as an approval does.
            case .isClearedForSale where !difference.takes: row = row + ["live_at": change.at]
            default: break
            }
        }
        try change.transaction.update("product", row, where: ["item_id": item])
    }

    /// Writes one line of the audit for each team whose products these are.
    private static func note(_ published: [(line: Line, changes: ProductChanges)], _ change: CatalogueChange) throws {
        for (team, ofTeam) in Dictionary(grouping: published, by: \.line.team).sorted(by: { $0.key.text < $1.key.text })
        {
            let subject: CatalogueAudit.Subject
            if let only = ofTeam.first, ofTeam.count == 1 {
                subject = .product(only.line.product.itemID)
            } else if let first = ofTeam.first, ofTeam.allSatisfy({ $0.line.bundle == first.line.bundle }) {
                subject = .app(first.line.product.appID)
            } else {
                subject = .team(team)
            }
            let count = ofTeam.reduce(0) { $0 + $1.changes.differences.count }
            try CatalogueAudit.append(
                subject, "published \(words(count, "change")) of \(words(ofTeam.count, "product"))",
                before: try text(of: ofTeam.map(\.changes)) { $0.before },
                after: try text(of: ofTeam.map(\.changes)) { $0.after },
                change)
        }
    }

    private static func words(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

    private static func text(
        of products: [ProductChanges], _ value: (DraftDifference) -> DraftValue?
    ) throws -> String {
        let values = products.map { product in
            let fields = product.differences.compactMap { difference in
                value(difference).map { (difference.field.text, $0.text) }
            }
            return ("\(product.app) \(product.product.productID)", Dictionary(uniqueKeysWithValues: fields))
        }
        return try CatalogueSnapshot.text(Dictionary(uniqueKeysWithValues: values))
    }

    // MARK: Discarding

    /// Takes drafts back: the sandbox sells what production does.
    ///
    /// - Parameter field: the only one that is taken back; nil for all.
    static func discard(
        _ field: DraftField?, of line: Line, _ change: CatalogueChange
    ) throws {
        let (item, transaction) = (line.product.itemID, change.transaction)
        guard let published = try ProductEditions.edition(of: item, in: .published, transaction),
            var edition = try ProductEditions.edition(of: item, in: .newest, transaction)
        else { throw noDraft(of: line.product.productID) }
        if let field {
            guard edition.differences(from: published).contains(where: { $0.field == field }) else {
                throw CatalogueError(.nameUnknown, "nothing of this name was changed", field: "field")
            }
            edition.take(field, from: published)
        } else {
            edition = published
        }
        // The moment on the shelves is production's again with what production has.
        if edition.sells(as: published) { edition.shelvedAt = published.shelvedAt }
        try Catalogue.change(line.product, field.map { "draft of \($0.text) discarded" } ?? "draft discarded", change) {
            try ProductEditions.restore(edition, of: item, transaction)
            let review = line.product.review.cleared(edition.isClearedForSale)
            try transaction.update(
                "product", ["state": review.state, "held_state": review.held], where: ["item_id": item])
            try ProductReviews.complete(item, change)
        }
    }

    /// Takes back a text or a picture that waits for its approval.
    static func discard(_ kind: ReviewedDifference.Kind, of line: Line, _ change: CatalogueChange) throws {
        let (item, transaction) = (line.product.itemID, change.transaction)
        guard
            try ReviewedDifference.list(of: [item], in: transaction)[item]?.contains(where: { $0.kind == kind }) == true
        else { throw CatalogueError(.nameUnknown, "nothing of this name waits for an approval", field: "field") }
        try Catalogue.change(line.product, "draft of \(kind.field) discarded", change) {
            switch kind {
            case .text(let language):
                try transaction.execute(
                    "DELETE FROM product_text_change WHERE item_id = $1 AND language = $2", item, language)
            case .image: try ProductImages.dropWaiting(of: item, change)
            case .facts:
                if let shown = try ItemShelf.item(of: item, in: transaction) { try ItemDrafts.forget(shown, change) }
            }
            guard try !awaitsReview(line.product, in: transaction) else { return }
            try ProductReviews.advance(.reverted, item, change)
            try ProductReviews.advance(.cleared(line.product.isClearedForSale), item, change)
        }
    }

    /// Whether anything else of a product waits for an approval.
    private static func awaitsReview(
        _ product: CatalogueProduct, in transaction: any ReadTransaction
    ) throws -> Bool {
        let item = product.itemID
        if try ReviewedDifference.list(of: [item], in: transaction)[item] != nil || product.hostsContent { return true }
        guard let shelved = try ItemShelf.item(of: item, in: transaction) else { return false }
        let hasFacts = try ItemDrafts.facts(of: [shelved.storeID], in: transaction)[shelved.storeID] != nil
        return try hasFacts || ItemFiles.list(of: shelved.storeID, in: transaction).contains { $0.isDraft }
    }

    static func noDraft(of product: ProductID) -> CatalogueError {
        CatalogueError(.stateWrong, "\(product) has nothing that waits for its publication", field: "productId")
    }
}
