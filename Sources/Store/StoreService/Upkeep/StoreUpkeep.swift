package import StoreDatabase

/// What an operator does to a store as a whole: look it over, back it up.
package struct StoreUpkeep: Sendable {
    package let databases: any DatabaseUpkeep
    package let schemas: StoreSchemas
    package let backup: StoreBackup

    package init(
        of directory: String, _ databases: any DatabaseUpkeep, _ schemas: StoreSchemas, version: String
    ) {
        self.databases = databases
        self.schemas = schemas
        backup = StoreBackup(of: directory, databases, schemas, version: version)
    }

    /// What is known of one database.
    package struct Report: Codable, Hashable, Sendable {
        package let name: String
        package let exists: Bool
        package let problems: [String]
        package let migrations: Int
        package let knownMigrations: Int

        /// Whether the database is there, whole, and of this version.
        package var isInOrder: Bool { exists && problems.isEmpty && migrations == knownMigrations }
    }

    /// Examines the three databases. One that cannot be read has that as its problem.
    package func examine() async -> [Report] {
        var reports: [Report] = []
        for schema in [schemas.catalogue, schemas.production, schemas.sandbox] {
            let known = schema.migrations.count
            do {
                let found = try await databases.examine(schema)
                reports.append(
                    Report(
                        name: schema.name, exists: found != nil, problems: found?.problems ?? [],
                        migrations: found?.migrations ?? 0, knownMigrations: known))
            } catch {
                reports.append(
                    Report(
                        name: schema.name, exists: true, problems: ["\(error)"], migrations: 0, knownMigrations: known))
            }
        }
        return reports
    }
}
