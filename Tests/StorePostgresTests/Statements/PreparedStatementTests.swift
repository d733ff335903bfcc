import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import StorePostgres
import TestSupport
import Testing

@Suite("Prepared statements", .bounded)
struct PreparedStatementTests {
    private static let prepared: SQL = """
        SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'till_%'
        """

    @Test("No more are kept than the limit, and all go on working")
    func limit() async throws {
        var limits = DatabaseLimits()
        limits.statementsPerConnection = 3
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample(), limits: limits) { database in
                let kept = try await database.write { transaction in
                    for _ in 0..<2 {
                        for sql: SQL in ["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4", "SELECT 5"] {
                            _ = try transaction.value(sql, as: Int.self)
                        }
                    }
                    return try transaction.value(Self.prepared, as: Int.self)
                }
                #expect(kept == 3)
            }
        }
    }

    @Test("One that was prepared without a value is prepared anew for one that does not fit, and only then")
    func types() async throws {
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { transaction in
                    // Without a value PostgreSQL takes the number for a small one.
                    let sum: SQL = "SELECT coalesce($1, 7)"
                    #expect(try transaction.value(sql(sum), Int?.none, as: Int.self) == 7)
                    #expect(try transaction.value(sql(sum), 5_000_000_000, as: Int.self) == 5_000_000_000)
                    #expect(try transaction.value(sql(sum), Int?.none, as: Int.self) == 7)
                    let names = try transaction.query("SELECT name FROM pg_prepared_statements ORDER BY name") {
                        try $0.value(0, as: String.self)
                    }
                    // The second took the place of the first, and the third is the query for the names.
                    #expect(names == ["till_2", "till_3"])
                }
            }
        }
    }

    private func sql(_ sql: SQL) -> SQL { sql }

    @Test("When the server has forgotten them, or tables changed under them, the closure runs again")
    func forgotten() async throws {
        var limits = DatabaseLimits()
        limits.readers = 1
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample(), limits: limits) { database in
                try await database.write { try $0.openAccount(1, named: "one") }
                let query: @Sendable (any ReadTransaction) throws -> String = { transaction in
                    try transaction.one("SELECT * FROM account") { try $0.value(1) }
                }
                #expect(try await database.read(query) == "one")
                _ = try await database.read { try $0.query("DEALLOCATE ALL") { _ in } }
                #expect(try await database.read(query) == "one")
                _ = try await place.look("ALTER TABLE account ADD COLUMN colour text")
                #expect(try await database.read(query) == "one")
            }
        }
    }

    @Test("Behind a pooler nothing is prepared")
    func pooled() async throws {
        try await PostgresPlace.with { place in
            var place = place
            place.settings.isPooled = true
            try await place.withDatabase(.sample()) { database in
                let count = try await database.read { transaction in
                    _ = try transaction.accountNames()
                    return try transaction.value("SELECT count(*) FROM pg_prepared_statements", as: Int.self)
                }
                #expect(count == 0)
                let settings = try await database.write { transaction in
                    try transaction.one("SELECT current_schema(), current_setting('statement_timeout')") {
                        [try $0.value(0, as: String.self), try $0.value(1, as: String.self)]
                    }
                }
                #expect(settings == ["sample", "30s"])
            }
        }
    }
}
