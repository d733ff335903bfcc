import Foundation
import StoreSQLite
import Testing

@testable import StoreDatabase

@Suite("Checkpoints")
struct CheckpointTests {
    private func logBytes(_ disk: FaultyDisk) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: disk.path + "-wal")
        return try #require(attributes[.size] as? Int)
    }

    @Test("The writer leaves the database's own file alone, however long the log becomes")
    func offTheWriter() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        batch.disk.count([.write, .sync], files: ".sqlite")
        for number in 0..<20 { batch.process([ScriptedBatch.writing("\(number)", bytes: 100_000)]) }
        #expect(batch.session.connection.logPages > 1000)
        #expect(batch.disk.calls == 0)
    }

    @Test("A checkpoint copies the log into the database, and empties one that is too long")
    func checkpoint() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        batch.process([ScriptedBatch.writing("a", bytes: 50_000)])
        var limits = DatabaseLimits()
        limits.pagesInLog = 1000
        let session = try SQLiteSession(.file(batch.disk.path), limits)
        batch.disk.count(.write, files: ".sqlite")
        SQLiteCheckpointer(session, limits).checkpoint()
        #expect(batch.disk.calls > 40)
        #expect(try logBytes(batch.disk) > 200_000)
        limits.pagesInLog = 10
        SQLiteCheckpointer(session, limits).checkpoint()
        #expect(try logBytes(batch.disk) == 0)
        batch.process([ScriptedBatch.writing("b")])
        #expect(try batch.contents() == ["a", "b"])
    }

    @Test("X10: A log that was long for once is made shorter when it begins anew")
    func shorter() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        for number in 0..<20 { batch.process([ScriptedBatch.writing("\(number)", bytes: 250_000)]) }
        #expect(try logBytes(batch.disk) > DatabaseLimits().logBytes)
        let session = try SQLiteSession(.file(batch.disk.path), DatabaseLimits())
        #expect(SQLiteCheckpointer(session, DatabaseLimits()).checkpoint() != nil)
        batch.process([ScriptedBatch.writing("last")])
        #expect(try logBytes(batch.disk) <= DatabaseLimits().logBytes)
        #expect(try batch.contents().last == "last")
    }

    @Test("A checkpoint that fails loses nothing, and the next one does its work")
    func failure() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        batch.process([ScriptedBatch.writing("a", bytes: 50_000)])
        let session = try SQLiteSession(.file(batch.disk.path), DatabaseLimits())
        for number in [1, 2, 10, 30] {
            batch.disk.fail([.write, .sync], from: number, code: 10, files: ".sqlite")
            SQLiteCheckpointer(session, DatabaseLimits()).checkpoint()
            #expect(try ScriptedBatch.contents(of: batch.disk.crashed()) == ["a"])
        }
        batch.disk.count([.write])
        SQLiteCheckpointer(session, DatabaseLimits()).checkpoint()
        #expect(batch.disk.calls > 40)
        #expect(try batch.contents() == ["a"])
    }

    @Test("A log that has grown asks for a checkpoint, a short one does not")
    func requests() {
        var limits = DatabaseLimits()
        limits.pagesPerCheckpoint = 10
        let requests = CheckpointRequests(limits)
        requests.noteCommit(logPages: 10)
        #expect(requests.next(after: nil))
        requests.noteCommit(logPages: 9)
        requests.close()
        #expect(!requests.next(after: nil))
    }

    @Test("No checkpoint begins with nothing to copy")
    func nothingToCopy() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        batch.process([ScriptedBatch.writing("a", bytes: 50_000)])
        let pages = batch.session.connection.logPages
        let session = try SQLiteSession(.file(batch.disk.path), DatabaseLimits())
        #expect(SQLiteCheckpointer(session, DatabaseLimits()).checkpoint() == pages)
        var limits = DatabaseLimits()
        limits.pagesPerCheckpoint = 1
        let requests = CheckpointRequests(limits)
        // A commit that is noted when its pages have been copied already asks for nothing.
        requests.noteCommit(logPages: pages)
        let closing = Thread { requests.close() }
        closing.start()
        #expect(!requests.next(after: pages))
    }

    @Test("A reader of an older state keeps pages from being copied, and the checkpoint says that it is not done")
    func reader() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        batch.process([ScriptedBatch.writing("a")])
        let reader = try SQLiteSession(.file(batch.disk.path), DatabaseLimits())
        try reader.run("BEGIN")
        try reader.connection.run("SELECT count(*) FROM part")
        batch.process([ScriptedBatch.writing("b")])
        let session = try SQLiteSession(.file(batch.disk.path), DatabaseLimits())
        let checkpointer = SQLiteCheckpointer(session, DatabaseLimits())
        #expect(checkpointer.checkpoint() == nil)
        try reader.run("COMMIT")
        #expect(checkpointer.checkpoint() != nil)
        #expect(try batch.contents() == ["a", "b"])
    }
}
