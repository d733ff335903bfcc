import StorageTestSupport
import StoreModel
import StoreSQLite
import Testing

@testable import StoreDatabase

/// Databases of earlier versions, as another program dumped them. A dump is never changed; every release adds its own.
@Suite("Databases of released versions")
struct ReleasedSchemaTests {
    static let schema: [Migration] = [Migration(1, "work and outbox", WorkTable.tables + Outbox.tables)]

    @Test("A database with the tables of version 1 opens as it is, and goes on where it was")
    func versionOne() async throws {
        try await SQLitePlace.onDisk { place in
            let path = try #require(place.path)
            try SQLiteConnection(.file(path)).run(GoldenSchemas.one)
            let later: SQL = "CREATE TABLE later (id \(.integer) NOT NULL PRIMARY KEY) \(.table)"
            for migrations in [Self.schema, Self.schema + [Migration(2, "later", [later])]] {
                let database = try SQLiteDatabase(path: path, schema: Schema("released", migrations))
                let (work, epoch, messages) = try await database.read { transaction in
                    (
                        try WorkTable.upcoming(limit: 9, in: transaction), try StoreProperty.epoch(in: transaction),
                        try Outbox("notification").messages(in: "s", limit: 9, transaction: transaction)
                    )
                }
                #expect(work.map(\.subject) == ["s", "42"])
                #expect(epoch == "first life")
                #expect(messages.map(\.content) == [[1, 2, 3]])
                await database.close()
            }
        }
    }

    @Test("The tables that this version makes are those of its dump")
    func unchanged() async throws {
        try await SQLitePlace.onDisk { place in
            let path = try #require(place.path)
            await (try SQLiteDatabase(path: path, schema: Schema("released", Self.schema))).close()
            let released = try SQLiteConnection(.memory)
            try released.run(GoldenSchemas.one)
            #expect(try tables(SQLiteConnection(.file(path))) == tables(released))
        }
    }

    private func tables(_ connection: SQLiteConnection) throws -> [String] {
        let statement = try connection.prepare(
            "SELECT name || ': ' || sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1")
        var found: [String] = []
        while try statement.step() {
            if case .text(let text)? = statement.value(at: 0) as SQLiteValue? { found.append(text) }
        }
        #expect(!found.isEmpty)
        return found
    }
}
