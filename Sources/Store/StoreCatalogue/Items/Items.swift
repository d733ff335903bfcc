import StoreDatabase
import StoreModel
import StoreRules

/// Enters, changes and removes items: what ``CatalogueEditing`` does, within a transaction.
enum Items {
    /// The shelf of a team, which is entered with its first item.
    static func shelf(of team: TeamID, _ change: CatalogueChange) throws -> CatalogueApp {
        let bundle = try ItemShelf.bundleID(of: team)
        if let known = try Catalogue.app(bundle, in: change.transaction) { return known }
        let name = try Teams.require(team, in: change.transaction).name
        return try Catalogue.addApp(
            AppID(number: StoreNumbers.draw(in: change.transaction)), bundle, name: name, primaryLanguage: "en-US",
            team: team, isShelf: true, change
        )
    }

    /// Enters an item.
    static func add(
        _ new: NewItem, of team: TeamID, _ change: CatalogueChange
    ) throws -> CatalogueItem {
        guard new.kind.isKnown else {
            throw CatalogueError(
                .valueInvalid, "it is one of " + ItemKind.all.map(\.rawValue).joined(separator: ", "), field: "kind")
        }
        let draft = new.draft
        let app = try app(of: new, team, change)
        let storeID = try app?.id.number ?? number(new, change)
        guard let genreID = draft.genreID else {
            throw CatalogueError(.valueMissing, "it is missing", field: "genreId")
        }
        guard let name = draft.name ?? app?.name else {
            throw CatalogueError(.valueMissing, "it is missing", field: "name")
        }
        guard let artist = try artist(draft, new.kind, of: team, change) else {
            throw CatalogueError(.valueMissing, "it is missing", field: "artist")
        }
        let facts = try draft.applied(
            to: ItemFacts(name: name, artistID: artist, genreID: genreID, releasedAt: change.at), artist: artist,
            of: new.kind)
        try checkParent(facts, of: new.kind, storeID, team, change)
        let shelf = try shelf(of: team, change)
        var texts = draft.texts.mapValues { $0.applied(to: nil, named: facts.name) }
        // What has no text of its own is called by its name.
        if texts.isEmpty { texts[shelf.primaryLanguage] = ProductText(title: facts.name, description: "") }
        let item = try ItemID(number: app == nil ? storeID : StoreNumbers.draw(in: change.transaction))
        return try CatalogueAudit.audit(.product(item), "entered", change) {
            let productID = try ItemShelf.productID(of: storeID)
            // Without a text first: what it lacks is known once it is an item.
            let bare = try ItemDraft().product(productID, named: facts.name, [:], known: nil)
            for step in [bare, try draft.product(productID, named: facts.name, texts, known: nil)] {
                try Catalogue.put(
                    step, of: shelf.id, number: { item }, isApproved: false, isCounted: true, change.part)
                guard step == bare else { continue }
                let row: RowValues = [
                    "store_id": storeID, "item_id": item, "team_id": team, "kind": new.kind, "app_id": app?.id,
                    "created_at": change.at, "changed_at": change.at,
                ]
                try change.transaction.insert(into: "item", row + facts.row)
            }
            return try require(storeID, in: change.transaction)
        }
    }

    /// Changes an item. What production shows waits for a review.
    static func update(
        _ item: CatalogueItem, by draft: ItemDraft, _ change: CatalogueChange
    ) throws {
        let product = try product(of: item, in: change.transaction)
        let former = try newestFacts(of: item, in: change.transaction)
        let artist = try artist(draft, item.kind, of: item.teamID, change)
        let facts = try draft.applied(to: former, artist: artist, of: item.kind)
        try checkParent(facts, of: item.kind, item.storeID, item.teamID, change)
        let texts = try texts(of: product, draft, former.name, facts.name, change)
        try Catalogue.change(product, "changed", change) {
            let isNew = facts != former
            if isNew { try ItemDrafts.set(facts, of: item, isLive: product.review.isLive, change) }
            try Catalogue.put(
                draft.product(product.productID, named: facts.name, texts, known: product), of: product.appID,
                number: { product.itemID }, isApproved: false, change.part)
            if isNew { try ProductReviews.advance(.edited, item.itemID, change) }
        }
    }

    /// The texts of a draft, and that of the language of its maker under another name, where it bore the former one.
    private static func texts(
        of product: CatalogueProduct, _ draft: ItemDraft, _ former: String, _ name: String, _ change: CatalogueChange
    ) throws -> [String: ProductText] {
        guard name != former || !draft.texts.isEmpty else { return [:] }
        let known = try Catalogue.details(of: product, in: change.transaction).newestTexts
        var texts =
            name == former
            ? [:]
            : known.filter { $0.value.title == former }.mapValues {
                ProductText(title: name, description: $0.description)
            }
        for (language, text) in draft.texts {
            texts[language] = text.applied(to: texts[language] ?? known[language], named: name)
        }
        return texts
    }

    /// The facts of an item as its developer left them.
    static func newestFacts(of item: CatalogueItem, in transaction: any ReadTransaction) throws -> ItemFacts {
        try ItemDrafts.facts(of: [item.storeID], in: transaction)[item.storeID] ?? item.facts
    }

    static func require(_ storeID: Int64, in transaction: any ReadTransaction) throws -> CatalogueItem {
        guard let found = try ItemShelf.item(storeID, in: transaction) else {
            throw CatalogueError(.nameUnknown, "there is no item of the store id \(storeID)", field: "storeId")
        }
        return found
    }

    static func product(of item: CatalogueItem, in transaction: any ReadTransaction) throws -> CatalogueProduct {
        guard let product = try Catalogue.product(item.itemID, in: transaction) else {
            throw CatalogueError(.nameUnknown, "there is no item of the store id \(item.storeID)", field: "storeId")
        }
        return product
    }

    // MARK: What it is made of

    private static func app(of new: NewItem, _ team: TeamID, _ change: CatalogueChange) throws -> CatalogueApp? {
        guard new.kind == .app else {
            guard new.app == nil else {
                throw CatalogueError(.valueInvalid, "only an app is one", field: "bundleId")
            }
            return nil
        }
        guard let bundle = new.app else { throw CatalogueError(.valueMissing, "it is missing", field: "bundleId") }
        guard let app = try Catalogue.app(bundle, in: change.transaction), app.teamID == team, !app.isShelf else {
            throw CatalogueError(.appUnknown, "the team has no app of this bundle id", field: "bundleId")
        }
        guard new.storeID == nil || new.storeID == app.id.number else {
            throw CatalogueError(
                .valueInvalid, "the store id of the app is \(app.id); an app brings one when it is entered",
                field: "storeId")
        }
        guard try ItemShelf.item(of: app.id, in: change.transaction) == nil else {
            throw CatalogueError(.nameTaken, "the storefront has \(bundle) already", field: "bundleId")
        }
        return app
    }

    private static func number(_ new: NewItem, _ change: CatalogueChange) throws -> Int64 {
        guard let brought = new.storeID else {
            return try StoreNumbers.draw(in: change.transaction)
        }
        try StoreNumbers.requireBrought(brought, in: change.transaction)
        return brought
    }

    private static func artist(
        _ draft: ItemDraft, _ kind: ItemKind, of team: TeamID, _ change: CatalogueChange
    ) throws -> Int64? {
        if let id = draft.artistID {
            let found = try Artists.find(id, in: change.transaction)
            guard let found, found.teamID == team, found.kind == kind.artist else {
                throw CatalogueError(
                    .nameUnknown, "the team has no artist \(id) who makes \(kind.withArticle)", field: "artistId")
            }
            guard draft.artist == nil || draft.artist == found.name else {
                throw CatalogueError(.valueInvalid, "artist \(id) is \(found.name)", field: "artist")
            }
            return id
        }
        guard let name = draft.artist else { return nil }
        if let known = try Artists.find(name, kind.artist, of: team, in: change.transaction) { return known.storeID }
        return try Artists.add(StoreNumbers.draw(in: change.transaction), name, kind.artist, of: team, change).storeID
    }

    /// Throws unless a song lies on an album of its team, and an episode in a season.
    private static func checkParent(
        _ facts: ItemFacts, of kind: ItemKind, _ storeID: Int64, _ team: TeamID, _ change: CatalogueChange
    ) throws {
        guard let id = facts.parent else { return }
        guard let wanted = kind.parent else {
            throw CatalogueError(.valueInvalid, "\(kind.withArticle) is not part of anything", field: "parent")
        }
        guard let parent = try ItemShelf.item(id, in: change.transaction), parent.kind == wanted, parent.teamID == team
        else {
            throw CatalogueError(.nameUnknown, "the team has no \(wanted) of the store id \(id)", field: "parent")
        }
        let count = try change.transaction.value(
            "SELECT count(*) FROM item WHERE parent_id = $1 AND store_id <> $2", id, storeID, as: Int.self)
        guard count < ItemLimits.children else {
            throw CatalogueError(
                .limitReached, "\(wanted.withArticle) has at most \(ItemLimits.children) of these", field: "parent")
        }
    }
}
