/// Brings a database to a schema, one migration in one transaction at a time.
///
/// A driver calls ``applyNext(in:)`` in transactions of their own until there is nothing left to do. It keeps other
/// processes out during each: SQLite by beginning an immediate transaction, PostgreSQL by an advisory lock. So two that
/// start at once do it once.
package struct Migrator: Sendable {
    private let schema: Schema

    package init(_ schema: Schema) {
        self.schema = schema
    }

    /// Applies the first migration that is missing; nil if there is none.
    ///
    /// Throws if the database belongs to another schema, was changed by a newer program, or had other migrations.
    package func applyNext(in transaction: any WriteTransaction) throws -> Migration? {
        for table in [Self.table, StoreProperty.table] { try transaction.execute(table) }
        let applied = try appliedCount(in: transaction)
        guard applied < schema.migrations.count else { return nil }
        let migration = schema.migrations[applied]
        for statement in migration.statements { try transaction.execute(statement) }
        try transaction.execute(
            "INSERT INTO store_migration (number, name, schema_name, statements) VALUES ($1, $2, $3, $4)",
            migration.number, migration.name, schema.name, migration.text(for: transaction.engine))
        return migration
    }

    private static let table: SQL = """
        CREATE TABLE IF NOT EXISTS store_migration (
            number \(.integer) NOT NULL PRIMARY KEY,
            name \(.text) NOT NULL,
            schema_name \(.text) NOT NULL,
            statements \(.text) NOT NULL
        ) \(.table)
        """

    /// How many migrations the database has, each of which is known to be that of the schema.
    package func appliedCount(in transaction: any ReadTransaction) throws -> Int {
        let rows = try transaction.query(
            "SELECT number, name, schema_name, statements FROM store_migration ORDER BY number"
        ) { row in
            var cells = row.cells
            return try Applied(
                number: cells.next(), name: cells.next(), schemaName: cells.next(), statements: cells.next())
        }
        for (index, applied) in rows.enumerated() { try compare(applied, at: index, transaction.engine) }
        return rows.count
    }

    private struct Applied {
        let number: Int
        let name: String
        let schemaName: String
        let statements: String
    }

    private func compare(_ applied: Applied, at index: Int, _ engine: DatabaseEngine) throws {
        guard applied.schemaName == schema.name else {
            throw DatabaseError(
                .schema, "this is the database \(applied.schemaName), not the database \(schema.name)")
        }
        guard index < schema.migrations.count else {
            throw DatabaseError(
                .schema,
                "the database \(schema.name) has migration \(applied.number) (\(applied.name)), which this program does "
                    + "not know; use the newer program that made it")
        }
        let migration = schema.migrations[index]
        guard applied.number == migration.number, applied.name == migration.name,
            applied.statements == migration.text(for: engine)
        else {
            throw DatabaseError(
                .schema,
                "migration \(applied.number) (\(applied.name)) of the database \(schema.name) is not the migration "
                    + "\(migration.number) (\(migration.name)) that this program knows; they must never change")
        }
    }
}

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

/// One step of a schema. Once released it never changes; what is wrong with it is repaired by the next one.
package struct Migration: Sendable {
    /// Counts from 1.
    package let number: Int
    /// A few words, such as "purchases".
    package let name: String
    package let statements: [SQL]
    /// By engine; put together once, for every start compares those of all migrations before each that it applies.
    private let texts: [DatabaseEngine: String]

    package init(_ number: Int, _ name: StaticString, _ statements: [SQL]) {
        self.number = number
        self.name = name.description
        self.statements = statements
        let engines = [DatabaseEngine.sqlite, .postgres]
        texts = Dictionary(
            uniqueKeysWithValues: engines.map { engine in
                (engine, statements.map { $0.text(for: engine) }.joined(separator: ";\n"))
            })
    }

    /// Everything that is run, as it is kept in the database to be compared later.
    func text(for engine: DatabaseEngine) -> String { texts[engine] ?? "" }
}
