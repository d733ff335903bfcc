package import StoreDatabase
package import StoreModel
import StoreRules

/// The files of items.
package enum ItemFiles {
    /// All files of these items, drafts too, in order.
    package static func list(
        of ids: some Sequence<Int64>, in transaction: any ReadTransaction
    ) throws -> [Int64: [ItemFile]] {
        let found = try transaction.query(
            """
            SELECT \(ItemFile.columns) FROM item_file WHERE store_id IN \(.numbers)
            ORDER BY store_id, role, added_at, position
            """, of: ids, row: ItemFile.init)
        return Dictionary(grouping: found, by: \.storeID)
    }

    /// All files of an item, drafts too.
    package static func list(of id: Int64, in transaction: any ReadTransaction) throws -> [ItemFile] {
        try list(of: [id], in: transaction)[id] ?? []
    }

    /// The files of an item as its developer left them.
    static func newest(of item: CatalogueItem, in transaction: any ReadTransaction) throws -> [ItemFile] {
        let files = try list(of: item.storeID, in: transaction)
        let drafts = Set(files.filter(\.isDraft).map(\.place))
        return files.filter { $0.isDraft || !drafts.contains($0.place) }
    }

    /// Those of some files that an environment shows: production what is approved, the sandbox what is newest.
    ///
    /// - Parameter versions: of the app, those that the environment has; packages of others are left out.
    package static func shown(
        _ files: [ItemFile], in environment: StoreEnvironment, versions: [AppVersion] = []
    ) -> [ItemFile] {
        let known = Set(versions.filter { environment == .sandbox || $0.review.state == .approved }.map(\.version))
        let there = files.filter { file in
            (environment == .sandbox || !file.isDraft) && (file.version.map(known.contains) ?? true)
        }
        let drafts = Set(there.filter(\.isDraft).map(\.place))
        return there.filter { $0.isDraft || !drafts.contains($0.place) }
            .sorted { ($0.role.rawValue, $0.position) < ($1.role.rawValue, $1.position) }
    }

    /// Whether a blob is a file of any item, also of one that waits for its approval.
    package static func isUsed(_ blob: BlobID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value("SELECT count(*) FROM item_file WHERE digest = $1", blob, as: Int.self) > 0
    }

    /// What an item lacks before it is reviewed, in words.
    static func missing(of item: CatalogueItem, in transaction: any ReadTransaction) throws -> [String] {
        let there = Set(try list(of: item.storeID, in: transaction).map(\.role))
        return item.kind.needed.filter { !there.contains($0) }.map { $0 == .artwork ? "its artwork" : "its file" }
    }

    /// What an album or a season lacks as long as an environment shows none of its parts, in words; nil for everything else.
    static func missingParts(
        of item: CatalogueItem, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> String? {
        guard item.kind.isCollection,
            try ItemShelf.children(of: item.storeID, in: environment, transaction).isEmpty
        else { return nil }
        return item.kind == .album ? "its songs" : "its episodes"
    }

    // MARK: Changing

    /// Gives an item a file that is a blob already, in place of the one that stands there. What production shows is kept until the
    /// new one is approved.
    static func put(
        _ file: ReceivedFile, at place: ItemFilePlace, of item: CatalogueItem, _ product: CatalogueProduct,
        alternativeText: String?, _ change: CatalogueChange
    ) throws {
        try BlobRemoval.claim(file.blob, in: change.transaction)
        let files = try list(of: item.storeID, in: change.transaction)
        try requirePlace(place, of: item, beside: files, in: change.transaction)
        let text = try alternativeText.flatMap { text in
            try text.isEmpty
                ? nil : CatalogueText.line(text, atMost: ItemLimits.alternativeText, field: "alternativeText")
        }
        let isDraft = product.review.isLive
        try Catalogue.change(product, "\(place.role) file", change) {
            try drop(place, isDraft: isDraft, of: item, beside: files, change)
            try change.transaction.insert(
                into: "item_file",
                [
                    "store_id": item.storeID, "role": place.role, "version": place.version ?? "",
                    "position": place.position, "is_draft": isDraft, "digest": file.blob,
                    "media_type": file.head.mediaType, "bytes": file.bytes, "width": file.head.width,
                    "height": file.head.height, "milliseconds": file.head.milliseconds, "alternative_text": text,
                    "file_name": file.name, "added_at": change.at,
                ])
            if place.role == .package, let length = file.head.milliseconds, length > 0 {
                // What plays says itself how long it is, unless somebody said so before.
                try change.transaction.execute(
                    "UPDATE item SET milliseconds = $2 WHERE store_id = $1 AND milliseconds IS NULL", item.storeID,
                    length)
            }
            // The package of a version that is not approved yet is reviewed with that.
            if try isApproved(place, of: item, in: change.transaction) {
                try ProductReviews.advance(.edited, item.itemID, change)
            }
        }
    }

    /// Takes an item the file that stands in a place: the draft, or else the one that is shown.
    static func remove(
        _ place: ItemFilePlace, of item: CatalogueItem, _ product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        let files = try list(of: item.storeID, in: change.transaction).filter { $0.place == place }
        guard let found = files.first(where: \.isDraft) ?? files.first else {
            throw CatalogueError(.nameUnknown, "the item has no such file", field: "file")
        }
        if !found.isDraft, Catalogue.isLive(product) {
            guard place.role != .package else {
                throw CatalogueError(
                    .stateWrong, "customers have this file; it can be replaced, and not taken away", field: "role")
            }
            try change.actor.requireReach(of: .production)
        }
        try Catalogue.change(product, "\(place.role) file removed", change) {
            try drop(place, isDraft: found.isDraft, of: item, beside: files, change)
            if !product.review.isLive { try ProductReviews.advance(.edited, item.itemID, change) }
        }
    }

    /// Shows production the drafts of an item, because they are approved.
    ///
    /// - Parameter version: shows the packages of this version of an app alone; nil for everything.
    static func publish(_ item: CatalogueItem, version: String? = nil, _ change: CatalogueChange) throws {
        let files = try list(of: item.storeID, in: change.transaction)
        for draft in files where draft.isDraft && (version == nil || draft.version == version) {
            try drop(draft.place, isDraft: false, of: item, beside: files, change)
            try change.transaction.update("item_file", ["is_draft": false], where: key(draft.place, true, item))
        }
    }

    private static func key(_ place: ItemFilePlace, _ isDraft: Bool, _ item: CatalogueItem) -> RowValues {
        [
            "store_id": item.storeID, "role": place.role, "version": place.version ?? "", "position": place.position,
            "is_draft": isDraft,
        ]
    }

    private static func drop(
        _ place: ItemFilePlace, isDraft: Bool, of item: CatalogueItem, beside files: [ItemFile],
        _ change: CatalogueChange
    ) throws {
        for file in files where file.place == place && file.isDraft == isDraft {
            try BlobRemoval.mark(file.blob, at: change.at, in: change.transaction)
            try change.transaction.execute(
                """
                DELETE FROM item_file WHERE store_id = $1 AND role = $2 AND version = $3 AND position = $4
                    AND is_draft = $5
                """, item.storeID, place.role, place.version ?? "", place.position, isDraft)
        }
    }

    // MARK: Rules

    /// Throws unless a file may stand in a place.
    static func requirePlace(
        _ place: ItemFilePlace, of item: CatalogueItem, beside files: [ItemFile], in transaction: any ReadTransaction
    ) throws {
        guard place.role.isKnown, item.kind.roles.contains(place.role) else {
            let roles = item.kind.roles.map(\.rawValue).joined(separator: ", ")
            throw CatalogueError(.valueInvalid, "the files of \(item.kind.withArticle) are \(roles)", field: "role")
        }
        let most = place.role.most(of: item.kind)
        guard (1...most).contains(place.position) else {
            throw CatalogueError(
                .valueInvalid, "\(item.kind.withArticle) has at most \(most) files of the role \(place.role)",
                field: "position")
        }
        guard (place.version != nil) == (item.kind == .app && place.role == .package) else {
            throw CatalogueError(
                place.version == nil ? .valueMissing : .valueInvalid,
                "the package of an app is one of its versions, and nothing else is", field: "version")
        }
        try requireOpen(place, of: item, beside: files, in: transaction)
    }

    /// Whether the version that a package is of is approved; true of all that is of none.
    private static func isApproved(
        _ place: ItemFilePlace, of item: CatalogueItem, in transaction: any ReadTransaction
    ) throws -> Bool {
        guard let version = place.version, let app = item.appID else { return true }
        return try AppVersions.require(version, of: app, in: transaction).review.state == .approved
    }

    /// The package of a version is what was reviewed: once both are approved it stays.
    private static func requireOpen(
        _ place: ItemFilePlace, of item: CatalogueItem, beside files: [ItemFile], in transaction: any ReadTransaction
    ) throws {
        guard let version = place.version, let app = item.appID else { return }
        let found = try AppVersions.require(version, of: app, in: transaction)
        guard ![.waitingForReview, .inReview].contains(found.review.state) else {
            throw CatalogueError(
                .stateWrong, "version \(version) is being reviewed; till versions withdraw takes it back",
                field: "version")
        }
        let isShown = files.contains { $0.version == version && !$0.isDraft }
        guard found.review.state != .approved || !isShown else {
            throw CatalogueError(
                .stateWrong,
                "version \(version) is approved with the packages that it has; till versions add enters a new one",
                field: "version")
        }
    }
}

extension ItemKind {
    /// The files that something of this kind may have.
    package var roles: [ItemFile.Role] {
        switch self {
        case .app: [.artwork, .wide, .screenshot, .preview, .package]
        case .song, .episode: [.artwork, .preview, .package]
        case .album, .season: [.artwork, .wide, .preview]
        case .film, .audiobook: [.artwork, .wide, .preview, .package]
        case .book: [.artwork, .wide, .sample, .package]
        default: []
        }
    }

    /// What has to be there before it is reviewed.
    var needed: [ItemFile.Role] {
        switch self {
        case .app, .album, .season: [.artwork]
        case .song, .episode: [.package]
        default: [.artwork, .package]
        }
    }
}

extension ItemFile.Role {
    /// How many files of this role something may have.
    package func most(of kind: ItemKind) -> Int {
        switch self {
        case .screenshot: ItemFileLimits.screenshots
        case .preview: ItemFileLimits.previews
        // A processor and a form each.
        case .package: kind == .app || kind == .audiobook ? ItemFileLimits.packages : 1
        default: 1
        }
    }
}
