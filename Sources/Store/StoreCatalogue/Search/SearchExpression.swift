import StoreDatabase

/// A part of what a document is found by.
struct SearchField: OptionSet, Hashable, Sendable {
    let rawValue: Int

    static let name = SearchField(rawValue: 1)
    /// The artist, author or developer.
    static let maker = SearchField(rawValue: 2)
    /// The album of a song, the season of an episode.
    static let collection = SearchField(rawValue: 4)
    /// Descriptions and genres, and the facts of ``SearchFact``.
    static let details = SearchField(rawValue: 8)

    /// Each of them, with its column in SQLite and its weight in PostgreSQL.
    static let columns: [(field: SearchField, column: String, weight: Character)] = [
        (.name, "name", "A"), (.maker, "maker", "B"), (.collection, "collection", "C"), (.details, "details", "D"),
    ]

    static let all: SearchField = [.name, .maker, .collection, .details]
}

/// A fact about a document that it is found by as by a word. Nobody can type it, for it begins with a character for private use.
enum SearchFact {
    private static let mark = "\u{E001}"

    /// A genre, or one above it.
    static func genre(_ number: Int) -> String { "\(mark)g\(number)" }
    /// A word of the name of a genre.
    static func genreName(_ word: String) -> String { "\(mark)n\(word)" }
    static func year(_ year: String) -> String { "\(mark)y\(year)" }
    /// A word of an advice about age.
    static func rating(_ word: String) -> String { "\(mark)r\(word)" }
    /// A language that it is in.
    static func language(_ tag: String) -> String { "\(mark)l\(SearchText.words(of: tag).joined())" }
}

/// What a document must have to be found: all of some words, each in one of some fields.
struct SearchExpression: Hashable, Sendable {
    /// How a word must be there.
    enum Match: Hashable, Sendable {
        // Closed: both engines know these.
        case word(String)
        /// The beginning of a word.
        case prefix(String)
        /// Words that follow one another.
        case row([String])
    }

    private(set) var conditions: [Condition] = []

    struct Condition: Hashable, Sendable {
        let match: Match
        let fields: SearchField
    }

    var isEmpty: Bool { conditions.isEmpty }

    /// Nothing that must be there.
    init() {}

    /// Of every piece of what was typed, the beginning of a word; the last one may be half typed, and longer words may have
    /// endings.
    init(_ pieces: [SearchText.Piece], in fields: SearchField, isWhole: Bool = false) {
        for (index, piece) in pieces.prefix(SearchLimits.words).enumerated() {
            switch piece {
            case .word(let word):
                let mayGoOn = !isWhole && (index == pieces.count - 1 || word.unicodeScalars.count >= Self.shortestStem)
                require(mayGoOn ? .prefix(word) : .word(word), in: fields)
            case .characters(let characters):
                let pairs = SearchText.pairs(of: Array(characters.prefix(SearchLimits.words)))
                let alone = characters.first.map { Match.prefix(String($0)) }
                if let match = pairs.isEmpty ? alone : .row(pairs) { require(match, in: fields) }
            }
        }
    }

    /// Words of so many letters are found with any ending.
    private static let shortestStem = 3

    mutating func require(_ match: Match, in fields: SearchField) {
        conditions.append(Condition(match: match, fields: fields))
    }

    /// A fact, which is found as a whole word.
    mutating func require(_ fact: String) { require(.word(fact), in: .details) }

    /// The expression as an engine reads it. Words have letters and digits only, so that nothing in them means anything.
    func text(for engine: DatabaseEngine) -> String {
        engine == .postgres
            ? conditions.map(Self.postgres).joined(separator: " & ")
            : conditions.map(Self.sqlite).joined(separator: " AND ")
    }

    private static func sqlite(_ condition: Condition) -> String {
        let match =
            switch condition.match {
            case .word(let word): "\"\(word)\""
            case .prefix(let word): "\"\(word)\" *"
            case .row(let words): "\"\(words.joined(separator: " "))\""
            }
        guard condition.fields != .all else { return match }
        let columns = SearchField.columns.filter { condition.fields.contains($0.field) }.map(\.column)
        return "{\(columns.joined(separator: " "))} : \(match)"
    }

    private static func postgres(_ condition: Condition) -> String {
        let marks = condition.fields == .all ? "" : String(weights(of: condition.fields))
        switch condition.match {
        case .word(let word): return "'\(word)'" + (marks.isEmpty ? "" : ":\(marks)")
        case .prefix(let word): return "'\(word)':*\(marks)"
        case .row(let words):
            let each = words.map { "'\($0)'" + (marks.isEmpty ? "" : ":\(marks)") }
            return "(\(each.joined(separator: " <-> ")))"
        }
    }

    private static func weights(of fields: SearchField) -> [Character] {
        SearchField.columns.filter { fields.contains($0.field) }.map(\.weight)
    }
}

/// The limits of the search.
package enum SearchLimits {
    /// The most words of a term that count.
    package static let words = 16
    /// The most characters of a term that are read.
    package static let term = 500
    /// The most results of one answer.
    package static let results = 200
    /// The deepest result that can be asked for, counted from the first.
    package static let offset = 10_000
    /// Suggestions for what is being typed.
    package static let suggestions = 8
    /// How many matches are read for each suggestion, for several may have one name.
    static let matchesPerSuggestion = 4
    /// Words that a word that nothing has is compared with.
    static let nearWords = 60
}
