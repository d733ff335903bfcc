/// The tables of a database, as the steps that lead to them.
package struct Schema: Sendable {
    /// What the database is for: `catalogue`, `production`, `sandbox`. A file of one is never opened as another.
    package let name: String
    package let migrations: [Migration]

    /// Migrations are numbered 1, 2, 3….
    package init(_ name: StaticString, _ migrations: [Migration]) throws {
        guard migrations.map(\.number) == Array(1..<(migrations.count + 1)) else {
            throw DatabaseError(.schema, "the migrations of \(name) are not numbered 1, 2, 3…")
        }
        self.name = name.description
        self.migrations = migrations
    }
}
