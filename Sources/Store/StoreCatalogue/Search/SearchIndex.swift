import StoreDatabase
import StoreModel

/// The index of the search: written in the transaction that changes what it is of, so that no search finds what is gone or
/// misses what is there.
package enum SearchIndex {
    /// Brings what the index has of an item or an artist to these documents: one, or two where the sandbox shows another
    /// than production; none for what nobody may see.
    static func put(_ documents: [SearchDocument], of storeID: Int64, _ transaction: any WriteTransaction) throws {
        for entry in entries(of: storeID) {
            try transaction.execute("\(.removeWords)", entry)
            try transaction.execute("DELETE FROM search_entry WHERE entry_id = $1", entry)
        }
        for (entry, document) in zip(entries(of: storeID), documents) {
            try write(document, as: entry, transaction)
        }
    }

    /// The numbers of the entries that something may have: twice its own, and the next.
    static func entries(of storeID: Int64) -> [Int64] { [storeID &* 2, storeID &* 2 &+ 1] }

    private static func write(
        _ document: SearchDocument, as entry: Int64, _ transaction: any WriteTransaction
    ) throws {
        try transaction.insert(
            into: "search_entry",
            [
                "entry_id": entry, "store_id": document.storeID,
                "environments": SearchDocument.bits(of: document.environments), "kinds": document.kinds.rawValue,
                "item_id": document.itemID, "artist_id": document.artistID, "name": document.name,
                "name_key": SearchText.key(of: document.name), "is_explicit": document.isExplicit,
                "released_at": document.releasedAt,
            ])
        if transaction.engine == .postgres {
            try transaction.execute(
                "INSERT INTO search_text (entry_id, words) SELECT $1, $2::text::tsvector", entry,
                document.postgresWords)
        } else {
            let fields = document.fields.map { $0.words.joined(separator: " ") }
            try transaction.insert(
                into: "search_text",
                [
                    "rowid": entry, "name": fields[0], "maker": fields[1], "collection": fields[2],
                    "details": fields[3],
                ])
        }
        for word in document.vocabulary.sorted() { try learn(word, transaction) }
    }

    /// Keeps a word that typing errors may be corrected to. It stays when what has it goes: a word that nothing has any
    /// more is found to be of no use, and the next rebuilding leaves it out.
    private static func learn(_ word: String, _ transaction: any WriteTransaction) throws {
        let spelling = SearchText.spelling(of: word)
        let isNew = try transaction.insertIfNew(into: "search_word", ["word": word, "spelling": spelling])
        guard isNew, transaction.engine == .sqlite else { return }
        try transaction.insert(
            into: "search_spelling", ["spelling": SearchSpelling.padded(spelling), "word": word])
    }
}

/// Words that are spelled much as another.
enum SearchSpelling {
    /// Shorter words are near to too many others.
    static let shortestWord = 3

    /// The word that was probably meant by one that nothing has; nil if none is near.
    static func nearest(to word: String, in transaction: any ReadTransaction) throws -> String? {
        let spelling = SearchText.spelling(of: word)
        let asked = transaction.engine == .sqlite ? trigrams(of: spelling) : spelling
        let near = try transaction.query("\(.nearestWords)", asked, SearchLimits.nearWords) {
            try $0.value(0, as: String.self)
        }
        return NearestName.of(word, among: near.filter { $0 != word }.sorted())
    }

    /// Whether a document has a word that begins so.
    static func isKnown(_ beginning: String, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.optional(
            "SELECT 1 FROM search_word WHERE word >= $1 AND word < $2 LIMIT 1", beginning, beginning + "\u{10FFFF}"
        ) { _ in true } ?? false
    }

    /// A spelling with what begins and ends it, so that the first and the last letter are in as many trigrams as others.
    static func padded(_ spelling: String) -> String { "  \(spelling) " }

    private static func trigrams(of spelling: String) -> String {
        let letters = Array(padded(spelling))
        let all = (0..<letters.count - 2).map { "\"\(String(letters[$0..<$0 + 3]))\"" }
        return Set(all).sorted().joined(separator: " OR ")
    }
}
