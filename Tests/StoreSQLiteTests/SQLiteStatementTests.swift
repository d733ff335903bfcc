import StoreSQLite
import Testing

@Suite("Statements of SQLite")
struct SQLiteStatementTests {
    private func rows(_ statement: SQLiteStatement, _ values: [SQLiteValue] = []) throws -> [[SQLiteValue?]] {
        defer { statement.reset() }
        try statement.bind(values)
        var rows: [[SQLiteValue?]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map { statement.value(at: $0) }) }
        return rows
    }

    @Test("Every value comes back as it was bound, empty or not")
    func values() throws {
        let statement = try SQLiteConnection(.memory).prepare("SELECT $1, typeof($1)")
        let cases: [(SQLiteValue, String)] = [
            (.null, "null"), (.integer(.min), "integer"), (.integer(.max), "integer"), (.text(""), "text"),
            (.text("a\0b"), "text"), (.text("\u{1F4B0}"), "text"), (.bytes([]), "blob"), (.bytes([0, 255]), "blob"),
        ]
        for (value, type) in cases { #expect(try rows(statement, [value]) == [[value, .text(type)]]) }
    }

    @Test("Parameters are found by their names, in whatever order they stand")
    func parameters() throws {
        let statement = try SQLiteConnection(.memory).prepare("SELECT $2, $1, $3, $1")
        let values: [SQLiteValue] = [.integer(1), .integer(2), .integer(3)]
        #expect(try rows(statement, values) == [[.integer(2), .integer(1), .integer(3), .integer(1)]])
    }

    @Test("A statement keeps nothing of the values it was given before")
    func reset() throws {
        let statement = try SQLiteConnection(.memory).prepare("SELECT $1")
        #expect(try rows(statement, [.integer(1)]) == [[.integer(1)]])
        #expect(try statement.step())
        #expect(statement.value(at: 0) == .null)
    }

    @Test("A floating-point number is no value of ours")
    func floatingPoint() throws {
        #expect(try rows(SQLiteConnection(.memory).prepare("SELECT 1.5, 1")) == [[nil, .integer(1)]])
    }

    @Test(
        "What is not exactly one statement with $1 to $n is refused",
        arguments: [
            "", " ; ", "SELECT 1; SELECT 2", "SELECT ?", "SELECT $1, $3", "SELECT $name", "SELEKT 1", "SELECT \"text\"",
        ])
    func refused(_ text: String) throws {
        let connection = try SQLiteConnection(.memory)
        #expect(throws: SQLiteError.self) { _ = try connection.prepare(text) }
    }

    @Test("A statement may end with a semicolon and space")
    func ending() throws {
        #expect(try rows(SQLiteConnection(.memory).prepare("SELECT 1 ; \n")) == [[.integer(1)]])
    }

    @Test("Too few and too many values are refused, and none is bound")
    func counts() throws {
        let statement = try SQLiteConnection(.memory).prepare("SELECT $1, $2")
        for count in [0, 1, 3] {
            #expect(throws: SQLiteError.self) {
                try statement.bind([SQLiteValue](repeating: .integer(1), count: count))
            }
        }
    }

    @Test("A statement knows whether it changes anything")
    func readOnly() throws {
        let connection = try SQLiteConnection(.memory)
        try connection.run("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
        #expect(try connection.prepare("SELECT * FROM thing").isReadOnly)
        #expect(try !connection.prepare("INSERT INTO thing VALUES (1) RETURNING id").isReadOnly)
    }
}
