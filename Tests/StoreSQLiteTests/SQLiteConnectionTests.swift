import CSQLite
import Foundation
import StoreSQLite
import TestSupport
import Testing

@Suite("Connections of SQLite")
struct SQLiteConnectionTests {
    private func text(_ connection: SQLiteConnection, _ query: String) throws -> String? {
        let statement = try connection.prepare(query)
        guard try statement.step(), case .text(let text)? = statement.value(at: 0) as SQLiteValue? else { return nil }
        return text
    }

    @Test("The collation \"C\" orders texts by their bytes, as SQLite does without it")
    func collation() throws {
        let connection = try SQLiteConnection(.memory)
        try connection.run("CREATE TABLE word (text TEXT NOT NULL)")
        var random = RandomizedRun.generator(named: "collation")
        let insert = try connection.prepare("INSERT INTO word VALUES ($1)")
        for _ in 0..<300 {
            let scalars = (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
                ["a", "b", "A", "\u{E4}", "\u{1F4B0}", "\u{FFFD}", " "].randomElement(using: &random)
            }
            try insert.bind([.text(scalars.joined())])
            _ = try insert.step()
            insert.reset()
        }
        for order in ["text", "text COLLATE \"C\""] {
            let joined = try text(
                connection, "SELECT group_concat(text, '|') FROM (SELECT text FROM word ORDER BY \(order))")
            let words = try #require(joined).split(separator: "|", omittingEmptySubsequences: false).map {
                Array($0.utf8)
            }
            #expect(words.count == 300)
            #expect(zip(words, words.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }, "ORDER BY \(order)")
        }
    }

    @Test("An error carries the extended code and the words of SQLite, and no values")
    func errors() throws {
        let connection = try SQLiteConnection(.memory)
        try connection.run(
            "CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT UNIQUE); INSERT INTO thing VALUES (1, 'secret')")
        let error = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO thing VALUES (2, 'secret')") }
        #expect(error?.code == 2067)
        #expect(error?.primaryCode == SQLITE_CONSTRAINT)
        #expect(error?.message == "UNIQUE constraint failed: thing.name")
    }

    @Test("Foreign keys hold, and SQLite's own tables are closed")
    func hardened() throws {
        let connection = try SQLiteConnection(.memory)
        try connection.run("CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INTEGER REFERENCES a (id))")
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO b VALUES (1)") }
        #expect(throws: SQLiteError.self) {
            try connection.run("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema")
        }
    }

    @Test("A file that is only read is not made, and not changed")
    func readOnly() throws {
        let path = NSTemporaryDirectory() + "till-sqlite-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: SQLiteError.self) { _ = try SQLiteConnection(.existing(path)) }
        try SQLiteConnection(.file(path)).run("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
        let error = #expect(throws: SQLiteError.self) {
            try SQLiteConnection(.existing(path)).run("INSERT INTO thing VALUES (1)")
        }
        #expect(error?.primaryCode == SQLITE_READONLY)
    }

    @Test("What is no database is refused when it is first read")
    func foreignFile() throws {
        let path = NSTemporaryDirectory() + "till-sqlite-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: SQLiteError.self) {
            _ = try text(SQLiteConnection(.file(path)), "SELECT name FROM sqlite_schema")
        }
        #expect(error?.primaryCode == SQLITE_NOTADB)
    }
}
