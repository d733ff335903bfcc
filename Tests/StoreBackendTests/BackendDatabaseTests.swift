import CSQLite
import Foundation
import StoreBackend
import Testing

@Suite struct BackendDatabaseTests {
    @Test func `a transaction that fails leaves nothing, and those written with it stay`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "backend-\(UUID()).sqlite").path()
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let database = try BackendDatabase.sqlite(path: path)
        _ = try await database.transaction { try $0.run("CREATE TABLE thing (name TEXT PRIMARY KEY)") }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    _ = try? await database.transaction { connection in
                        try connection.run("INSERT INTO thing (name) VALUES ($1)", [.text("thing \(number)")])
                        if number % 2 == 1 { throw BackendError(.invalidValue, "Odd.") }
                    }
                }
            }
        }
        let rows = try await database.transaction { try $0.run("SELECT COUNT(*) FROM thing") }
        #expect(rows == [SQLRow([.integer(20)])])
    }

    @Test func `a handle of the developer's own is used as it is, and not closed`() throws {
        var handle: OpaquePointer?
        #expect(sqlite3_open(":memory:", &handle) == SQLITE_OK)
        let own = try #require(handle)
        do {
            let connection = SQLiteHandle(own)
            try connection.run("CREATE TABLE thing (name TEXT, size INTEGER)")
            let values: [SQLValue] = [.text("x"), .integer(7)]
            try connection.run("INSERT INTO thing (size, name) VALUES ($2, $1)", values)
            #expect(try connection.run("SELECT name, size FROM thing") == [SQLRow(values)])
        }
        #expect(sqlite3_total_changes(own) == 1)
        #expect(sqlite3_close(own) == SQLITE_OK)
    }
}
