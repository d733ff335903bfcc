package import StoreDatabase
import StoreModel
import StoreRules

extension SearchIndex {
    /// Brings the index up to what a change has made of something.
    static func follow(_ subject: CatalogueAudit.Subject, _ transaction: any WriteTransaction) throws {
        switch subject {
        case .product(let id):
            guard let item = try ItemShelf.item(of: id, in: transaction) else { return }
            try refresh([item.storeID], transaction)
        case .artist(let id):
            let items = try transaction.query("SELECT store_id FROM item WHERE artist_id = $1", id) {
                try $0.value(0, as: Int64.self)
            }
            try refresh(items, transaction)
            try refresh(artist: id, transaction)
        case .store, .team, .app, .token: break
        }
    }

    /// Writes the words of these items anew, those of what they consist of where their names are part of that, and those of
    /// their artists.
    package static func refresh(_ ids: [Int64], _ transaction: any WriteTransaction) throws {
        let former = try entries(of: ids, in: transaction)
        let reading = try SearchReading(ids, in: transaction)
        var artists = Set(former.values.flatMap { $0.compactMap { $0.artist } })
        for id in ids {
            let documents = reading.documents(of: id)
            try put(documents, of: id, transaction)
            artists.formUnion(documents.compactMap(\.artistID))
            guard let item = reading.items[id], item.kind.isCollection,
                Set(documents.map(\.name)) != Set((former[id] ?? []).map { $0.name })
            else { continue }
            let children = try transaction.query("SELECT store_id FROM item WHERE parent_id = $1", id) {
                try $0.value(0, as: Int64.self)
            }
            try refresh(children, transaction)
        }
        for artist in artists.sorted() { try refresh(artist: artist, transaction) }
    }

    /// Writes the words of an artist anew. Artists are found where something of theirs is.
    private static func refresh(artist id: Int64, _ transaction: any WriteTransaction) throws {
        guard let artist = try Artists.find(id, in: transaction) else { return try put([], of: id, transaction) }
        let environments = try StoreEnvironment.allCases.filter { environment in
            try transaction.optional(
                "SELECT 1 FROM search_entry WHERE artist_id = $1 AND (environments & $2) <> 0 LIMIT 1", id,
                SearchDocument.bits(of: [environment])
            ) { _ in true } ?? false
        }
        let document = SearchDocument(artist, in: Set(environments))
        try put(environments.isEmpty ? [] : [document], of: id, transaction)
    }

    private static func entries(
        of ids: [Int64], in transaction: any ReadTransaction
    ) throws -> [Int64: [(name: String, artist: Int64?)]] {
        var entries: [Int64: [(name: String, artist: Int64?)]] = [:]
        _ = try transaction.query(
            "SELECT store_id, name, artist_id FROM search_entry WHERE entry_id IN \(.numbers)",
            of: ids.flatMap(entries(of:))
        ) { row in
            var cells = row.cells
            let id = try cells.next(as: Int64.self)
            entries[id, default: []].append((name: try cells.next(), artist: try cells.next()))
        }
        return entries
    }

    // MARK: Rebuilding

    /// How many items are written in one step of a rebuilding.
    static let itemsPerStep = 500

    /// Begins to write the index anew: the engine makes its own part of it again, and what is of nothing goes. What is there is
    /// found meanwhile.
    static func beginRebuilding(_ transaction: any WriteTransaction) throws {
        if transaction.engine == .sqlite {
            try transaction.execute("INSERT INTO search_text (search_text) VALUES ('rebuild')")
            try transaction.execute("DELETE FROM search_spelling")
        }
        try transaction.execute("DELETE FROM search_word")
        try transaction.execute(
            """
            DELETE FROM search_entry WHERE store_id NOT IN (SELECT store_id FROM item)
                AND store_id NOT IN (SELECT artist_id FROM artist)
            """)
        try transaction.execute(
            "DELETE FROM search_text WHERE \(.wordsEntry) NOT IN (SELECT entry_id FROM search_entry)")
    }

    /// Writes the words of the items after a store id anew, and of their artists; gives the last of them and how many they are,
    /// nil if there are none.
    static func rebuild(
        after last: Int64, _ transaction: any WriteTransaction
    ) throws -> (last: Int64, count: Int)? {
        let ids = try transaction.query(
            "SELECT store_id FROM item WHERE store_id > $1 ORDER BY store_id LIMIT $2", last, itemsPerStep
        ) { try $0.value(0, as: Int64.self) }
        guard let end = ids.last else { return nil }
        let reading = try SearchReading(ids, in: transaction)
        for id in ids { try put(reading.documents(of: id), of: id, transaction) }
        for artist in reading.artists.keys.sorted() { try refresh(artist: artist, transaction) }
        return (end, ids.count)
    }

    /// What is wrong with the index, a sentence each: entries that miss their words, words of what is not there, and items
    /// that are shown and cannot be found.
    package static func problems(in transaction: any ReadTransaction) throws -> [String] {
        let counts: [(SQL, String)] = [
            (
                """
                SELECT count(*) FROM search_entry AS e WHERE NOT EXISTS (
                    SELECT 1 FROM search_text WHERE \(.wordsEntry) = e.entry_id
                )
                """, "entries of the search have no words"
            ),
            (
                """
                SELECT count(*) FROM search_text WHERE NOT EXISTS (
                    SELECT 1 FROM search_entry AS e WHERE e.entry_id = \(.wordsEntry)
                )
                """, "rows of words in the search are of nothing"
            ),
            (
                """
                SELECT count(*) FROM item JOIN product ON product.item_id = item.item_id
                WHERE \(ItemShelf.isShown(in: .production)) AND NOT EXISTS (
                    SELECT 1 FROM search_entry AS e WHERE e.entry_id IN (item.store_id * 2, item.store_id * 2 + 1)
                        AND (e.environments & 1) <> 0
                )
                """, "items that production shows are not found"
            ),
        ]
        return try counts.compactMap { statement, words in
            let count = try transaction.value(statement, as: Int.self)
            return count == 0 ? nil : "\(count) \(words); write the index anew with till database reindex"
        }
    }
}

extension CatalogueEditing {
    /// Writes the index of the search anew, step by step, for those who look after the whole store.
    ///
    /// - Returns: how many items there are.
    package func reindex() async throws -> Int {
        try actor.require(.teams, in: .production)
        try await write(for: .teams) { try SearchIndex.beginRebuilding($0.transaction) }
        var (last, count) = (Int64(0), 0)
        var named: Int64? = 0
        while let start = named {
            named = try await write(for: .teams) { try NameWords.rebuild(after: start, $0.transaction) }
        }
        while true {
            let start = last
            guard let step = try await write(for: .teams, { try SearchIndex.rebuild(after: start, $0.transaction) })
            else { return count }
            (last, count) = (step.last, count + step.count)
        }
    }
}

extension SearchDocument {
    /// An artist, who is found by name.
    init(_ artist: Artist, in environments: Set<StoreEnvironment>) {
        self.init(
            storeID: artist.storeID, environments: environments, kinds: SearchKinds(artist.kind), itemID: nil,
            artistID: nil, name: artist.name, names: [artist.name], makers: [artist.name], collections: [], details: [],
            facts: [], isExplicit: false, releasedAt: artist.createdAt)
    }
}

/// What is read of some items at once, to write their words.
struct SearchReading {
    private(set) var items: [Int64: CatalogueItem]
    let artists: [Int64: Artist]
    private let drafts: [Int64: ItemFacts]
    private let products: [ItemID: CatalogueProduct]
    /// What production sells of those that were drafted.
    private let editions: [ItemID: ProductEdition]
    private var texts: [ItemID: [String: ProductText]] = [:]
    private var newTexts: [ItemID: [String: ProductText]] = [:]
    private let parents: [Int64: CatalogueItem]
    private let parentDrafts: [Int64: ItemFacts]

    init(_ ids: [Int64], in transaction: any ReadTransaction) throws {
        items = try ItemShelf.items(ids, in: transaction)
        drafts = try ItemDrafts.facts(of: items.keys, in: transaction)
        let facts = Array(items.values.map(\.facts)) + drafts.values
        products = try Catalogue.products(all: items.values.map(\.itemID), in: transaction)
        editions = try ProductEditions.published(of: products.values, in: .production, transaction)
        artists = try Artists.find(all: facts.map(\.artistID), in: transaction)
        parents = try ItemShelf.items(facts.compactMap(\.parent), in: transaction)
        parentDrafts = try ItemDrafts.facts(of: parents.keys, in: transaction)
        let sold = items.values.map(\.itemID)
        var (texts, newTexts): ([ItemID: [String: ProductText]], [ItemID: [String: ProductText]]) = ([:], [:])
        _ = try transaction.query(
            "SELECT item_id, language, title, description FROM product_text WHERE item_id IN \(.numbers)", of: sold
        ) { try Self.take($0, into: &texts) }
        newTexts = texts
        _ = try transaction.query(
            "SELECT item_id, language, title, description FROM product_text_change WHERE item_id IN \(.numbers)",
            of: sold
        ) { try Self.take($0, into: &newTexts) }
        (self.texts, self.newTexts) = (texts, newTexts)
    }

    private static func take(_ row: Row, into texts: inout [ItemID: [String: ProductText]]) throws {
        var cells = row.cells
        let (item, language) = (try cells.next(as: ItemID.self), try cells.next(as: String.self))
        texts[item, default: [:]][language] = try ProductText(title: cells.next(), description: cells.next())
    }

    /// What is found of an item: one document where both environments show the same, none where neither shows it.
    func documents(of id: Int64) -> [SearchDocument] {
        guard let item = items[id], let product = products[item.itemID] else { return [] }
        let shown = StoreEnvironment.allCases.filter { environment in
            let sold = environment == .sandbox ? product : product.published(by: editions[item.itemID])
            return sold.removedAt == nil && sold.isClearedForSale && sold.review.isSold(in: environment)
        }
        let all = shown.compactMap { document(of: item, in: $0) }
        guard let first = all.first, let second = all.last, all.count == 2 else { return all }
        var both = first
        both.environments = second.environments
        guard both == second else { return all }
        both.environments = first.environments.union(second.environments)
        return [both]
    }

    private func document(of item: CatalogueItem, in environment: StoreEnvironment) -> SearchDocument? {
        let isNewest = environment == .sandbox
        let facts = isNewest ? drafts[item.storeID] ?? item.facts : item.facts
        guard let artist = artists[facts.artistID] else { return nil }
        let texts = ((isNewest ? newTexts : texts)[item.itemID] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        let parent = facts.parent.flatMap { id in (isNewest ? parentDrafts[id] : nil) ?? parents[id]?.facts }
        let names = Self.different([facts.name] + texts.map(\.title))
        let genres = facts.genre?.path ?? []
        let genreNames = genres.dropLast().compactMap { Genre.find($0)?.name }
        return SearchDocument(
            storeID: item.storeID, environments: [environment], kinds: SearchKinds(item.kind), itemID: item.itemID,
            artistID: facts.artistID, name: facts.name, names: names, makers: [artist.name],
            collections: item.kind.isCollection ? names : parent.map { [$0.name] } ?? [],
            details: texts.map(\.description) + genreNames,
            facts: Self.facts(of: facts, genres: genres, genreNames), isExplicit: facts.explicitness == .explicit,
            releasedAt: facts.releasedAt)
    }

    private static func facts(of facts: ItemFacts, genres: [Int], _ genreNames: [String]) -> [String] {
        let languages = facts.languages.flatMap { [$0, String($0.prefix { $0 != "-" })] }
        return genres.map(SearchFact.genre) + genreNames.flatMap(SearchText.words(of:)).map(SearchFact.genreName)
            + [SearchFact.year(String(facts.releasedAt.rfc3339.prefix(4)))]
            + SearchText.words(of: facts.rating ?? "").map(SearchFact.rating)
            + different(languages).map(SearchFact.language)
    }

    /// Each text once, without those that are empty.
    private static func different(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
