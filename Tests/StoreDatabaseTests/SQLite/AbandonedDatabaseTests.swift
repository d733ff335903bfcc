import Foundation
import StorageTestSupport
import StoreDatabase
import TestSupport
import Testing

@Suite("A database that nobody closes", .bounded)
struct AbandonedDatabaseTests {
    @Test("Once nobody holds it its threads end: its connections are closed, and so is what it signals")
    func abandoned() async throws {
        let folder = NSTemporaryDirectory() + "till-abandoned-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/sample.sqlite"
        let (signals, closed) = try await write(to: path)
        var count = 0
        for await _ in signals { count += 1 }
        #expect(count == 1)
        // The threads close their connections as they end.
        try await closed.wait { $0 }
    }

    /// Whether this process has the file open.
    private static func isOpen(_ path: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
        }
    }

    /// Writes something, reads it on every road, and lets go of the database.
    /// Also gives what becomes true once this process has closed the file.
    private func write(to path: String) async throws -> (AsyncStream<Signal>, closed: Observed<Bool>) {
        let database = try SQLiteDatabase(path: path, schema: .sample())
        let signals = try await database.signals(on: .accounts)
        try await database.write { transaction in
            try transaction.openAccount(1, named: "one")
            try transaction.signal(Signal(.accounts, subject: "1"))
        }
        #expect(try await database.read { try $0.accountNames() } == ["one"])
        #expect(try await database.lookUp { try $0.accountNames() } == ["one"])
        #expect(try Self.isOpen(path))
        let closed = try FileWatch.observe(path, for: IN_CLOSE_WRITE | IN_CLOSE_NOWRITE) {
            (try? Self.isOpen(path)) == false
        }
        return (signals, closed)
    }
}
