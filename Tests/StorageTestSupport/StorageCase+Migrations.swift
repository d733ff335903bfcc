import StoreDatabase
import Testing

extension StorageCase {
    static let migrations: [StorageCase] = [
        StorageCase("Migrations are applied once, and new ones after old ones") { place in
            guard place.outlivesClosing else { return }
            let first = Migration(1, "first", ["CREATE TABLE thing (id \(.integer) NOT NULL PRIMARY KEY) \(.table)"])
            let second = Migration(2, "second", ["INSERT INTO thing (id) VALUES (2)"])
            try await place.withDatabase(Schema("things", [first])) { database in
                _ = try await database.write { try $0.execute("INSERT INTO thing (id) VALUES (1)") }
            }
            for _ in 0..<2 {
                try await place.withDatabase(Schema("things", [first, second])) { database in
                    let found = try await database.read {
                        try $0.query("SELECT id FROM thing ORDER BY id") { try $0.value(0) as Int }
                    }
                    #expect(found == [1, 2])
                }
            }
        },
        StorageCase("A migration that fails leaves nothing of itself, and those before it stand") { place in
            guard place.outlivesClosing else { return }
            let first = Migration(1, "first", ["CREATE TABLE thing (id \(.integer) NOT NULL PRIMARY KEY) \(.table)"])
            let broken = Migration(
                2, "broken", ["INSERT INTO thing (id) VALUES (2)", "INSERT INTO nothing (id) VALUES (2)"])
            await expect(.statement) { _ = try await place.open(Schema("things", [first, broken])) }
            try await place.withDatabase(Schema("things", [first])) { database in
                let count = try await database.read { try $0.value("SELECT count(*) FROM thing", as: Int.self) }
                #expect(count == 0)
            }
        },
        StorageCase("A database with a changed, unknown or foreign migration is refused by name") { place in
            guard place.outlivesClosing else { return }
            let table: SQL = "CREATE TABLE thing (id \(.integer) NOT NULL PRIMARY KEY) \(.table)"
            let (first, second) = (Migration(1, "first", [table]), Migration(2, "second", ["DELETE FROM thing"]))
            await (try place.open(Schema("things", [first, second]))).close()
            let refused: [(Schema, String)] = [
                (try Schema("things", [first]), "second"),
                (try Schema("things", [first, Migration(2, "second", ["DELETE FROM thing WHERE id = 1"])]), "second"),
                (try Schema("things", [Migration(1, "other", [table]), second]), "other"),
                (try Schema("others", [first, second]), "others"),
            ]
            for (schema, mention) in refused {
                let error = await expect(.schema) { _ = try await place.open(schema) }
                #expect(error?.message.contains(mention) == true)
            }
            await (try place.open(Schema("things", [first, second]))).close()
        },
        StorageCase("Two that open a new database at once migrate it once") { place in
            guard place.outlivesClosing else { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await place.withDatabase(.sample()) { database in
                            try await expectNames([], in: database)
                        }
                    }
                }
                try await group.waitForAll()
            }
        },
    ]
}
