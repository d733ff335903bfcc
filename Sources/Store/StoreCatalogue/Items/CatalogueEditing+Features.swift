import StoreDatabase
import StoreModel

extension CatalogueEditing {
    /// What the home page begins with, in its order; also what is not shown just now.
    package func features() async throws -> [ItemStanding] {
        try await read(for: .teams) { try standings(ItemShelf.chosen(in: $0), in: $0) }
    }

    /// Chooses what the home page of both environments begins with.
    ///
    /// - Parameter ids: store ids in the order of the page; none lets the newest begin it.
    package func setFeatures(_ ids: [Int64]) async throws -> [ItemStanding] {
        guard ids.count <= ItemLimits.features else {
            throw CatalogueError(
                .limitReached, "the home page begins with at most \(ItemLimits.features) items", field: "items")
        }
        guard Set(ids).count == ids.count else {
            throw CatalogueError(.valueInvalid, "it names an item twice", field: "items")
        }
        return try await write(for: .teams) { change in
            try change.actor.requireReach(of: .production)
            for id in ids { _ = try item(id, in: change.transaction) }
            try CatalogueAudit.audit(.store, "features", change) {
                try change.transaction.execute("DELETE FROM home_feature")
                for (index, id) in ids.enumerated() {
                    try change.transaction.insert(
                        into: "home_feature",
                        [
                            "position": index + 1, "store_id": id, "chosen_at": change.at,
                            "chosen_by": change.actor.text,
                        ])
                }
            }
            return try standings(ItemShelf.chosen(in: change.transaction), in: change.transaction)
        }
    }
}

extension ItemShelf {
    /// What was chosen for the home page, in its order, whether or not it is shown.
    static func chosen(in transaction: any ReadTransaction) throws -> [CatalogueItem] {
        try transaction.query(
            """
            SELECT \(CatalogueItem.columns) FROM home_feature JOIN item ON item.store_id = home_feature.store_id
            ORDER BY home_feature.position
            """, row: CatalogueItem.init)
    }
}
