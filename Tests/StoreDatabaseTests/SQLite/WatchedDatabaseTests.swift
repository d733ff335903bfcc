import Foundation
import StorageTestSupport
import StoreDatabase
import TestSupport
import Testing

@Suite("A database in which damage is met", .bounded)
struct WatchedDatabaseTests {
    @Test("Who reads or writes a damaged page gets the error, and who looks after the store hears of it")
    func damagedPage() async throws {
        let folder = NSTemporaryDirectory() + "till-damaged-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/sample.sqlite"
        let whole = try SQLiteDatabase(path: path, schema: .sample())
        try await whole.write { transaction in
            for number in 1...3000 { try transaction.openAccount(number, named: "account \(number)") }
        }
        await whole.close()
        // The leaves of the trees become none; the schema, which comes first, stays.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let page = 4096
        for start in stride(from: bytes.count / 2 / page * page, to: bytes.count, by: page) { bytes[start] ^= 0xFF }
        try bytes.write(to: URL(fileURLWithPath: path))
        let heard = Observed<[DatabaseError.Code]>([])
        let database = WatchedDatabase(try SQLiteDatabase(path: path, schema: .sample())) { error in
            heard.update { $0.append(error.code) }
        }
        let reading = await #expect(throws: DatabaseError.self) {
            try await database.read { try $0.accountNames() }
        }
        let lookingUp = await #expect(throws: DatabaseError.self) {
            try await database.lookUp { try $0.accountNames() }
        }
        #expect(reading?.code == .corrupt && lookingUp?.code == .corrupt)
        await #expect(throws: DatabaseError.self) {
            try await database.write { _ = try $0.execute("UPDATE account SET balance = balance + 1") }
        }
        #expect(heard.value == [.corrupt, .corrupt, .corrupt])
        // Any other error is none of its business.
        await #expect(throws: DatabaseError.self) {
            try await database.read { try $0.value("SELECT 1 FROM none", as: Int.self) }
        }
        #expect(heard.value.count == 3)
        await database.close()
    }
}
