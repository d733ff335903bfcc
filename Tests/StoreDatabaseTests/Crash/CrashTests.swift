import Foundation
import StorageTestSupport
import StoreDatabase
import TestSupport
import Testing

@Suite("Killed while it writes", .bounded)
struct CrashTests {
    /// `kill -9` shows what the process had told too early, or made in pieces. It does not show what the system keeps back
    /// from the disk: that every acknowledgement waits for a synchronisation is shown by counting them, on the disk that
    /// fails on demand.
    @Test("SQLite has everything that was acknowledged, and nothing half, after each of many kills")
    func sqlite() async throws {
        var random = RandomizedRun.generator(named: "kills")
        try await SQLitePlace.onDisk { place in
            let path = try #require(place.path)
            var judge = CrashJudge()
            for round in 0..<(RandomizedRun.isSoak ? 400 : 30) {
                let count = round % 10 == 0 ? 0 : Int.random(in: 1...400, using: &random)
                let lines = try KilledProcess.lines(of: "storage-writer", ["sqlite", path], killedAfter: count)
                for line in lines { judge.note(line) }
                let database = try SQLiteDatabase(path: path, schema: .crash())
                let faults = try await judge.faults(in: database)
                #expect(faults == [], "kill \(round) after \(count) lines, TILL_SEED=\(RandomizedRun.seed)")
                try await judge.acceptState(of: database)
                await database.close()
                let examination = try SQLiteFile(path: path).examine(for: .crash())
                #expect(examination.problems == [])
            }
            #expect(judge.count > 100)
        }
    }

    @Test("A folder has every blob that was acknowledged, and no name on a content that is not its own")
    func blobs() throws {
        var random = RandomizedRun.generator(named: "kills of blobs")
        let folder = NSTemporaryDirectory() + "till-blobs-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for round in 0..<(RandomizedRun.isSoak ? 200 : 15) {
            let count = round % 5 == 0 ? 0 : Int.random(in: 1...60, using: &random)
            let lines = try KilledProcess.lines(of: "storage-writer", ["blobs", folder], killedAfter: count)
            let blobs = try FolderBlobStore(folder: folder)
            for line in lines { try blobs.verify(try #require(BlobID(line))) }
            for id in try blobs.list(after: nil, limit: .max) { try blobs.verify(id) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/drafts") == [])
        }
    }
}
