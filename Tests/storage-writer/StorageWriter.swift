import Foundation
import StorageTestSupport
import StoreDatabase
import StorePostgres

/// Writes to a database until it is killed, and prints each write once it was acknowledged.
enum StorageWriter {
    static func run(_ words: [String]) async throws {
        switch words.first {
        case "sqlite" where words.count == 2: try await writeSQLite(words[1])
        case "postgres" where words.count == 2: try await writePostgres(words[1])
        case "blobs" where words.count == 2: try writeBlobs(words[1])
        default:
            throw DatabaseError(.statement, "usage: storage-writer sqlite PATH | postgres ADDRESS | blobs FOLDER")
        }
    }

    private static func writeSQLite(_ path: String) async throws {
        var limits = DatabaseLimits()
        // Kills shall find checkpoints under way, too.
        limits.pagesPerCheckpoint = 20
        limits.pagesInLog = 200
        try await CrashWriter(try SQLiteDatabase(path: path, schema: .crash(), limits: limits)) { printLine($0) }.run()
    }

    /// Keeps contents of many sizes, some of them again and again.
    private static func writeBlobs(_ folder: String) throws {
        let blobs = try FolderBlobStore(folder: folder)
        var number = 0
        while true {
            number += 1
            let draft = try blobs.begin()
            for piece in 0..<(number % 5) { try draft.append([UInt8](repeating: UInt8(piece), count: number * 97)) }
            printLine(try draft.keep().text)
        }
    }

    /// One call of the system for one line: nothing is kept back in this process.
    private static func printLine(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func writePostgres(_ address: String) async throws {
        var settings = PostgresSettings(try PostgresAddress(address))
        settings.schemaName = "sample"
        let database = try await PostgresDatabase.open(settings, schema: .crash()) { .random(in: .min ... .max) }
        try await CrashWriter(database) { printLine($0) }.run()
    }
}
