package import StoreCatalogue
package import StoreDatabase
package import StoreModel

/// Items that searches of tests are for, those of the documents among them.
package struct SearchSample: Sendable {
    /// The store ids, by the names of ``entries``; two of one name by name and kind.
    package let ids: [String: Int64]
    private let database: any Database

    package static let books = Int64(364_709_193)
    package static let kangarooBook = Int64(395_000_001)

    package struct Entry: Sendable {
        let kind: ItemKind
        let name: String
        let artist: String
        let genre: Int
        var storeID: Int64?
        var parent: String?
        var number: Int?
        var price: String? = "1.99"
        var explicitness = Explicitness.notExplicit
        var age = 10
        var rating: String?
        var isbn: String?
        var upc: String?
        var texts: [String: ProductText] = [:]

        /// By which others name it.
        var key: String { kind == .film ? "\(name) (film)" : name }
    }

    package static let entries = [
        Entry(
            kind: .app, name: "iBooks", artist: "Apple", genre: 6018, storeID: books, price: "0.00", rating: "4+",
            texts: ["en-US": ProductText(title: "iBooks", description: "Read and browse a library of great books.")]),
        Entry(
            kind: .book, name: "Dot and the Kangaroo", artist: "Ethel C. Pedley", genre: 9010, storeID: kangarooBook,
            price: "0.99", age: 3000, isbn: "9780192793737"),
        Entry(
            kind: .film, name: "Dot and the Kangaroo", artist: "Yoram Gross", genre: 4410, age: 2000, rating: "G",
            upc: "036000291452"),
        Entry(kind: .album, name: "Night Bus", artist: "Beyoncé", genre: 14, price: "9.99"),
        Entry(
            kind: .song, name: "Ĺa Última Parada", artist: "Beyoncé", genre: 14, parent: "Night Bus", number: 1,
            explicitness: .explicit),
        Entry(
            kind: .song, name: "Terminus", artist: "Beyoncé", genre: 14, parent: "Night Bus", number: 2, price: nil),
        Entry(kind: .season, name: "Harbour Lights", artist: "Harbour", genre: 4001, price: "12.99"),
        Entry(
            kind: .episode, name: "The Kangaroo Court", artist: "Harbour", genre: 4001, parent: "Harbour Lights",
            number: 1),
        Entry(
            kind: .book, name: "吾輩は猫である", artist: "夏目漱石", genre: 9031,
            texts: ["ja": ProductText(title: "吾輩は猫である", description: "名前はまだ無い。どこで生れたか見当がつかぬ。")]),
        Entry(
            kind: .film, name: "Tokyo Story", artist: "小津安二郎", genre: 4425, age: 9000,
            texts: [
                "en-US": ProductText(title: "Tokyo Story", description: "An old couple visits the city."),
                "ja": ProductText(title: "東京物語", description: "尾道の老夫婦が東京の子供たちを訪ねる。"),
            ]),
        Entry(
            kind: .audiobook, name: "红楼梦", artist: "曹雪芹", genre: 50_000_045,
            texts: ["zh-Hans": ProductText(title: "红楼梦", description: "中国古典小说。")]),
        Entry(kind: .book, name: "Kangaroos of the World", artist: "Dot Marsh", genre: 9019, isbn: "9780306406157"),
    ]

    /// Enters the entries, which both environments show.
    package init(in database: any Database, at now: Instant = CatalogueSample.now) async throws {
        let editing = CatalogueEditing(database, by: .owner, request: nil, now: { now })
        var ids: [String: Int64] = [:]
        for entry in Self.entries {
            if entry.kind == .app {
                _ = try await editing.addApp(
                    BundleID(parsing: "com.apple.iBooks"), name: entry.name, primaryLanguage: "en-US", team: nil,
                    storeID: entry.storeID)
            }
            let item = try await editing.addItem(Self.new(entry, partOf: entry.parent.flatMap { ids[$0] }, at: now))
            ids[entry.key] = item.storeID
            try await Self.show(item.item, in: database)
        }
        (self.ids, self.database) = (ids, database)
    }

    private static func new(_ entry: Entry, partOf parent: Int64?, at now: Instant) throws -> NewItem {
        var draft = ItemDraft()
        (draft.name, draft.artist, draft.genreID) = (entry.name, entry.artist, entry.genre)
        (draft.explicitness, draft.releasedAt) = (entry.explicitness, now - .seconds(entry.age * 24 * 60 * 60))
        if let parent { draft.parent = .some(parent) }
        if let number = entry.number { draft.number = .some(number) }
        if let rating = entry.rating { draft.rating = .some(rating) }
        if let isbn = entry.isbn { draft.isbn = .some(isbn) }
        if let upc = entry.upc { draft.upc = .some(upc) }
        draft.basePrice = try entry.price.map { try Money(decimal: $0, currency: .usd) }
        draft.texts =
            entry.texts.isEmpty
            ? ["en-US": ItemTextDraft(title: entry.name, description: "")]
            : entry.texts.mapValues { ItemTextDraft(title: $0.title, description: $0.description) }
        var new = NewItem(entry.kind, draft)
        if entry.kind == .app {
            new.app = try BundleID(parsing: "com.apple.iBooks")
        } else {
            new.storeID = entry.storeID
        }
        return new
    }

    /// Lets both environments show an item without the files that a review asks for.
    package static func show(_ item: CatalogueItem, in database: any Database) async throws {
        try await database.write { transaction in
            try transaction.execute(
                "UPDATE product SET state = 'approved', is_live = 1 WHERE item_id = $1", item.itemID)
            try SearchIndex.refresh([item.storeID], transaction)
        }
    }

    /// The names of what a search finds, the best first; of films with their kind behind them.
    package func names(
        _ term: String, kinds: SearchKinds = .items, in environment: StoreEnvironment = .production,
        storefront: String = "USA", changing change: (inout ItemSearch.Request) -> Void = { _ in }
    ) async throws -> [String] {
        try await matches(term, kinds: kinds, in: environment, storefront: storefront, changing: change).matches.map {
            $0.kinds == .films ? "\($0.name) (film)" : $0.name
        }
    }

    package func matches(
        _ term: String, kinds: SearchKinds = .items, in environment: StoreEnvironment = .production,
        storefront: String = "USA", offset: Int = 0, limit: Int = 50,
        changing change: (inout ItemSearch.Request) -> Void = { _ in }
    ) async throws -> ItemSearch.Matches {
        var request = ItemSearch.Request(
            term, kinds: kinds, in: environment, try CatalogueSample.storefront(storefront))
        change(&request)
        let asked = request
        return try await database.read { try ItemSearch.find(asked, offset: offset, limit: limit, in: $0) }
    }
}
