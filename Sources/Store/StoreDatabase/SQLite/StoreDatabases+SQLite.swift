import StoreSQLite

extension StoreDatabases {
    /// Sets up what a process has once for all its databases. A program calls it before it opens the first.
    package static func prepareProcess() {
        SQLiteProcess.countNoMemory()
        SQLiteProcess.takePagesSingly()
    }

    /// Opens `catalogue.sqlite`, `production.sqlite` and `sandbox.sqlite` in a folder that is there, or makes them.
    ///
    /// It blocks while migrations run. If one cannot be opened, none stays open.
    package static func sqlite(
        in folder: String, _ schemas: StoreSchemas, limits: DatabaseLimits = DatabaseLimits()
    ) async throws -> StoreDatabases {
        try await open([schemas.catalogue, schemas.production, schemas.sandbox]) { schema in
            try SQLiteDatabase(path: "\(folder)/\(schema.name).sqlite", schema: schema, limits: limits)
        }
    }

    /// Three databases that live in memory.
    package static func inMemory(
        _ schemas: StoreSchemas, limits: DatabaseLimits = DatabaseLimits()
    ) async throws -> StoreDatabases {
        try await open([schemas.catalogue, schemas.production, schemas.sandbox]) { schema in
            try SQLiteDatabase(path: nil, schema: schema, limits: limits)
        }
    }

    /// Three databases that live in memory, with the contents of others that do.
    package static func inMemory(
        _ schemas: StoreSchemas, contents: MemoryContents, limits: DatabaseLimits = DatabaseLimits()
    ) async throws -> StoreDatabases {
        try await open([schemas.catalogue, schemas.production, schemas.sandbox]) { schema in
            try SQLiteDatabase(contents: contents.databases[schema.name] ?? [], schema: schema, limits: limits)
        }
    }

    /// What three databases of SQLite hold, each at one moment; nil where they are of another engine.
    package func contents() async throws -> MemoryContents? {
        var all: [String: [UInt8]] = [:]
        for (name, database) in [("catalogue", catalogue), ("production", production), ("sandbox", sandbox)] {
            guard let database = database as? SQLiteDatabase else { return nil }
            all[name] = try await database.contents()
        }
        return MemoryContents(databases: all)
    }

    private static func open(
        _ schemas: [Schema], _ open: (Schema) throws -> SQLiteDatabase
    ) async throws -> StoreDatabases {
        var opened: [SQLiteDatabase] = []
        do {
            for schema in schemas { opened.append(try open(schema)) }
        } catch let error as DatabaseError {
            for database in opened { await database.close() }
            // Which of the three it is, for whoever has to mend it.
            throw error.named(schemas[opened.count].name)
        } catch {
            for database in opened { await database.close() }
            throw error
        }
        return StoreDatabases(catalogue: opened[0], production: opened[1], sandbox: opened[2])
    }
}

/// The contents of the databases of a store, by the names of their schemas.
package struct MemoryContents: Sendable {
    let databases: [String: [UInt8]]
}
