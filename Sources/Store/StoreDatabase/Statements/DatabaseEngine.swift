/// The engines that a database may run on.
package struct DatabaseEngine: Hashable, Sendable {
    package let name: String

    package static let sqlite = DatabaseEngine(name: "SQLite")
    package static let postgres = DatabaseEngine(name: "PostgreSQL")
}

extension DatabaseEngine: CustomStringConvertible {
    package var description: String { name }
}
