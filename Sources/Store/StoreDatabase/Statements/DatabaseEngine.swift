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
