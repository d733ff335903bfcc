import StoreDatabase
import StoreModel

extension NameWords {
    /// Brings the words up to what a change has made of something in the catalogue.
    static func follow(_ subject: CatalogueAudit.Subject, _ transaction: any WriteTransaction) throws {
        switch subject {
        case .product(let id): try refresh(product: id, transaction)
        case .app(let id):
            guard let app = try Catalogue.app(id, in: transaction), !app.isShelf else { return }
            try put([app.name, app.bundleID.text], of: "\(id)", .app, app: id.number, in: transaction)
        case .team(let id): try refresh(team: id, transaction)
        case .artist(let id):
            let items = try transaction.query("SELECT item_id FROM item WHERE artist_id = $1", id) {
                try $0.value(0, as: ItemID.self)
            }
            for item in items { try refresh(product: item, transaction) }
        case .store, .token: break
        }
    }

    private static func refresh(product id: ItemID, _ transaction: any WriteTransaction) throws {
        guard let product = try Catalogue.product(id, in: transaction), product.removedAt == nil else {
            let item = try ItemShelf.item(of: id, in: transaction)
            return try put([], of: "\(item?.storeID ?? id.number)", item == nil ? .product : .item, in: transaction)
        }
        let titles = try transaction.query(
            """
            SELECT title FROM product_text WHERE item_id = $1 UNION SELECT title FROM product_text_change WHERE item_id = $1
            """, id
        ) { try $0.value(0, as: String.self) }.sorted()
        guard let item = try ItemShelf.item(of: id, in: transaction) else {
            let names = [product.productID.text, product.referenceName] + titles
            return try put(names, of: "\(id)", .product, app: product.appID.number, in: transaction)
        }
        // An app is found as an app.
        guard item.kind != .app else { return }
        let artist = try Artists.find(item.facts.artistID, in: transaction)?.name
        try put(
            [item.facts.name, artist ?? ""] + titles, of: "\(item.storeID)", .item, app: product.appID.number,
            in: transaction)
    }

    private static func refresh(team id: TeamID, _ transaction: any WriteTransaction) throws {
        guard let team = try Teams.find(id, in: transaction) else { return }
        try put([team.name, id.text], of: id.text, .team, team: id.text, in: transaction)
        let members = try Teams.members(of: id, in: transaction)
        let kept = Set(members.map(\.email))
        let known = try transaction.query(
            "SELECT DISTINCT reference FROM name_word WHERE kind = 'member' AND team_id = $1", id
        ) { try $0.value(0, as: String.self) }
        for reference in known where !kept.contains(String(reference.trimmingPrefix("\(id)/"))) {
            try put([], of: reference, .member, in: transaction)
        }
        for member in members {
            try put(
                [member.name, member.email], of: "\(id)/\(member.email)", .member, team: id.text, in: transaction)
        }
    }

    // MARK: Rebuilding

    /// Writes the words of what follows a number anew; gives the last number, nil at the end.
    static func rebuild(after last: Int64, _ transaction: any WriteTransaction) throws -> Int64? {
        if last == 0 {
            try transaction.execute("DELETE FROM name_word")
            let teams = try transaction.query("SELECT team_id FROM team") { try $0.value(0, as: TeamID.self) }
            for team in teams { try refresh(team: team, transaction) }
            let apps = try transaction.query("SELECT app_id FROM app") { try $0.value(0, as: AppID.self) }
            for app in apps { try follow(.app(app), transaction) }
        }
        let products = try transaction.query(
            "SELECT item_id FROM product WHERE item_id > $1 ORDER BY item_id LIMIT $2", last, SearchIndex.itemsPerStep
        ) { try $0.value(0, as: ItemID.self) }
        for product in products { try refresh(product: product, transaction) }
        return products.last?.number
    }
}
