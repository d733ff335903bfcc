import StoreDatabase
import StoreFoundation
import StoreModel
import StoreRules

extension CatalogueFile {
    /// What a file says of one item of the storefront: its facts, and its product as that of an app.
    package struct Item: Sendable {
        let kind: ItemKind
        /// Its number; that of an app says the app.
        let storeID: Int64?
        let bundleID: BundleID?
        let team: TeamID?
        var draft: ItemDraft
        /// Texts, prices and what reviewers were told.
        let product: ProductDraft
        /// The digests of its files, which are not in the file.
        let files: [ItemFilePlace: String]
        /// Where in the file it is.
        let place: String
    }

    // MARK: Writing

    /// The items of some teams, those that others are part of first.
    static func itemNodes(
        of teams: [StoreCatalogue.Team], at now: Instant, in transaction: any ReadTransaction
    ) throws -> [JSONNode] {
        var nodes: [JSONNode] = []
        for team in teams {
            let items = try transaction.query(
                """
                SELECT \(CatalogueItem.columns) FROM item JOIN product ON product.item_id = item.item_id
                WHERE item.team_id = $1 AND product.removed_at IS NULL
                ORDER BY CASE WHEN item.parent_id IS NULL THEN 0 ELSE 1 END, item.store_id LIMIT $2
                """, team.id, StoreKitFileLimits.entries + 1 - nodes.count, row: CatalogueItem.init)
            nodes += try items.map { try itemNode($0, at: now, in: transaction) }
            guard nodes.count <= StoreKitFileLimits.entries else {
                throw CatalogueError(
                    .limitReached, "one file has at most \(StoreKitFileLimits.entries) items; export teams one by one")
            }
        }
        return nodes
    }

    static func itemNode(
        _ item: CatalogueItem, at now: Instant, in transaction: any ReadTransaction
    ) throws -> JSONNode {
        let facts = try Items.newestFacts(of: item, in: transaction)
        let artist = try Artists.require(facts.artistID, in: transaction)
        let app = try item.appID.map { try Catalogue.requireApp($0, in: transaction) }
        var members: [String: JSONNode] = [
            "storeId": .number("\(item.storeID)"), "kind": .text(item.kind.rawValue), "teamId": .text(item.teamID.text),
            "name": .text(facts.name), "artist": .text(artist.name), "genreId": .number("\(facts.genreID)"),
            "releasedAt": .text(facts.releasedAt.rfc3339), "explicitness": .text(facts.explicitness.rawValue),
            "languages": .list(facts.languages.map(JSONNode.text)),
            "product": try node(Items.product(of: item, in: transaction), at: now, in: transaction),
            "files": .list(try ItemFiles.newest(of: item, in: transaction).map(node)),
        ]
        let texts = [
            "bundleId": app?.bundleID.text, "rating": facts.rating, "copyright": facts.copyright,
            "supportAddress": facts.supportAddress, "makerAddress": facts.makerAddress,
            "privacyAddress": facts.privacyAddress, "isbn": facts.isbn, "upc": facts.upc,
        ]
        for (name, text) in texts { members[name] = text.map(JSONNode.text) }
        let numbers = [
            "parent": facts.parent, "disc": facts.disc.map(Int64.init), "number": facts.number.map(Int64.init),
            "milliseconds": facts.milliseconds,
        ]
        for (name, number) in numbers { members[name] = number.map { .number("\($0)") } }
        return .object(members)
    }

    private static func node(_ file: ItemFile) -> JSONNode {
        var members: [String: JSONNode] = [
            "role": .text(file.role.rawValue), "position": .number("\(file.position)"),
            "digest": .text(file.blob.text), "fileName": .text(file.fileName),
        ]
        members["version"] = file.version.map(JSONNode.text)
        members["alternativeText"] = file.alternativeText.map(JSONNode.text)
        return .object(members)
    }
}

// MARK: Reading

extension CatalogueFileReader {
    private static let itemMembers: Set<String> = [
        "storeId", "kind", "teamId", "bundleId", "name", "artist", "genreId", "parent", "disc", "number", "releasedAt",
        "explicitness", "rating", "copyright", "supportAddress", "makerAddress", "privacyAddress", "milliseconds",
        "isbn", "upc", "languages", "product", "files",
    ]

    func item(_ object: FileObject) -> CatalogueFile.Item? {
        object.refuseUnknown(but: Self.itemMembers)
        let kind = object.value("kind", isRequired: true) { text in
            let kind = ItemKind(rawValue: text)
            guard kind.isKnown else {
                let known = ItemKind.all.map(\.rawValue).joined(separator: ", ")
                throw CatalogueError(.valueInvalid, "it is one of \(known)")
            }
            return kind
        }
        let bundle = object.value("bundleId") { try BundleID(parsing: $0) }
        let product = object.object("product", isRequired: true).flatMap {
            self.product($0, longestDescription: ItemLimits.description, longestTitle: ItemLimits.name)
        }
        guard let kind, let product else { return nil }
        if kind == .app, bundle == nil { object.refuse("it is missing", "bundleId") }
        let storeID = object.number("storeId", isRequired: kind != .app).map(Int64.init)
        return CatalogueFile.Item(
            kind: kind, storeID: storeID, bundleID: bundle, team: object.value("teamId") { try TeamID(parsing: $0) },
            draft: draft(object), product: product, files: files(object), place: object.place)
    }

    /// What a file says of an item is all that there is to say, but for its name.
    private func draft(_ object: FileObject) -> ItemDraft {
        var draft = ItemDraft()
        draft.name = object.text("name")
        draft.artist = object.text("artist")
        draft.genreID = object.number("genreId")
        draft.parent = .some(object.number("parent").map(Int64.init))
        draft.disc = .some(object.number("disc"))
        draft.number = .some(object.number("number"))
        draft.releasedAt = object.value("releasedAt") { try Instant(rfc3339: $0) }
        draft.explicitness = object.text("explicitness").map(Explicitness.init)
        draft.rating = .some(object.text("rating"))
        draft.copyright = .some(object.text("copyright"))
        draft.supportAddress = .some(object.text("supportAddress"))
        draft.makerAddress = .some(object.text("makerAddress"))
        draft.privacyAddress = .some(object.text("privacyAddress"))
        draft.milliseconds = .some(object.number("milliseconds").map(Int64.init))
        draft.isbn = .some(object.text("isbn"))
        draft.upc = .some(object.text("upc"))
        draft.languages = object.words("languages")
        return draft
    }

    private func files(_ object: FileObject) -> [ItemFilePlace: String] {
        var files: [ItemFilePlace: String] = [:]
        for entry in object.list("files") {
            entry.refuseUnknown(but: ["role", "position", "version", "digest", "fileName", "alternativeText"])
            guard let role = entry.text("role", isRequired: true), let digest = entry.text("digest", isRequired: true)
            else { continue }
            guard ItemFile.Role(rawValue: role).isKnown, BlobID(digest) != nil else {
                entry.refuse("it is the SHA-256 of a file of a role that there is", "digest")
                continue
            }
            let place = ItemFilePlace(
                ItemFile.Role(rawValue: role), position: entry.number("position") ?? 1, version: entry.text("version"))
            files[place] = digest
        }
        return files
    }
}
