package import StoreCatalogue
package import StoreDatabase
package import StoreModel

/// Items of the storefront, as tests need them: on the shelf at once, without the files that a review asks for.
package enum ItemSample {
    /// Enters an item that both environments show.
    ///
    /// - Parameters:
    ///   - app: the app that it is; of others nil.
    ///   - price: in dollars; nil for what is not sold by itself.
    @discardableResult
    package static func enter(
        _ kind: ItemKind, _ name: String, genre: Int, storeID: Int64? = nil, app: String? = nil, parent: Int64? = nil,
        price: String? = "1.99", in database: any Database, at now: Instant = CatalogueSample.now
    ) async throws -> ItemDetails {
        var draft = ItemDraft()
        (draft.name, draft.artist, draft.genreID) = (name, "Maker of \(name)", genre)
        if let parent { draft.parent = .some(parent) }
        draft.basePrice = try price.map { try Money(decimal: $0, currency: .usd) }
        draft.texts = ["en-US": ItemTextDraft(title: name, description: "What \(name) is about.")]
        var new = NewItem(kind, draft)
        new.storeID = storeID
        new.app = try app.map { try BundleID(parsing: $0) }
        let editing = CatalogueEditing(database, by: .owner, request: nil, now: { now })
        let item = try await editing.addItem(new)
        try await database.write { transaction in
            try transaction.execute(
                "UPDATE product SET state = 'approved', is_live = 1 WHERE item_id = $1", item.item.itemID)
            try SearchIndex.refresh([item.storeID], transaction)
        }
        return item
    }
}
