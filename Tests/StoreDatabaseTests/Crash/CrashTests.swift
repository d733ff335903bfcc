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
            for round in 0..<RandomizedRun.cases(15, inSoak: 400) {
                let count = round % 10 == 0 ? 0 : Int.random(in: 1...400, using: &random)
                let lines = try await KilledProcess.lines(of: "storage-writer", ["sqlite", path], killedAfter: count)
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

    @Test("Work that was claimed when the process was killed is done later, and none of it twice")
    func work() async throws {
        var random = RandomizedRun.generator(named: "kills of workers")
        try await SQLitePlace.onDisk { place in
            let path = try #require(place.path)
            var claims = 0
            for life in 1...(RandomizedRun.isSoak ? 400 : 20) {
                let count = Int.random(in: 1...200, using: &random)
                _ = try await KilledProcess.lines(
                    of: "storage-writer", ["work-sqlite", path, "\(2 * life)"], killedAfter: count)
                let database = try SQLiteDatabase(path: path, schema: .crashingWork())
                claims += try await CrashWorker.claimCount(in: database)
                let seed = "kill \(life) after \(count) lines, TILL_SEED=\(RandomizedRun.seed)"
                #expect(try await CrashWorker.faults(in: database) == [], "\(seed)")
                try await CrashWorker(database, life: Int64(2 * life + 1)).finish()
                #expect(try await CrashWorker.faults(in: database) == [], "finished after \(seed)")
                #expect(try await database.read { try WorkTable.earliest(in: $0) } == nil)
                await database.close()
            }
            #expect(claims > 0, "no kill came between a claim and its end")
        }
    }

    @Test("A folder has every blob that was acknowledged, and no name on a content that is not its own")
    func blobs() async throws {
        var random = RandomizedRun.generator(named: "kills of blobs")
        let folder = NSTemporaryDirectory() + "till-blobs-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for round in 0..<RandomizedRun.cases(8, inSoak: 200) {
            let count = round % 5 == 0 ? 0 : Int.random(in: 1...60, using: &random)
            let lines = try await KilledProcess.lines(of: "storage-writer", ["blobs", folder], killedAfter: count)
            let blobs = try FolderBlobStore(folder: folder)
            for line in lines { try blobs.verify(try #require(BlobID(line))) }
            for id in try blobs.list(after: nil, limit: .max) { try blobs.verify(id) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/drafts") == [])
        }
    }
}
