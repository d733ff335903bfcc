import CResources
package import StoreDatabase
import StoreFoundation
package import StoreModel
import StoreRules

/// What a new store has on its storefront if it is asked to: one item of each kind and an app for each sample.
///
/// They are written down in ``DemoItem``. Their files are those of `DemoFiles`, which `Scripts/demo-items.py` makes.
package enum DemoItems {
    /// Enters what is missing; what is there stays as it is. Production sells it too. The apps of the demo have to be there.
    ///
    /// - Parameter blobs: where the files are kept.
    /// - Returns: how many were entered.
    @discardableResult
    package static func enter(
        _ items: [DemoItem] = DemoItem.all, into database: any Database, files blobs: any BlobStore, at now: Instant
    ) async throws -> Int {
        let missing = try await database.read { transaction in
            try items.filter { try find($0, in: transaction) == nil }
        }
        guard !missing.isEmpty else { return 0 }
        let kept = try await OwnThread.run(named: "items") { () throws in
            let all = files
            return try missing.map { item in
                try item.files.map { file in
                    let bytes = all[file.file] ?? []
                    return try ReceivedFile(bytes, as: file.new, of: item.kind, in: blobs)
                }
            }
        }
        let held = Set(kept.joined().map(\.blob))
        try await BlobRemoval.hold(Array(held), in: blobs, of: database, at: now)
        return try await database.write { transaction in
            let change = CatalogueChange(.store, at: now, in: transaction)
            var count = 0
            for (item, files) in zip(missing, kept) where try find(item, in: transaction) == nil {
                try enter(item, files, change)
                count += 1
            }
            return count
        }
    }

    /// The item of the demo, if it is there.
    package static func find(
        _ item: DemoItem, in transaction: any ReadTransaction
    ) throws -> CatalogueItem? {
        guard let team = try team(in: transaction) else { return nil }
        if let bundle = item.bundleID {
            let app = try Catalogue.app(BundleID(parsing: bundle), in: transaction)
            return try app.flatMap { try ItemShelf.item(of: $0.id, in: transaction) }
        }
        return try transaction.query(
            """
            SELECT \(CatalogueItem.columns) FROM item WHERE team_id = $1 AND kind = $2 AND name = $3
            ORDER BY store_id LIMIT 1
            """, team, item.kind, item.texts[0].0, row: CatalogueItem.init
        ).first
    }

    private static func team(in transaction: any ReadTransaction) throws -> TeamID? {
        try Catalogue.app(BundleID(parsing: DemoCatalogue.bundleID), in: transaction)?.teamID
    }

    private static func enter(_ item: DemoItem, _ files: [ReceivedFile], _ change: CatalogueChange) throws {
        guard let team = try team(in: change.transaction) else {
            throw CatalogueError(.appUnknown, "the apps of the demo are not there")
        }
        let parent = try item.parent.flatMap { name in
            try DemoItem.all.first { $0.key == name }.flatMap { try find($0, in: change.transaction) }
        }
        let entered = try Items.add(item.new(partOf: parent?.storeID, since: change.at), of: team, change)
        if let app = entered.appID { try addVersion(item, app, change) }
        let product = try Items.product(of: entered, in: change.transaction)
        for (file, received) in zip(item.files, files) {
            try ItemFiles.put(
                received, at: file.new.place, of: entered, product, alternativeText: file.text, change)
        }
        try Catalogue.approve(product, change)
        guard let app = entered.appID, item.version != nil else { return }
        for step in [AppVersionReview.Event.submitted, .begun, .approved] {
            _ = try AppVersions.advance(step, DemoItem.packagedVersion, of: app, change)
        }
    }

    private static func addVersion(_ item: DemoItem, _ app: AppID, _ change: CatalogueChange) throws {
        guard let notes = item.version,
            try AppVersions.find(DemoItem.packagedVersion, of: app, in: change.transaction) == nil
        else { return }
        _ = try AppVersions.add(DemoItem.packagedVersion, of: app, change)
        for (language, note) in zip(DemoApp.languages, notes) {
            try AppVersionNotes.set(note, in: language, of: DemoItem.packagedVersion, app, change)
        }
    }

    /// The files, by name, which the program carries.
    static var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        while let file = demoFile(files.count)?.pointee {
            files[String(cString: file.name)] = [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
        }
        return files
    }
}

/// An item of the demo.
package struct DemoItem: Sendable {
    /// What the names of its files begin with.
    package let key: String
    package let kind: ItemKind
    /// The app that it is.
    var bundleID: String?
    let artist: String
    let genre: Int
    /// The key of the album of a song, of the season of an episode.
    var parent: String?
    var number: Int?
    /// In dollars; nil for what is not sold by itself.
    let price: String?
    /// When it came out, in days before the demo was entered.
    var age: Int = 30
    var rating: String?
    /// Title and description, in the order of ``DemoApp/languages``.
    package let texts: [(String, String)]
    /// What is new in its version, in the order of ``DemoApp/languages``; nil without one.
    var version: [String]?
    let files: [File]

    /// The version of an app of the demo that has a package.
    static let packagedVersion = "1.0.2"

    /// A file of an item of the demo.
    struct File: Sendable {
        let file: String
        let new: NewItemFile
        let text: String?

        init(_ role: ItemFile.Role, _ file: String, _ position: Int = 1, of version: String? = nil, text: String? = nil)
        {
            (self.file, self.text) = (file, text)
            new = NewItemFile(ItemFilePlace(role, position: position, version: version), called: file)
        }
    }

    func new(partOf parent: Int64?, since now: Instant) throws -> NewItem {
        var draft = ItemDraft()
        (draft.name, draft.artist, draft.genreID) = (texts[0].0, artist, genre)
        (draft.parent, draft.number, draft.rating) = (parent, number, rating)
        draft.releasedAt = now - .seconds(age * 24 * 60 * 60)
        draft.copyright = "Made for the demo of Till"
        if kind == .app {
            (draft.supportAddress, draft.languages) = ("https://www.example.com/help", DemoApp.languages)
        }
        draft.texts = Dictionary(
            uniqueKeysWithValues: zip(DemoApp.languages, texts).map { language, text in
                (language, ItemTextDraft(title: text.0, description: text.1))
            })
        draft.basePrice = try price.map { try Money(decimal: $0, currency: .usd) }
        draft.isFamilyShareable = true
        var new = NewItem(kind, draft)
        new.app = try bundleID.map { try BundleID(parsing: $0) }
        return new
    }
}
