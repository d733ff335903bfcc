import Foundation
import StorageTestSupport
import StoreDatabase
import StoreSQLite
import Synchronization
import TestSupport
import Testing

@Suite("Files of SQLite, examined and copied (X9, X11)", .bounded)
struct SQLiteFileTests {
    private let folder: String
    private var path: String { folder + "/sample.sqlite" }
    private var file: SQLiteFile { SQLiteFile(path: path) }

    init() throws {
        folder = NSTemporaryDirectory() + "till-files-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func withDatabase(_ body: (SQLiteDatabase) async throws -> Void) async throws {
        let database = try SQLiteDatabase(path: path, schema: .sample())
        try await body(database)
        await database.close()
    }

    private func cleanUp() { try? FileManager.default.removeItem(atPath: folder) }

    /// One booking: an entry, and the balance that goes with it.
    private static func book(_ number: Int, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            "INSERT INTO entry (account_id, number, note, content) VALUES (1, $1, 'booking', $2)", number,
            [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 2000))
        try transaction.execute("UPDATE account SET balance = balance + 1 WHERE id = 1")
    }

    @Test("A copy made while others write is one state of the database, neither torn nor mixed")
    func copyUnderLoad() async throws {
        defer { cleanUp() }
        try await withDatabase { database in
            try await database.write { transaction in
                try transaction.openAccount(1, named: "a")
                // More pages than are copied in one step.
                for number in 0..<1200 { try Self.book(number, in: transaction) }
            }
            let load = Load(from: 1200)
            let writing = Task {
                while !load.isOver {
                    let number = load.written
                    try await database.write { try Self.book(number, in: $0) }
                    load.count()
                }
            }
            for round in 0..<5 {
                let copy = "\(folder)/copy-\(round).sqlite"
                let before = load.written
                let steps = try await copyBetweenWrites(to: copy, load)
                #expect(steps.count > 1)
                #expect(steps.last.map { $0.done == $0.all } == true)
                #expect(load.written > before)
                #expect(try SQLiteFile(path: copy).examine(for: .sample()).problems == [])
                let opened = try SQLiteDatabase(path: copy, schema: .sample())
                let (entries, balance) = try await opened.read { transaction in
                    (
                        try transaction.value("SELECT count(*) FROM entry", as: Int.self),
                        try transaction.value("SELECT balance FROM account", as: Int.self)
                    )
                }
                await opened.close()
                #expect(entries == balance && entries >= before)
            }
            load.end()
            try await writing.value
        }
    }

    private struct Step: Sendable {
        let done: Int
        let all: Int
    }

    /// Copies on a thread of its own, and waits after the first step until somebody has written.
    private func copyBetweenWrites(to copy: String, _ load: Load) async throws -> [Step] {
        let file = file
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        var steps: [Step] = []
                        try file.copy(to: copy, schema: .sample()) { done, all in
                            steps.append(Step(done: done, all: all))
                            if steps.count == 1 { load.waitForAnother() }
                        }
                        return steps
                    })
            }
        }
    }

    /// What the writer of a test has written, and whether it shall go on.
    private final class Load: Sendable {
        private let state: Mutex<(written: Int, isOver: Bool)>
        private let change = NSCondition()

        init(from count: Int) {
            state = Mutex((count, false))
        }

        var written: Int { state.withLock { $0.written } }
        var isOver: Bool { state.withLock { $0.isOver } }

        func end() { state.withLock { $0.isOver = true } }

        func count() {
            change.withLock {
                state.withLock { $0.written += 1 }
                change.broadcast()
            }
        }

        /// Blocks a thread until something more has been written.
        func waitForAnother() {
            change.withLock {
                let count = written
                while written == count { change.wait() }
            }
        }
    }

    @Test("Copying can be broken off, and does not touch the original")
    func brokenOff() async throws {
        defer { cleanUp() }
        struct Enough: Error {}
        try await withDatabase { database in
            try await database.write { transaction in
                try transaction.openAccount(1, named: "a")
                for number in 0..<1200 { try Self.book(number, in: transaction) }
            }
            #expect(throws: Enough.self) {
                try file.copy(to: folder + "/copy.sqlite", schema: .sample()) { _, _ in throw Enough() }
            }
            try await database.write { try Self.book(2000, in: $0) }
        }
        #expect(try file.examine(for: .sample()).problems == [])
    }

    @Test("What cannot be written says so, with the name of the database")
    func unwritable() async throws {
        defer { cleanUp() }
        try await withDatabase { _ in }
        let error = #expect(throws: DatabaseError.self) {
            try file.copy(to: folder + "/none/copy.sqlite", schema: .sample()) { _, _ in }
        }
        #expect(error?.code == .unavailable)
        #expect(error?.message.hasPrefix("the sample database: ") == true)
    }

    @Test("A file in order has no problems, and its migrations are counted")
    func inOrder() async throws {
        defer { cleanUp() }
        try await withDatabase { _ in }
        let examination = try file.examine(for: .sample())
        #expect(examination.problems == [])
        #expect(examination.migrations == 2 && examination.knownMigrations == 2)
        let older = try Schema("sample", Array(Schema.sample().migrations.prefix(1)))
        #expect(throws: DatabaseError.self) { try file.examine(for: older) }
        #expect(throws: DatabaseError.self) { try file.examine(for: Schema("other", [])) }
    }

    @Test("Damage inside, rows that point nowhere, and files that are none are found")
    func damage() async throws {
        defer { cleanUp() }
        try await withDatabase { database in
            try await database.write { transaction in
                try transaction.openAccount(1, named: "a")
                for number in 0..<300 { try Self.book(number, in: transaction) }
            }
        }
        do {
            let connection = try SQLiteConnection(.file(path))
            try connection.run("PRAGMA foreign_keys = OFF")
            try connection.run("INSERT INTO entry (account_id, number) VALUES (77, 1)")
        }
        #expect(
            try file.examine(for: .sample()).problems == ["a row of entry points to one of account that is not there"])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The middle of the tree of a table.
        for index in (bytes.count / 2)..<(bytes.count / 2 + 8192) { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: path))
        let found = (try? file.examine(for: .sample()).problems) ?? ["unreadable"]
        #expect(!found.isEmpty && !found.contains("ok"))
        try Data("no database at all".utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: DatabaseError.self) { try file.examine(for: .sample()) }
        #expect(error?.code == .corrupt)
        #expect(throws: DatabaseError.self) { try SQLiteFile(path: folder + "/none").examine(for: .sample()) }
        #expect(!FileManager.default.fileExists(atPath: folder + "/none"))
    }

    @Test("Another life of the database begins in its file")
    func epoch() async throws {
        defer { cleanUp() }
        try await withDatabase { database in
            try await database.write { try StoreProperty.beginFirstEpoch("one", in: $0) }
        }
        #expect(try file.examine(for: .sample()).epoch == "one")
        try file.beginEpoch("two", schema: .sample())
        #expect(try file.examine(for: .sample()).epoch == "two")
    }
}
