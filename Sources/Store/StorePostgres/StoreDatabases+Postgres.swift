package import StoreDatabase

extension StoreDatabases {
    /// Opens the schemas `catalogue`, `production` and `sandbox` of one database, or makes them.
    ///
    /// If one cannot be opened, none stays open.
    package static func postgres(
        _ settings: PostgresSettings, _ schemas: StoreSchemas, limits: DatabaseLimits = DatabaseLimits(),
        random: @escaping @Sendable () -> UInt64
    ) async throws -> StoreDatabases {
        var opened: [PostgresDatabase] = []
        do {
            for schema in [schemas.catalogue, schemas.production, schemas.sandbox] {
                opened.append(try await .open(settings, schema: schema, limits: limits, random: random))
            }
        } catch {
            for database in opened { await database.close() }
            throw error
        }
        return StoreDatabases(catalogue: opened[0], production: opened[1], sandbox: opened[2])
    }
}
