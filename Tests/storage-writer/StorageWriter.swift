import Foundation
import StorageTestSupport
import StoreDatabase
import StorePostgres

/// Writes to a database until it is killed, and prints each write once it was acknowledged.
enum StorageWriter {
    static func run(_ words: [String]) async throws {
        if words.count == 2, words[0] == "postgres" { return try await writePostgres(words[1]) }
        guard words.count == 2, words[0] == "sqlite" else {
            throw DatabaseError(.statement, "usage: storage-writer sqlite PATH | postgres ADDRESS")
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

    private static func writePostgres(_ address: String) async throws {
        var settings = PostgresSettings(try PostgresAddress(address))
        settings.schemaName = "sample"
        let database = try await PostgresDatabase.open(settings, schema: .crash()) { .random(in: .min ... .max) }
        try await CrashWriter(database) { line in
            FileHandle.standardOutput.write(Data("\(line)\n".utf8))
        }.run()
    }
}
