import Foundation
import StorageTestSupport
import StoreDatabase

/// Writes to a database until it is killed, and prints each write once it was acknowledged.
enum StorageWriter {
    static func run(_ words: [String]) async throws {
        guard words.count == 2, words[0] == "sqlite" else {
            throw DatabaseError(.statement, "usage: storage-writer sqlite PATH")
        }
        var limits = DatabaseLimits()
        // Kills shall find checkpoints under way, too.
        limits.pagesPerCheckpoint = 20
        limits.pagesInLog = 200
        let database = try SQLiteDatabase(path: words[1], schema: .crash(), limits: limits)
        try await CrashWriter(database) { line in
            // One call of the system for one line: nothing is kept back in this process.
            FileHandle.standardOutput.write(Data("\(line)\n".utf8))
        }.run()
    }
}
