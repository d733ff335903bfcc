import StoreDatabase
import StoreModel

/// Makes a draft of what a change does to a live product, or publishes it with the change.
///
/// It reads what production sells before the change, and decides after it, so that no way of changing a product passes by.
struct Drafting {
    private let item: ItemID
    /// The newest edition before the change.
    private let former: ProductEdition

    /// nil of what production does not sell: that is changed directly.
    init?(of subject: CatalogueAudit.Subject, isLive: Bool, _ change: CatalogueChange) throws {
        guard isLive, case .product(let item) = subject,
            let former = try ProductEditions.edition(of: item, in: .newest, change.transaction)
        else { return nil }
        self.item = item
        self.former = former
    }

    /// Draws the consequences of a change that was made; returns whether it is a draft.
    func settle(_ change: CatalogueChange) throws -> Bool {
        let transaction = change.transaction
        guard let newest = try ProductEditions.edition(of: item, in: .newest, transaction), !newest.sells(as: former)
        else { return false }
        let published = try ProductEditions.edition(of: item, in: .published, transaction)
        guard !change.publishes else {
            try requirePublication(change, isDrafted: published != nil)
            return false
        }
        if let published, newest.sells(as: published) {
            try Self.end(item, transaction)
        } else if published == nil {
            try ProductEditions.publish(former, of: item, by: change.actor.text, transaction)
            try transaction.update("product", ["drafted_at": change.at], where: ["item_id": item])
        }
        return true
    }

    /// Keeps the number of the change that was noted last of a draft: who publishes it says what was shown.
    func number(_ change: CatalogueChange) throws {
        try change.transaction.update(
            "published_product",
            ["revision": CatalogueAudit.last(in: change.transaction), "drafted_by": change.actor.text],
            where: ["item_id": item])
    }

    private func requirePublication(_ change: CatalogueChange, isDrafted: Bool) throws {
        try change.actor.requireReach(of: .production)
        guard !isDrafted else {
            throw CatalogueError(
                .stateWrong,
                "the product has changes that nobody has published; publish or discard these first, or make this one a "
                    + "draft too (till catalogue drafts)", field: "publish")
        }
    }

    /// Notes that production sells what is newest.
    static func end(_ item: ItemID, _ transaction: any WriteTransaction) throws {
        try ProductEditions.forget([item], transaction)
        try transaction.update("product", ["drafted_at": Instant?.none], where: ["item_id": item])
    }
}
