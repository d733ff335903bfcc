import Foundation
import StoreDatabase
import StoreModel
import StoreRules

/// Reads what waits for reviewers, with what it would change; as many statements, however much waits.
enum ReviewCases {
    /// The products and items that wait or are in review, then the versions; the oldest submission of each first.
    static func waiting(
        of team: TeamID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [ReviewCase] {
        try products(ProductReviews.queue(of: team, limit: limit, in: transaction), in: transaction)
            + versions(of: team, limit: limit, in: transaction)
    }

    /// How many versions of apps of a team, or of all, wait or are in review.
    static func versionCount(of team: TeamID?, in transaction: any ReadTransaction) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM app_version JOIN app ON app.app_id = app_version.app_id
            WHERE app_version.state IN ('waiting_for_review', 'in_review') AND ($1 = '' OR app.team_id = $1)
            """, team?.text ?? "", as: Int.self)
    }

    // MARK: Products

    static func products(
        _ products: [CatalogueProduct], in transaction: any ReadTransaction
    ) throws -> [ReviewCase] {
        guard !products.isEmpty else { return [] }
        let ids = products.map(\.itemID)
        let apps = try Catalogue.apps(all: Set(products.map(\.appID)), in: transaction)
        let editions = try Editions(of: ids, in: transaction)
        let withVersion = Set(products.filter { $0.review.version != nil }.map(\.appID))
        let versions = withVersion.isEmpty ? [:] : try AppVersions.list(ofApps: withVersion, in: transaction)
        let pictured = try ProductImages.withScreenshot(among: ids, in: transaction)
        return products.compactMap { product in
            guard let app = apps[product.appID] else { return nil }
            let isNew = !product.review.isLive
            let item = editions.items[product.itemID]
            let content = editions.contents[product.itemID]?.first { $0.isKept(in: .sandbox) }
            return ReviewCase(
                target: .product(ProductPath(app.bundleID, product.productID)), app: app, name: product.referenceName,
                isTakenUp: product.state == .inReview, isNew: isNew,
                changes: ReviewCase.changes(
                    from: isNew ? ReviewCase.Edition() : editions.edition(of: product.itemID, isApproved: true),
                    to: editions.edition(of: product.itemID, isApproved: false), of: product.kind, isItem: item != nil),
                changedAt: product.changedAt, product: product, item: item?.storeID, content: content,
                version: versions[product.appID]?.first { $0.version == product.review.version },
                hasScreenshot: pictured.contains(product.itemID))
        }
    }

    /// What was approved of some products, and what was submitted.
    private struct Editions {
        let approved: [ItemID: [String: ProductText]]
        let newest: [ItemID: [String: ProductText]]
        let pictures: [ItemID: ProductImage]
        let pictureChanges: [ItemID: ProductImage]
        let contents: [ItemID: [HostedContent]]
        let items: [ItemID: CatalogueItem]
        let facts: [Int64: ItemFacts]
        let files: [Int64: [ItemFile]]

        init(of ids: [ItemID], in transaction: any ReadTransaction) throws {
            approved = try Catalogue.texts(of: ids, in: .production, transaction)
            newest = try Catalogue.texts(of: ids, in: .sandbox, transaction)
            pictures = try ProductImages.promotional(of: ids, in: transaction)
            pictureChanges = try ProductImages.waiting(of: ids, in: transaction)
            contents = try HostedContent.list(ofItems: ids, in: transaction)
            items = try ItemShelf.items(of: ids, in: transaction)
            let stores = items.values.map(\.storeID)
            facts = try ItemDrafts.facts(of: stores, in: transaction)
            files = try ItemFiles.list(of: stores, in: transaction)
        }

        func edition(of id: ItemID, isApproved: Bool) -> ReviewCase.Edition {
            var edition = ReviewCase.Edition()
            edition.texts = (isApproved ? approved : newest)[id] ?? [:]
            edition.picture = isApproved ? pictures[id] : pictureChanges[id] ?? pictures[id]
            edition.content =
                contents[id]?.first {
                    isApproved ? $0.rules.state == .approved : $0.isKept(in: .sandbox)
                }?.version?.text
            guard let item = items[id] else { return edition }
            edition.facts = ReviewCases.words(of: isApproved ? item.facts : facts[item.storeID] ?? item.facts)
            let files = files[item.storeID] ?? []
            let drafts = Set(files.filter(\.isDraft).map(\.place))
            for file in files where isApproved ? !file.isDraft : file.isDraft || !drafts.contains(file.place) {
                let version = file.version.map { " of \($0)" } ?? ""
                edition.files["\(file.role) \(file.position)\(version)"] =
                    "\(file.fileName), \(file.bytes) bytes, \(file.blob.text.prefix(12))"
            }
            return edition
        }
    }

    /// The facts of an item as texts, by their names.
    private static func words(of facts: ItemFacts) -> [String: String] {
        var words = [
            "name": facts.name, "genre": facts.genre?.name ?? "\(facts.genreID)", "artist": "\(facts.artistID)",
            "releasedAt": String(facts.releasedAt.rfc3339.prefix(10)), "explicitness": facts.explicitness.rawValue,
        ]
        let rest: [(String, String?)] = [
            ("parent", facts.parent.map(String.init)), ("disc", facts.disc.map(String.init)),
            ("number", facts.number.map(String.init)), ("rating", facts.rating), ("copyright", facts.copyright),
            ("supportAddress", facts.supportAddress), ("makerAddress", facts.makerAddress),
            ("privacyAddress", facts.privacyAddress),
            ("seconds", facts.milliseconds.map { "\($0 / 1000)" }), ("isbn", facts.isbn), ("upc", facts.upc),
            ("languages", facts.languages.isEmpty ? nil : facts.languages.joined(separator: ", ")),
        ]
        for (name, value) in rest { words[name] = value }
        return words
    }

    // MARK: Versions

    static func versions(
        of team: TeamID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [ReviewCase] {
        let found = try transaction.query(
            """
            SELECT \(AppVersion.columns), app_id FROM app_version WHERE state IN ('waiting_for_review', 'in_review')
                AND ($1 = '' OR app_id IN (SELECT app.app_id FROM app WHERE app.team_id = $1))
            ORDER BY changed_at, version LIMIT $2
            """, team?.text ?? "", limit
        ) { (version: try AppVersion($0), app: try $0.value(AppVersion.columnCount, as: AppID.self)) }
        return try cases(of: found, in: transaction)
    }

    static func cases(
        of versions: [(version: AppVersion, app: AppID)], in transaction: any ReadTransaction
    ) throws -> [ReviewCase] {
        guard !versions.isEmpty else { return [] }
        let ids = Set(versions.map(\.app))
        let apps = try Catalogue.apps(all: ids, in: transaction)
        let all = try AppVersions.list(ofApps: ids, in: transaction)
        let notes = try AppVersionNotes.list(ofApps: ids, in: transaction)
        let files = try ItemFiles.list(of: ids.map(\.number), in: transaction)
        return versions.compactMap { version, id in
            guard let app = apps[id] else { return nil }
            let approved = all[id]?.last { $0.review.state == .approved }
            func edition(_ version: String?) -> [String: String] {
                guard let version else { return [:] }
                var words = ["version": version]
                for (language, note) in notes[.init(app: id, version: version)] ?? [:] {
                    words["notes.\(language)"] = note
                }
                for file in files[id.number] ?? [] where file.version == version {
                    words["file.\(file.position)"] = "\(file.fileName), \(file.bytes) bytes"
                }
                return words
            }
            let (old, new) = (edition(approved?.version), edition(version.version))
            let changes = Set(old.keys).union(new.keys).sorted().compactMap { field in
                old[field] == new[field] ? nil : ReviewChange(field, old[field], new[field])
            }
            return ReviewCase(
                target: .version(version.version, app.bundleID), app: app, name: "\(app.name) \(version.version)",
                isTakenUp: version.review.state == .inReview, isNew: approved == nil, changes: changes,
                changedAt: version.changedAt, product: nil, item: nil, content: nil)
        }
    }
}

extension ProductImages {
    /// Those of some products that have a picture for the reviewer.
    static func withScreenshot(
        among ids: [ItemID], in transaction: any ReadTransaction
    ) throws -> Set<ItemID> {
        let found = try transaction.query(
            "SELECT item_id FROM product_image WHERE kind = 'review_screenshot' AND item_id IN \(.numbers)", of: ids
        ) { try $0.value(0, as: ItemID.self) }
        return Set(found)
    }

    /// The pictures that customers of production see of these products.
    static func promotional(
        of ids: [ItemID], in transaction: any ReadTransaction
    ) throws -> [ItemID: ProductImage] {
        let found = try transaction.query(
            "SELECT \(ProductImage.columns), item_id FROM product_image WHERE kind = 'promotional' AND item_id IN \(.numbers)",
            of: ids
        ) { (try $0.value(ProductImage.columnCount, as: ItemID.self), try ProductImage($0)) }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Those that they see once they are approved.
    static func waiting(
        of ids: [ItemID], in transaction: any ReadTransaction
    ) throws -> [ItemID: ProductImage] {
        let found = try transaction.query(
            "SELECT \(ProductImage.columns), item_id FROM product_image_change WHERE item_id IN \(.numbers)", of: ids
        ) { (try $0.value(ProductImage.columnCount, as: ItemID.self), try ProductImage($0)) }
        return Dictionary(uniqueKeysWithValues: found)
    }
}
