import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import StorePostgres
import TestSupport
import Testing

@Suite("Values of PostgreSQL", .bounded)
struct PostgresValueTests {
    /// Runs a query that gives one cell.
    private func value(_ sql: SQL, _ database: any Database) async throws -> DatabaseValue {
        try await database.read { try $0.value(sql, as: DatabaseValue.self) }
    }

    @Test("What counts and adds is a number, however PostgreSQL calls it")
    func numbers() async throws {
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample()) { database in
                let cases: [(SQL, Int64)] = [
                    ("SELECT CAST(-7 AS smallint)", -7), ("SELECT -70000", -70000), ("SELECT count(*) FROM account", 0),
                    ("SELECT true", 1), ("SELECT 1 > 2", 0), ("SELECT CAST(4294967295 AS oid)", 4_294_967_295),
                    ("SELECT CAST(0 AS numeric)", 0), ("SELECT CAST(-10000 AS numeric)", -10000),
                    ("SELECT CAST(100000000 AS numeric)", 100_000_000),
                    ("SELECT CAST(12345678 AS numeric)", 12_345_678),
                    ("SELECT CAST(9223372036854775807 AS numeric)", .max),
                    ("SELECT CAST(-9223372036854775808 AS numeric)", .min),
                    ("SELECT sum(number) FROM generate_series(1, 100000) AS series (number)", 5_000_050_000),
                    (
                        "SELECT sum(number) FROM (VALUES (CAST(9000000000000000000 AS bigint)), (1)) AS list (number)",
                        9_000_000_000_000_000_001
                    ),
                ]
                for (sql, expected) in cases {
                    let found = try await value(sql, database)
                    #expect(found == .integer(expected), "\(sql.text(for: .postgres))")
                }
            }
        }
    }

    @Test("A number that fits nowhere, or a value of a kind we have not, is an error")
    func refused() async throws {
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample()) { database in
                let refused: [SQL] = [
                    "SELECT CAST(9223372036854775808 AS numeric)", "SELECT CAST(-9223372036854775809 AS numeric)",
                    "SELECT CAST('1e40' AS numeric)", "SELECT 1.5", "SELECT CAST(1 AS numeric(5, 2))",
                    "SELECT CAST('NaN' AS numeric)", "SELECT CAST('Infinity' AS numeric)",
                    "SELECT CAST(1 AS double precision)", "SELECT CAST('2026-01-01' AS date)",
                ]
                for sql in refused {
                    let error = await #expect(throws: DatabaseError.self, "\(sql.text(for: .postgres))") {
                        _ = try await value(sql, database)
                    }
                    #expect(error?.code == .unexpectedValue)
                }
            }
        }
    }

    @Test("Texts of every kind are texts, and bytes are bytes")
    func texts() async throws {
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample()) { database in
                let texts: [SQL] = [
                    "SELECT 'é'", "SELECT CAST('é' AS text)", "SELECT CAST('é' AS varchar(5))",
                    "SELECT CAST('é' AS char(1))", "SELECT CAST('é' AS name)",
                ]
                for sql in texts {
                    let found = try await value(sql, database)
                    #expect(found == .text("é"), "\(sql.text(for: .postgres))")
                }
                let bytes = try await value("SELECT CAST('\\x00ff' AS bytea)", database)
                #expect(bytes == .bytes([0, 255]))
                let nothing = try await value("SELECT NULL", database)
                #expect(nothing == .null)
            }
        }
    }

    @Test("Values that are bound have their own type, whatever stands around them")
    func bound() async throws {
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample()) { database in
                let found = try await database.read { transaction in
                    try transaction.one("SELECT $1, $2, $3, $4, coalesce($1, 0)", 5_000_000_000, "text", [7], Int?.none)
                    {
                        try [$0.value(0), $0.value(1), $0.value(2), $0.value(3), $0.value(4)] as [DatabaseValue]
                    }
                }
                #expect(found == [.integer(5_000_000_000), .text("text"), .bytes([7]), .null, .integer(5_000_000_000)])
            }
        }
    }

    @Test("A value out of the range of its column is an error that does not quote it")
    func outOfRange() async throws {
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample()) { database in
                for sql: SQL in ["SELECT CAST($1 AS integer)", "SELECT CAST(CAST($1 AS text) AS date)"] {
                    let error = await #expect(throws: DatabaseError.self) {
                        _ = try await database.read { try $0.value(sql, 5_000_000_042, as: DatabaseValue.self) }
                    }
                    #expect(error?.code == .unexpectedValue)
                    #expect(error?.message.contains("5000000042") == false)
                }
            }
        }
    }
}
