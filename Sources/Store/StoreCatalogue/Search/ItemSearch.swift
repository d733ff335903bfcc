package import StoreDatabase
package import StoreModel

/// The search over everything that the store shows: items of every kind, and those who made them.
///
/// What is found has all words of the term, in any order and each perhaps with another ending. First comes what is called
/// exactly so, then what begins so, then what has all of the words in its name, then what has their beginnings there, then
/// what has them in its maker, its collection or its description; of equals the newest, and then the lower number. The order
/// is the same on every engine. Where nothing has all of the words, those that nothing has are taken for typing errors.
package enum ItemSearch {
    /// What is searched for, and among what.
    package struct Request: Hashable, Sendable {
        package var term: String
        package var kinds: SearchKinds
        package var environment: StoreEnvironment
        package var storefront: StorefrontRecord
        package var attribute: SearchAttribute?
        /// A genre of the store, and those below it.
        package var genre: Int?
        package var allowsExplicit = true
        package var isNewestFirst = false
        /// Whether words that nothing has may be taken for typing errors.
        package var corrects = true

        package init(
            _ term: String, kinds: SearchKinds = [.items, .artists], in environment: StoreEnvironment,
            _ storefront: StorefrontRecord
        ) {
            self.term = term
            self.kinds = kinds
            self.environment = environment
            self.storefront = storefront
        }
    }

    /// One of what was found.
    package struct Match: Hashable, Sendable {
        package let storeID: Int64
        package let kinds: SearchKinds
        package let name: String

        init(_ row: Row) throws {
            var cells = row.cells
            storeID = try cells.next()
            kinds = SearchKinds(rawValue: try cells.next())
            name = try cells.next()
        }
    }

    /// What was found.
    package struct Matches: Hashable, Sendable {
        package var matches: [Match] = []
        /// The term that was searched for in place of the one that was typed, of which nothing has all words.
        package var corrected: String?
    }

    /// A page of what matches, the best first.
    package static func find(
        _ request: Request, offset: Int = 0, limit: Int, in transaction: any ReadTransaction
    ) throws -> Matches {
        guard offset <= SearchLimits.offset else { return Matches() }
        let pieces = request.pieces
        let found = try find(pieces, request, offset: offset, limit: limit, in: transaction)
        guard found.isEmpty, request.corrects else { return Matches(matches: found) }
        if offset > 0, try hasAny(pieces, request, in: transaction) { return Matches() }
        guard let corrected = try correction(of: pieces, in: transaction) else { return Matches() }
        let meant = try find(corrected, request, offset: offset, limit: limit, in: transaction)
        return meant.isEmpty ? Matches() : Matches(matches: meant, corrected: SearchText.text(of: corrected))
    }

    /// How many of each kind match, for a term that is taken as it is.
    package static func counts(
        _ request: Request, in transaction: any ReadTransaction
    ) throws -> [SearchKinds: Int] {
        guard let query = Query(request.pieces, request, transaction.engine) else { return [:] }
        var counts: [SearchKinds: Int] = [:]
        try transaction.forEachRow(
            "SELECT e.kinds, count(*) FROM \(Query.countSource) GROUP BY e.kinds", binding: query.counting
        ) { row in
            var cells = row.cells
            counts[SearchKinds(rawValue: try cells.next())] = try cells.next()
        }
        return counts
    }

    /// What might be meant by the beginning of a term, each name once.
    package static func suggestions(
        _ request: Request, in transaction: any ReadTransaction
    ) throws -> [Match] {
        var request = request
        request.attribute = .allTrackTerm
        request.corrects = false
        let found = try find(
            request, limit: SearchLimits.suggestions * SearchLimits.matchesPerSuggestion, in: transaction)
        var seen: Set<String> = []
        return Array(
            found.matches.filter { seen.insert(SearchText.key(of: $0.name)).inserted }.prefix(SearchLimits.suggestions))
    }

    private static func find(
        _ pieces: [SearchText.Piece], _ request: Request, offset: Int, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Match] {
        guard let query = Query(pieces, request, transaction.engine) else { return [] }
        var found: [Match] = []
        try transaction.forEachRow(
            request.isNewestFirst ? Query.newestFirst : Query.bestFirst,
            binding: query.values + [.integer(Int64(limit)), .integer(Int64(offset))]
        ) { found.append(try Match($0)) }
        return found
    }

    /// Whether anything has all of the words, on whichever page.
    private static func hasAny(
        _ pieces: [SearchText.Piece], _ request: Request, in transaction: any ReadTransaction
    ) throws -> Bool {
        try !find(pieces, request, offset: 0, limit: 1, in: transaction).isEmpty
    }

    /// The term that was probably meant: each word that nothing has is the nearest that something has. nil if there is none.
    private static func correction(
        of pieces: [SearchText.Piece], in transaction: any ReadTransaction
    ) throws -> [SearchText.Piece]? {
        let corrected = try pieces.map { piece -> SearchText.Piece in
            guard case .word(let word) = piece, word.unicodeScalars.count >= SearchSpelling.shortestWord,
                try !SearchSpelling.isKnown(word, in: transaction),
                let near = try SearchSpelling.nearest(to: word, in: transaction)
            else { return piece }
            return .word(near)
        }
        return corrected == pieces ? nil : corrected
    }
}

extension ItemSearch.Request {
    /// The pieces of the term that are searched for.
    var pieces: [SearchText.Piece] {
        Array(SearchText.pieces(of: String(term.prefix(SearchLimits.term))).prefix(SearchLimits.words))
    }
}

/// The statements of a search, and what is bound to them.
private struct Query {
    /// Those of ``bestFirst``, without the page.
    let values: [DatabaseValue]
    /// Those of counts.
    let counting: [DatabaseValue]

    /// nil for a term without words.
    init?(_ pieces: [SearchText.Piece], _ request: ItemSearch.Request, _ engine: DatabaseEngine) {
        guard let asked = request.expression(of: pieces) else { return nil }
        let whole = SearchExpression(pieces, in: .name, isWhole: true)
        let beginnings = SearchExpression(pieces, in: .name)
        let filters: [DatabaseValue] = [
            .integer(Int64(SearchDocument.bits(of: [request.environment]))), .integer(Int64(request.kinds.rawValue)),
            .integer(request.allowsExplicit ? 1 : 0), .text(request.storefront.alpha3),
        ]
        let first: [DatabaseValue] = [.text(asked.text(for: engine))]
        counting = first + filters
        values =
            first + [
                .text(whole.text(for: engine)), .text(beginnings.text(for: engine)),
                .text(SearchText.text(of: pieces)),
            ] + filters
    }

    static let bestFirst: SQL = "\(selection) ORDER BY \(rank), e.released_at DESC, e.store_id LIMIT $9 OFFSET $10"
    static let newestFirst: SQL = "\(selection) ORDER BY e.released_at DESC, \(rank), e.store_id LIMIT $9 OFFSET $10"

    private static let selection: SQL = """
        SELECT e.store_id, e.kinds, e.name FROM search_text JOIN search_entry AS e ON e.entry_id = \(.wordsEntry)
        WHERE \(.matches) AND (e.environments & $5) <> 0 AND (e.kinds & $6) <> 0 AND ($7 = 1 OR e.is_explicit = 0)
            AND NOT EXISTS (
                SELECT 1 FROM product_withdrawal AS w WHERE w.item_id = e.item_id AND w.storefront = $8
                    AND ($5 = \(sandbox) OR \(undrafted))
            ) AND ($5 = \(sandbox) OR NOT EXISTS (
                SELECT 1 FROM published_withdrawal AS w WHERE w.item_id = e.item_id AND w.storefront = $8
            ))
        """

    private static let rank: SQL = """
        CASE WHEN e.name_key = $4 THEN 0 WHEN substr(e.name_key, 1, length($4) + 1) = $4 || ' ' THEN 1
            WHEN \(.hasWholeWords) THEN 2 WHEN \(.hasInName) THEN 3 ELSE 4 END
        """

    static let countSource: SQL = """
        search_text JOIN search_entry AS e ON e.entry_id = \(.wordsEntry)
        WHERE \(.matches) AND (e.environments & $2) <> 0 AND (e.kinds & $3) <> 0 AND ($4 = 1 OR e.is_explicit = 0)
            AND NOT EXISTS (
                SELECT 1 FROM product_withdrawal AS w WHERE w.item_id = e.item_id AND w.storefront = $5
                    AND ($2 = \(sandbox) OR \(undrafted))
            ) AND ($2 = \(sandbox) OR NOT EXISTS (
                SELECT 1 FROM published_withdrawal AS w WHERE w.item_id = e.item_id AND w.storefront = $5
            ))
        """

    /// The bit of the sandbox, which sells by the newest edition.
    private static let sandbox: SQL = "2"

    /// Production goes by the withdrawals that were published, where there is a draft.
    private static let undrafted: SQL =
        "NOT EXISTS (SELECT 1 FROM published_product AS published WHERE published.item_id = w.item_id)"
}
