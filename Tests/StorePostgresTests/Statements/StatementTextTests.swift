import StoreDatabase
import Testing

@testable import StorePostgres

@Suite("The text of a statement")
struct StatementTextTests {
    @Test(
        "Its parameters are counted where they stand, and not in quotes",
        arguments: [
            ("SELECT 1", 0), ("SELECT $1", 1), ("SELECT $2, $1, $2", 2), ("SELECT '$1'", 0), ("SELECT \"$1\", $1", 1),
            ("SELECT 'it''s $2', $1", 1), ("SELECT $1$2", 2), ("SELECT $10, $9, $8, $7, $6, $5, $4, $3, $2, $1", 10),
            ("SELECT '\"', $1, '\"'", 1), ("SELECT $", 0),
        ])
    func counts(_ text: String, _ count: Int) throws {
        #expect(try StatementText(text).parameterCount == count)
    }

    @Test("A gap between its parameters is an error", arguments: ["SELECT $2", "SELECT $1, $3", "SELECT $0"])
    func gaps(_ text: String) {
        let error = #expect(throws: DatabaseError.self) { try StatementText(text) }
        #expect(error?.code == .statement)
    }
}
