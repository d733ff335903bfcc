package import StoreDatabase

/// Where the database of one test lives: in memory, in a file, in a schema of PostgreSQL.
///
/// A test gets a place that is empty, and everything in it goes away afterwards.
package protocol StoragePlace: Sendable {
    /// Whether what was written is still there after the database was closed.
    var outlivesClosing: Bool { get }

    /// Opens the database of this place; makes it if there is none.
    func open(_ schema: Schema, _ limits: DatabaseLimits) async throws -> any Database
}

extension StoragePlace {
    package func open(_ schema: Schema) async throws -> any Database {
        try await open(schema, DatabaseLimits())
    }

    /// Opens a database, and closes it whatever happens.
    package func withDatabase<Result: Sendable>(
        _ schema: Schema, limits: DatabaseLimits = DatabaseLimits(),
        _ body: (any Database) async throws -> Result
    ) async throws -> Result {
        let database = try await open(schema, limits)
        do {
            let result = try await body(database)
            await database.close()
            return result
        } catch {
            await database.close()
            throw error
        }
    }
}
