import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import StorePostgres
import TestSupport
import Testing

@Suite("The schemas of PostgreSQL", .bounded)
struct PostgresSchemaTests {
    @Test("The three databases of a store are three schemas of one database")
    func three() async throws {
        let thing = Migration(1, "thing", ["CREATE TABLE thing (id \(.integer) NOT NULL PRIMARY KEY) \(.table)"])
        let schemas = try StoreSchemas(catalogue: [thing], environment: [thing])
        try await PostgresPlace.with { place in
            var settings = place.settings
            settings.schemaName = nil
            let databases = try await StoreDatabases.postgres(settings, schemas) { .random(in: .min ... .max) }
            for (number, database) in [databases.catalogue, databases.production, databases.sandbox].enumerated() {
                try await database.write { _ = try $0.execute("INSERT INTO thing (id) VALUES ($1)", number) }
            }
            await databases.close()
            for (number, name) in ["catalogue", "production", "sandbox"].enumerated() {
                #expect(try await place.cluster.run("SELECT id FROM \(name).thing", in: place.name) == ["\(number)"])
            }
        }
    }

    @Test("If one of the three cannot be opened, none stays open")
    func noneStaysOpen() async throws {
        let broken = Migration(1, "broken", ["CREATE TABLE"])
        let schemas = try StoreSchemas(catalogue: [], environment: [broken])
        try await PostgresPlace.with { place in
            var settings = place.settings
            settings.schemaName = nil
            let error = await #expect(throws: DatabaseError.self) {
                _ = try await StoreDatabases.postgres(settings, schemas) { 1 }
            }
            #expect(error?.code == .statement)
            let query = "SELECT 1 FROM pg_stat_activity WHERE datname = '\(place.name)'"
            while try await place.cluster.run(query) != [] {}
        }
    }

    @Test(
        "A name that would need escapes is refused",
        arguments: ["", "Sample", "1st", "a b", "a\"b", "a;b", "pg_sample", "schön", String(repeating: "a", count: 49)])
    func names(_ name: String) async throws {
        var settings = PostgresSettings(try PostgresAddress("host=/nowhere"))
        settings.schemaName = name
        let error = await #expect(throws: DatabaseError.self) {
            _ = try await PostgresDatabase.open(settings, schema: .sample()) { 1 }
        }
        #expect(error?.code == .schema)
    }

    @Test("A database with another encoding is refused, because it could not keep every text")
    func encoding() async throws {
        let cluster = try await PostgresCluster.shared.value
        try await cluster.run(
            "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C' LOCALE_PROVIDER libc")
        let settings = PostgresSettings(try PostgresAddress(cluster.address(of: "latin")))
        let error = await #expect(throws: DatabaseError.self) {
            _ = try await PostgresDatabase.open(settings, schema: .sample()) { 1 }
        }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("UTF8") == true)
    }

    @Test("A role that may make no schemas can be given one")
    func givenSchema() async throws {
        try await PostgresPlace.with { place in
            try await place.cluster.run("DROP ROLE IF EXISTS modest")
            try await place.cluster.run("CREATE ROLE modest LOGIN")
            try await place.cluster.run("CREATE SCHEMA sample AUTHORIZATION modest", in: place.name)
            var place = place
            place.settings.address = try PostgresAddress(place.cluster.address(of: place.name, user: "modest"))
            try await place.withDatabase(.sample()) { database in
                try await database.write { try $0.openAccount(1, named: "one") }
            }
            #expect(try await place.look("SELECT name FROM account") == ["one"])
        }
    }

    @Test("Tables of somebody else's temporary schema hide none of ours")
    func temporary() async throws {
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    try transaction.execute("CREATE TEMPORARY TABLE account (id bigint, name text, balance bigint)")
                    try transaction.openAccount(1, named: "one")
                }
            }
            #expect(try await place.look("SELECT name FROM account") == ["one"])
        }
    }

    @Test("A server that would not wait for its disk is told to wait")
    func synchronousCommit() async throws {
        try await PostgresPlace.with { place in
            try await place.cluster.run("ALTER DATABASE \(place.name) SET synchronous_commit TO off")
            for isPooled in [false, true] {
                var place = place
                place.settings.isPooled = isPooled
                try await place.withDatabase(.sample()) { database in
                    let setting = try await database.write {
                        try $0.value("SELECT current_setting('synchronous_commit')", as: String.self)
                    }
                    #expect(setting == "on")
                }
            }
            try await place.cluster.run("ALTER DATABASE \(place.name) RESET synchronous_commit")
        }
    }
}
