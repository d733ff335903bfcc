/// The engines that a database may run on.
@usableFromInline
package struct DatabaseEngine: Hashable, Sendable {
    package let name: String

    package static let sqlite = DatabaseEngine(name: "SQLite")
    package static let postgres = DatabaseEngine(name: "PostgreSQL")
}

extension DatabaseEngine: CustomStringConvertible {
    @usableFromInline package var description: String { name }
}

/// What the engines write differently.
package struct DialectPart: Sendable {
    private let sqlite: StaticString
    private let postgres: StaticString

    package init(sqlite: StaticString, postgres: StaticString) {
        self.sqlite = sqlite
        self.postgres = postgres
    }

    func literal(for engine: DatabaseEngine) -> StaticString {
        engine == .postgres ? postgres : sqlite
    }

    /// The type of whole numbers, instants, ids that are numbers, and of truth values (0 and 1).
    package static let integer = DialectPart(sqlite: "INTEGER", postgres: "BIGINT")
    /// The type of texts. They compare by their bytes; SQLite does so anyway, and other programs can read its files.
    package static let text = DialectPart(sqlite: "TEXT", postgres: "TEXT COLLATE \"C\"")
    /// The type of bytes.
    package static let bytes = DialectPart(sqlite: "BLOB", postgres: "BYTEA")
    /// Ends a table whose key is not a single number: its rows are kept in the order of the key.
    package static let keyedTable = DialectPart(sqlite: "WITHOUT ROWID, STRICT", postgres: "")
    /// Ends every other table. SQLite then keeps to the types of columns.
    package static let table = DialectPart(sqlite: "STRICT", postgres: "")
    /// The numbers that ``ReadTransaction/query(_:of:_:row:)`` binds to `$1`: `WHERE id IN \(.numbers)`.
    package static let numbers = DialectPart(
        sqlite: "(SELECT value FROM json_each($1))",
        postgres: "(SELECT value::BIGINT FROM json_array_elements_text($1::JSON))")
    /// Ends a query for rows that are to be claimed: several servers claim different ones. SQLite has one writer.
    package static let skippingLocked = DialectPart(sqlite: "", postgres: "FOR UPDATE SKIP LOCKED")
    /// Ends a query for rows that no other transaction may change until this one ends.
    package static let forUpdate = DialectPart(sqlite: "", postgres: "FOR UPDATE")
}
