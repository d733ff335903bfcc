import StoreDatabase

/// The tables of the search: what can be found, and the words by which the engine finds it.
///
/// SQLite keeps the words with FTS5, and the spellings with its tokenizer of trigrams; PostgreSQL as `tsvector`, and the
/// spellings with `pg_trgm`. Everything else is the same in both.
enum SearchTables {
    static let statements: [SQL] = [
        // What is found: an item or an artist, and where it differs there, once more as the sandbox shows it.
        """
        CREATE TABLE search_entry (
            entry_id \(.integer) NOT NULL PRIMARY KEY, store_id \(.integer) NOT NULL, environments \(.integer) NOT NULL,
            kinds \(.integer) NOT NULL, item_id \(.integer), artist_id \(.integer), name \(.text) NOT NULL,
            name_key \(.text) NOT NULL, is_explicit \(.integer) NOT NULL, released_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX search_entry_of_artist ON search_entry (artist_id)",
        "\(words)",
        // Words that typing errors are corrected to.
        "CREATE TABLE search_word (word \(.text) NOT NULL PRIMARY KEY, spelling \(.text) NOT NULL) \(.keyedTable)",
        "\(spellings)",
    ]

    /// The columns are the fields of ``SearchField``, in PostgreSQL the weights A to D.
    private static let words = DialectPart(
        sqlite: """
            CREATE VIRTUAL TABLE search_text USING fts5 (
                name, maker, collection, details, columnsize = 0,
                tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
            )
            """,
        postgres: """
            DO $$ BEGIN
                CREATE TABLE search_text (entry_id BIGINT NOT NULL PRIMARY KEY, words TSVECTOR NOT NULL);
                CREATE INDEX search_text_words ON search_text USING gin (words);
            END $$
            """)

    /// The extension is one for the whole database, where every schema sees it; two stores that begin at once wait for
    /// each other.
    private static let spellings = DialectPart(
        sqlite: "CREATE VIRTUAL TABLE search_spelling USING fts5 (spelling, word UNINDEXED, tokenize = 'trigram')",
        postgres: """
            DO $$ BEGIN
                PERFORM pg_advisory_xact_lock(8388362600173793639);
                CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA pg_catalog;
                CREATE INDEX search_word_spelling ON search_word USING gist (spelling gist_trgm_ops);
            END $$
            """)
}

/// What both engines write differently of a search.
extension DialectPart {
    /// The entry that a row of words is of.
    static let wordsEntry = DialectPart(sqlite: "search_text.rowid", postgres: "search_text.entry_id")
    /// Whether the words match the expression `$1`.
    static let matches = DialectPart(
        sqlite: "search_text MATCH $1", postgres: "search_text.words @@ $1::text::tsquery")
    /// Whether the name matches the expression `$2`.
    static let hasWholeWords = DialectPart(
        sqlite: "search_text.rowid IN (SELECT rowid FROM search_text WHERE search_text MATCH $2)",
        postgres: "search_text.words @@ $2::text::tsquery")
    /// Whether the name matches the expression `$3`.
    static let hasInName = DialectPart(
        sqlite: "search_text.rowid IN (SELECT rowid FROM search_text WHERE search_text MATCH $3)",
        postgres: "search_text.words @@ $3::text::tsquery")
    /// The words with the spellings nearest to `$1`, of which SQLite is given the trigrams.
    static let nearestWords = DialectPart(
        sqlite: "SELECT word FROM search_spelling WHERE search_spelling MATCH $1 ORDER BY rank LIMIT $2",
        postgres: "SELECT word FROM search_word ORDER BY spelling <-> $1 LIMIT $2")
    /// Removes the words of an entry.
    static let removeWords = DialectPart(
        sqlite: "DELETE FROM search_text WHERE rowid = $1", postgres: "DELETE FROM search_text WHERE entry_id = $1")
}
