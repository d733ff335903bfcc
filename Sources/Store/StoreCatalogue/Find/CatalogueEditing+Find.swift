import StoreDatabase
import StoreModel

extension CatalogueEditing {
    /// What of the catalogue has words that begin as those of a text do, as far as the actor may see it: apps, products,
    /// items, teams, members, and what has a store id that begins so.
    package func find(_ text: String, limit: Int) async throws -> [FoundThing.Group] {
        try await read { transaction in
            let finder = CatalogueFinder(
                text: text, limit: limit, team: actor.team, seesMembers: actor.may(.members, change: false),
                transaction: transaction)
            return try finder.groups()
        }
    }
}

/// One search in the catalogue. It makes as many statements whatever there is.
private struct CatalogueFinder {
    let text: String
    let limit: Int
    let team: TeamID?
    let seesMembers: Bool
    let transaction: any ReadTransaction

    func groups() throws -> [FoundThing.Group] {
        let found: [(FoundThing.Kind, [FoundThing])] = [
            (.app, try apps()), (.product, try products()), (.item, try items()), (.team, try teams()),
            (.member, seesMembers ? try members() : []), (.person, seesMembers && team == nil ? try people() : []),
        ]
        return found.compactMap { FoundThing.Group($0, $1, limit: limit) }
    }

    private func references(_ kind: NameWords.Kind) throws -> [String] {
        try NameWords.find(text, kind, team: team?.text, limit: limit + 1, in: transaction)
    }

    /// Numbers of what has a word, and of what has a store id that begins so, or the one in a link of the store, the latter
    /// first.
    private func numbers(_ kind: NameWords.Kind, _ place: NumberBeginning.Place) throws -> [Int64] {
        let linked = try text.contains("/") ? StoreItem.find(text, in: transaction).map { [$0.storeID] } : nil
        let ids = try linked ?? NumberBeginning(text)?.find(place, limit: limit + 1, in: transaction) ?? []
        return ids + (try references(kind)).compactMap { Int64($0) }.filter { !ids.contains($0) }
    }

    private func apps() throws -> [FoundThing] {
        let ids = try numbers(
            .app,
            .init(
                bounds: "SELECT min(app_id), max(app_id) FROM app",
                numbers: "SELECT app_id FROM app WHERE app_id BETWEEN $1 AND $2 ORDER BY app_id LIMIT $3"))
        let found = try transaction.query(
            """
            SELECT app_id, bundle_id, name FROM app
            WHERE app_id IN \(.numbers) AND is_shelf = 0 AND ($2 = '' OR team_id = $2)
            """, of: ids, team?.text ?? ""
        ) { row in
            var cells = row.cells
            let (id, bundle) = (try cells.next(as: Int64.self), try cells.next(as: BundleID.self))
            return (id, FoundThing(.app, bundle.text, try cells.next(), detail: "store id \(id)", app: bundle))
        }
        return ordered(found, by: ids)
    }

    private func products() throws -> [FoundThing] {
        let ids = try numbers(
            .product,
            .init(
                bounds: "SELECT min(item_id), max(item_id) FROM product",
                numbers: "SELECT item_id FROM product WHERE item_id BETWEEN $1 AND $2 ORDER BY item_id LIMIT $3"))
        let found = try transaction.query(
            """
            SELECT product.item_id, product.product_id, product.reference_name, app.bundle_id, app.name
            FROM product JOIN app ON app.app_id = product.app_id
            WHERE product.item_id IN \(.numbers) AND product.removed_at IS NULL AND app.is_shelf = 0
                AND ($2 = '' OR app.team_id = $2)
            """, of: ids, team?.text ?? ""
        ) { row in
            var cells = row.cells
            let (id, product) = (try cells.next(as: Int64.self), try cells.next(as: ProductID.self))
            let (name, app) = (try cells.next(as: String.self), try cells.next(as: BundleID.self))
            return (id, FoundThing(.product, product.text, name, detail: try cells.next(), app: app))
        }
        return ordered(found, by: ids)
    }

    private func items() throws -> [FoundThing] {
        let ids = try numbers(
            .item,
            .init(
                bounds: "SELECT min(store_id), max(store_id) FROM item",
                numbers: "SELECT store_id FROM item WHERE store_id BETWEEN $1 AND $2 ORDER BY store_id LIMIT $3"))
        let found = try transaction.query(
            """
            SELECT item.store_id, item.name, item.kind, artist.name
            FROM item JOIN artist ON artist.artist_id = item.artist_id
            WHERE item.store_id IN \(.numbers) AND item.kind <> 'app' AND ($2 = '' OR item.team_id = $2)
            """, of: ids, team?.text ?? ""
        ) { row in
            var cells = row.cells
            let (id, name) = (try cells.next(as: Int64.self), try cells.next(as: String.self))
            let kind = try cells.next(as: String.self)
            return (id, FoundThing(.item, "\(id)", name, detail: "\(kind) by \(try cells.next(as: String.self))"))
        }
        return ordered(found, by: ids)
    }

    private func ordered(_ found: [(Int64, FoundThing)], by ids: [Int64]) -> [FoundThing] {
        let known = Dictionary(found, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { known[$0] }
    }

    private func teams() throws -> [FoundThing] {
        try references(.team).compactMap { id in
            guard let id = TeamID(id), let team = try Teams.find(id, in: transaction) else { return nil }
            return FoundThing(.team, id.text, team.name, detail: team.suspendedAt == nil ? "" : "suspended", team: id)
        }
    }

    /// The store's own people, who are few enough to be looked through.
    private func people() throws -> [FoundThing] {
        let words = text.split(separator: " ").map(String.init)
        return try StoreMembers.list(in: transaction).filter { member in
            words.allSatisfy { word in
                // An address is one word too, to its point.
                NameWords.hasWord(beginning: word, in: "\(member.name) \(member.email)")
                    || member.email.hasPrefix(word.lowercased())
            }
        }.prefix(limit + 1).map { FoundThing(.person, $0.email, $0.name, detail: $0.role.rawValue) }
    }

    private func members() throws -> [FoundThing] {
        try references(.member).compactMap { reference in
            let parts = reference.split(separator: "/", maxSplits: 1).map(String.init)
            guard parts.count == 2, let team = TeamID(parts[0]) else { return nil }
            let name = try transaction.optional(
                "SELECT name FROM team_member WHERE team_id = $1 AND email = $2", team, parts[1]
            ) { try $0.value(0, as: String.self) }
            return name.map { FoundThing(.member, parts[1], $0, detail: "of \(team)", team: team) }
        }
    }
}
