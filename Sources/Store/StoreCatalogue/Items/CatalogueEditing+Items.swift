import StoreDatabase
package import StoreModel
package import StoreRules

/// An item as those see it who prepare it.
package struct ItemDetails: Hashable, Sendable {
    /// With the facts as its developer left them.
    package let item: CatalogueItem
    /// What production shows, where that is something else.
    package let shownFacts: ItemFacts?
    package let artist: Artist
    /// Its texts, prices and review.
    package let product: ProductDetails
    /// Drafts too.
    package let files: [ItemFile]
    /// What it lacks before it is reviewed, in words.
    package let missing: [String]
    /// The album of a song, the season of an episode.
    package let parent: CatalogueItem?
    /// Of an app.
    package let versions: [AppVersion]
    /// What keeps all items of the team from being sold; nil if nothing does.
    package let teamObstacle: ProductObstacle?

    package var storeID: Int64 { item.storeID }
}

/// An item in a list of those that somebody prepares.
package struct ItemStanding: Hashable, Sendable {
    package let item: CatalogueItem
    package let product: CatalogueProduct
    package let artist: Artist
}

extension CatalogueEditing {
    // MARK: Reading

    /// The items after a store id that the actor may see, of one kind or of all, without those that were removed.
    package func items(
        of kind: ItemKind? = nil, partOf parent: Int64? = nil, after storeID: Int64 = 0, limit: Int
    ) async throws -> [ItemStanding] {
        try await read { transaction in
            let items = try transaction.query(
                """
                SELECT \(CatalogueItem.columns) FROM item JOIN product ON product.item_id = item.item_id
                WHERE item.store_id > $1 AND ($2 = '' OR item.kind = $2) AND ($3 = '' OR item.team_id = $3)
                    AND (item.parent_id = $4 OR $4 = 0) AND product.removed_at IS NULL ORDER BY item.store_id LIMIT $5
                """, storeID, kind?.rawValue ?? "", actor.team?.text ?? "", parent ?? 0, limit, row: CatalogueItem.init)
            return try standings(items, in: transaction)
        }
    }

    func standings(_ items: [CatalogueItem], in transaction: any ReadTransaction) throws -> [ItemStanding] {
        let facts = try ItemDrafts.facts(of: items.map(\.storeID), in: transaction)
        let products = try Catalogue.products(all: items.map(\.itemID), in: transaction)
        let newest = items.map { item in
            var item = item
            item.facts = facts[item.storeID] ?? item.facts
            return item
        }
        let artists = try Artists.find(all: newest.map(\.facts.artistID), in: transaction)
        return newest.compactMap { item in
            guard let product = products[item.itemID], let artist = artists[item.facts.artistID] else { return nil }
            return ItemStanding(item: item, product: product, artist: artist)
        }
    }

    /// An item with everything that belongs to it.
    package func itemDetails(_ storeID: Int64) async throws -> ItemDetails {
        let (now, commerce) = (now(), commerce())
        return try await read { try details(of: item(storeID, in: $0), at: now, commerce, in: $0) }
    }

    /// Where the product of an item is, for what is done with products: prices, review, tax.
    package func itemPath(_ storeID: Int64) async throws -> ProductPath {
        try await read { try item(storeID, in: $0).path }
    }

    /// The artists after a store id that the actor may see.
    package func artists(after storeID: Int64 = 0, limit: Int) async throws -> [Artist] {
        try await read { try Artists.list(of: actor.team, after: storeID, limit: limit, in: $0) }
    }

    // MARK: Changing

    /// Enters an item of the actor's team, else of the team that is named, else of the first.
    package func addItem(_ new: NewItem) async throws -> ItemDetails {
        let (now, commerce) = (now(), commerce())
        if let team = new.team { try requireTeam(team) }
        return try await write { change in
            let team = try new.app.flatMap { try Catalogue.app($0, in: change.transaction)?.teamID }
            let owner = try Teams.ensure(actor.team ?? new.team ?? team, change)
            let item = try Items.add(new, of: owner, change)
            return try details(of: item, at: now, commerce, in: change.transaction)
        }
    }

    /// Changes an item. What production shows waits for a review.
    package func changeItem(_ storeID: Int64, _ draft: ItemDraft) async throws -> ItemDetails {
        try await change(item: storeID) { item, change in
            try Items.update(item, by: draft, change)
        }
    }

    /// Asks for a review of an item.
    package func submitItem(_ storeID: Int64, note: String? = nil) async throws -> ItemDetails {
        try await change(item: storeID) { item, change in
            let name = try Items.newestFacts(of: item, in: change.transaction).name
            try ProductReviews.submit(
                Items.product(of: item, in: change.transaction),
                .init(category: item.kind == .app ? .function : .content, delivers: name, note: note), change)
        }
    }

    /// Removes an item for good. Those keep it who have it; its number is never used again.
    package func removeItem(_ storeID: Int64) async throws {
        _ = try await change(item: storeID) { item, change in
            try Catalogue.remove(Items.product(of: item, in: change.transaction), change)
        }
    }

    /// Says what is new in a version of an app; an empty text takes that away.
    package func setNote(
        _ note: String, in language: String, ofVersion version: String, of storeID: Int64
    ) async throws -> ItemDetails {
        try await change(item: storeID) { item, change in
            guard let app = item.appID else {
                throw CatalogueError(.valueInvalid, "only an app has versions", field: "version")
            }
            try AppVersionNotes.set(note, in: language, of: version, app, change)
        }
    }

    /// Enters an artist.
    package func addArtist(
        _ name: String, _ kind: ArtistKind, storeID: Int64? = nil, team: TeamID? = nil
    ) async throws -> Artist {
        if let team { try requireTeam(team) }
        return try await write { change in
            if let storeID { try StoreNumbers.requireBrought(storeID, in: change.transaction) }
            let owner = try Teams.ensure(actor.team ?? team, change)
            return try Artists.add(storeID ?? StoreNumbers.draw(in: change.transaction), name, kind, of: owner, change)
        }
    }

    /// Gives an artist another name.
    package func renameArtist(_ storeID: Int64, to name: String) async throws -> Artist {
        try await write { change in
            let artist = try Artists.find(storeID, in: change.transaction)
            guard let artist, actor.team == nil || artist.teamID == actor.team else {
                throw CatalogueError(.nameUnknown, "there is no artist \(storeID)", field: "artistId")
            }
            return try Artists.rename(artist, to: name, change)
        }
    }

    // MARK: Files

    /// Takes an item a file: the draft of a place, or else the one that is shown.
    package func removeFile(at place: ItemFilePlace, of storeID: Int64) async throws -> ItemDetails {
        try await change(item: storeID) { item, change in
            try ItemFiles.remove(place, of: item, Items.product(of: item, in: change.transaction), change)
        }
    }

    // MARK: Within a transaction

    /// The item of a store id, if it is of the actor's team and was not removed.
    func item(_ storeID: Int64, in transaction: any ReadTransaction) throws -> CatalogueItem {
        let item = try Items.require(storeID, in: transaction)
        guard actor.team == nil || item.teamID == actor.team,
            try Items.product(of: item, in: transaction).removedAt == nil
        else {
            throw CatalogueError(.nameUnknown, "there is no item of the store id \(storeID)", field: "storeId")
        }
        return item
    }

    func change(
        item storeID: Int64, _ body: @escaping @Sendable (CatalogueItem, CatalogueChange) throws -> Void
    ) async throws -> ItemDetails {
        let (now, commerce) = (now(), commerce())
        return try await write { change in
            try body(item(storeID, in: change.transaction), change)
            return try details(
                of: Items.require(storeID, in: change.transaction), at: now, commerce, in: change.transaction)
        }
    }

    private func details(
        of shown: CatalogueItem, at now: Instant, _ commerce: Instant, in transaction: any ReadTransaction
    ) throws -> ItemDetails {
        var item = shown
        item.facts = try Items.newestFacts(of: shown, in: transaction)
        let product = try Items.product(of: item, in: transaction)
        let shelf = try Catalogue.requireApp(product.appID, in: transaction)
        return ItemDetails(
            item: item, shownFacts: item.facts == shown.facts ? nil : shown.facts,
            artist: try Artists.require(item.facts.artistID, in: transaction),
            product: try Catalogue.details(of: product, at: commerce, in: transaction),
            files: try ItemFiles.list(of: item.storeID, in: transaction),
            missing: try ProductReviews.completeness(of: product.itemID, in: transaction).missing
                + [ItemFiles.missingParts(of: item, in: .sandbox, transaction)].compactMap(\.self),
            parent: try item.facts.parent.flatMap { try ItemShelf.item($0, in: transaction) },
            versions: try item.appID.map { try AppVersions.list(of: $0, in: transaction) } ?? [],
            teamObstacle: try Catalogue.obstacle(of: shelf, at: now, in: transaction))
    }
}
