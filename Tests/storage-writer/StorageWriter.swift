import Foundation
import StorageTestSupport
import StoreBackend
import StoreDatabase
import StorePostgres

/// Writes to a database until it is killed, and prints each write once it was acknowledged.
enum StorageWriter {
    static func run(_ words: [String]) async throws {
        switch words.first {
        case "sqlite" where words.count == 2: try await writeSQLite(words[1])
        case "postgres" where words.count == 2: try await writePostgres(words[1])
        case "work-sqlite" where words.count == 3:
            try await work(words[2], on: try SQLiteDatabase(path: words[1], schema: .crashingWork()))
        case "work-postgres" where words.count == 3:
            try await work(words[2], on: try await postgres(words[1], schema: .crashingWork()))
        case "fulfil-sqlite" where words.count == 3: try fulfil(words, .sqlite)
        case "fulfil-postgres" where words.count == 3: try fulfil(words, .postgres)
        case "purchase-sqlite" where words.count == 3: try await purchase(words, in: try .sqlite(path: words[1]))
        case "purchase-postgres" where words.count == 3:
            try await purchase(words, in: try .postgres(words[1], connections: 1))
        case "blobs" where words.count == 2: try writeBlobs(words[1])
        default:
            throw DatabaseError(
                .statement,
                """
                usage: storage-writer sqlite PATH | postgres ADDRESS | blobs FOLDER
                    | work-sqlite PATH LIFE | work-postgres ADDRESS LIFE
                    | fulfil-sqlite PATH NUMBER | fulfil-postgres ADDRESS NUMBER
                    | purchase-sqlite PATH NUMBER | purchase-postgres ADDRESS NUMBER
                """
            )
        }
    }

    private static func fulfil(_ words: [String], _ dialect: SQLDialect) throws {
        guard let number = Int64(words[2]) else { throw DatabaseError(.statement, "a transaction is a number") }
        printLine(try FulfilmentWriter.run(dialect, words[1], number: number))
    }

    /// The number 0 makes the tables.
    private static func purchase(_ words: [String], in database: BackendDatabase) async throws {
        guard let number = Int64(words[2]) else { throw DatabaseError(.statement, "a transaction is a number") }
        let writer = try PurchaseWriter(database, number: number)
        if number == 0 { try await writer.prepare() } else { try await writer.run(printLine) }
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
        try await CrashWriter(try await postgres(address, schema: .crash())) { printLine($0) }.run()
    }

    private static func postgres(_ address: String, schema: Schema) async throws -> PostgresDatabase {
        var settings = PostgresSettings(try PostgresAddress(address))
        settings.schemaName = "sample"
        return try await .open(settings, schema: schema) { .random(in: .min ... .max) }
    }

    private static func work(_ life: String, on database: any Database) async throws {
        guard let life = Int64(life) else { throw DatabaseError(.statement, "a life is a number") }
        try await CrashWorker(database, life: life) { printLine($0) }.run()
    }
}
