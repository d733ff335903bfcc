package import StoreDatabase

/// The words of names, titles, ids and addresses, by whose beginnings operators find things: one table in each database,
/// written in the transaction that changes what has the name.
///
/// Case and diacritics make no difference. An id with dots is several words, and so is an address: `lumen` finds
/// `com.acme.lumen`.
package enum NameWords {
    /// What has a name. Each is of one database.
    package enum Kind: String, Sendable {
        // Closed: each has its use case that keeps the words up.
        case app, product, item, team, member, customer
    }

    package static let tables: [SQL] = [
        // The reference is the number of a thing, or its id; app and team are those whose members may find it.
        """
        CREATE TABLE name_word (
            kind \(.text) NOT NULL, word \(.text) NOT NULL, reference \(.text) NOT NULL, app_id \(.integer),
            team_id \(.text), PRIMARY KEY (kind, word, reference)
        ) \(.keyedTable)
        """,
        "CREATE INDEX name_word_of ON name_word (kind, reference, word)",
    ]

    /// The words of one thing that count.
    package static let most = 200
    /// The words that one looks for at a time.
    package static let mostAsked = 4
    /// Brings the words of something to those of these texts; without any it is not found any more.
    ///
    /// - Parameters:
    ///   - app: the app whose team may find it.
    ///   - team: the team that may find it.
    package static func put(
        _ texts: [String], of reference: String, _ kind: Kind, app: Int64? = nil, team: String? = nil,
        in transaction: any WriteTransaction
    ) throws {
        let words = Set(texts.flatMap(SearchText.words(of:)).prefix(most))
        let former = try transaction.query(formerWords, kind.rawValue, reference) {
            (try $0.value(0, as: String.self), try $0.value(1, as: String?.self))
        }
        guard Set(former.map(\.0)) != words || former.contains(where: { $0.1 != team }) else { return }
        try transaction.execute(
            "DELETE FROM name_word WHERE kind = $1 AND reference = $2", kind.rawValue, reference)
        for word in words.sorted() {
            try transaction.insert(
                into: "name_word",
                ["kind": kind.rawValue, "word": word, "reference": reference, "app_id": app, "team_id": team])
        }
    }

    /// The words of one thing with their team. Asked for both at once SQLite reads all names of the kind, and not the index.
    static let formerWords: SQL = """
        SELECT w.word, (
            SELECT o.team_id FROM name_word AS o WHERE o.kind = $1 AND o.word = w.word AND o.reference = $2
        ) FROM name_word AS w WHERE w.kind = $1 AND w.reference = $2
        """

    /// Whether a text has a word that begins like another.
    package static func hasWord(beginning: String, in text: String) -> Bool {
        let beginning = SearchText.folded(beginning)
        return !beginning.isEmpty && SearchText.words(of: text).contains { $0.hasPrefix(beginning) }
    }

    /// What has words that begin like all the words of a text: the shortest word first.
    ///
    /// - Parameter team: finds only what belongs to this team; nil for all.
    package static func find(
        _ text: String, _ kind: Kind, limit: Int, in transaction: any ReadTransaction
    ) throws -> [String] {
        try references(asked(text), kind, "", [], limit, transaction)
    }

    /// The same among what a team has, in the database of the catalogue.
    static func find(
        _ text: String, _ kind: Kind, team: String?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [String] {
        guard let team else { return try find(text, kind, limit: limit, in: transaction) }
        return try references(asked(text), kind, ofTeam, [.text(team)], limit, transaction)
    }

    /// The words of a text that something is looked for by, the longest first: it leaves the fewest rows.
    private static func asked(_ text: String) -> [String] {
        Array(SearchText.words(of: text).sorted { $0.count > $1.count }.prefix(mostAsked))
    }

    private static let ofTeam: SQL = """
         AND (w.team_id = $10 OR w.app_id IN (SELECT app_id FROM app WHERE team_id = $10))
        """
    /// One more word, which the same thing has; unused ones are empty, and everything begins so.
    private static let others: [SQL] = [
        """
         AND ($4 = '' OR EXISTS (SELECT 1 FROM name_word AS o WHERE o.kind = $1 AND o.reference = w.reference
            AND o.word >= $4 AND o.word < $5))
        """,
        """
         AND ($6 = '' OR EXISTS (SELECT 1 FROM name_word AS o WHERE o.kind = $1 AND o.reference = w.reference
            AND o.word >= $6 AND o.word < $7))
        """,
        """
         AND ($8 = '' OR EXISTS (SELECT 1 FROM name_word AS o WHERE o.kind = $1 AND o.reference = w.reference
            AND o.word >= $8 AND o.word < $9))
        """,
    ]

    private static func references(
        _ words: [String], _ kind: Kind, _ scope: SQL, _ more: [DatabaseValue], _ limit: Int,
        _ transaction: any ReadTransaction
    ) throws -> [String] {
        guard !words.isEmpty else { return [] }
        var values: [DatabaseValue] = [.text(kind.rawValue)]
        for number in 0..<mostAsked {
            let word = number < words.count ? words[number] : ""
            values += [.text(word), .text(word + "\u{10FFFF}")]
        }
        let sql: SQL = """
            SELECT w.reference FROM name_word AS w WHERE w.kind = $1 AND w.word >= $2 AND w.word < $3
            """
        var found: [String] = []
        let statement = others.reduce(sql, +) + scope + " ORDER BY w.word, w.reference LIMIT 200"
        // A thing with several words that fit has several rows.
        try transaction.forEachRow(statement, binding: values + more) { row in
            let reference = try row.value(0, as: String.self)
            if found.count < limit, !found.contains(reference) { found.append(reference) }
        }
        return found
    }
}
