/// What a database knows about itself. Every database has these, beside its migrations.
package enum StoreProperty {
    static let table: SQL = """
        CREATE TABLE IF NOT EXISTS store_property (name \(.text) NOT NULL PRIMARY KEY, content \(.text) NOT NULL) \(.table)
        """

    /// The name of this life of the database. A restored backup begins a new one, so that whoever holds a place in a
    /// sequence of the old one, such as a device with a cursor, learns that it means nothing any more.
    package static func epoch(in transaction: any ReadTransaction) throws -> String? {
        try transaction.optional("SELECT content FROM store_property WHERE name = 'epoch'") { try $0.value(0) }
    }

    /// Begins another life. The name has never been used before: it is random.
    package static func beginEpoch(_ name: String, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            INSERT INTO store_property (name, content) VALUES ('epoch', $1)
            ON CONFLICT (name) DO UPDATE SET content = excluded.content
            """, name)
    }

    /// Begins the first life, unless it has begun.
    package static func beginFirstEpoch(_ name: String, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            "INSERT INTO store_property (name, content) VALUES ('epoch', $1) ON CONFLICT (name) DO NOTHING", name)
    }

    /// Keeps a value under a name, unless there is one; returns the one that is kept.
    package static func keepFirst(
        _ value: String, as name: String, in transaction: any WriteTransaction
    ) throws -> String {
        try transaction.execute(
            "INSERT INTO store_property (name, content) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", name, value)
        return try self.value(of: name, in: transaction) ?? value
    }

    /// Keeps a value under a name, in the place of what was kept there.
    package static func keep(_ value: String, as name: String, in transaction: any WriteTransaction) throws {
        try transaction.insertOrUpdate("store_property", ["content": value], key: ["name": name])
    }

    package static func value(of name: String, in transaction: any ReadTransaction) throws -> String? {
        try transaction.optional("SELECT content FROM store_property WHERE name = $1", name) { try $0.value(0) }
    }
}
