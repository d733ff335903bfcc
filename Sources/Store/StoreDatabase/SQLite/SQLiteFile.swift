import Foundation
import StoreFoundation
import StoreSQLite

/// A file of SQLite that this process need not have open as a database: to be examined and copied.
package struct SQLiteFile: Sendable {
    package let path: String
    private let limits = DatabaseLimits()

    package init(path: String) {
        self.path = path
    }

    /// Looks for damage and for a schema that is not the one given. Nothing is changed; it blocks.
    package func examine(for schema: Schema) throws -> DatabaseExamination {
        try read(schema) { transaction in
            var problems = try transaction.query("PRAGMA integrity_check(10)") { try $0.value(0, as: String.self) }
            problems.removeAll { $0 == "ok" }
            problems += try transaction.query("PRAGMA foreign_key_check") { row in
                var cells = row.cells
                let table = try cells.next(as: String.self)
                cells.skip()
                return "a row of \(table) points to one of \(try cells.next(as: String.self)) that is not there"
            }
            let applied = try Migrator(schema).appliedCount(in: transaction)
            return DatabaseExamination(
                problems: problems, migrations: applied, knownMigrations: schema.migrations.count,
                epoch: try StoreProperty.epoch(in: transaction))
        }
    }

    /// Reads from the database as it is at one moment; it blocks.
    package func read<Result>(_ schema: Schema, _ body: (any ReadTransaction) throws -> Result) throws -> Result {
        try naming(schema) {
            let session = try SQLiteSession(.existing(path), limits)
            let transaction = SQLiteTransaction(in: session, limits, mayChange: false)
            try session.run("BEGIN")
            defer { try? session.run("ROLLBACK") }
            return try body(transaction)
        }
    }

    /// Copies the database as it is at one moment, to a file that is not there yet; it blocks.
    ///
    /// - Parameter progress: is told how many pages were copied, and of how many. What it throws ends the copying.
    package func copy(
        to destination: String, schema: Schema, progress: (_ pages: Int, _ of: Int) throws -> Void
    ) throws {
        try naming(schema) {
            let session = try SQLiteSession(.existing(path), limits)
            try DatabaseFile.make(destination)
            try SQLiteBackup(of: session.connection, to: destination).run(progress: progress)
        }
    }

    /// Begins another life of the database in a file that nobody has open, so that cursors of the former one are void.
    package func beginEpoch(_ name: String, schema: Schema) throws {
        try naming(schema) {
            let session = try SQLiteSession(.file(path), limits)
            let transaction = SQLiteTransaction(in: session, limits, mayChange: true)
            try session.run("BEGIN IMMEDIATE")
            try StoreProperty.beginEpoch(name, in: transaction)
            try session.run("COMMIT")
        }
    }

    private func naming<Result>(_ schema: Schema, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw DatabaseError(error).named(schema.name)
        } catch let error as DatabaseError {
            throw error.named(schema.name)
        }
    }
}

extension DatabaseError {
    /// The error with the name of its database, for callers that have several.
    func named(_ name: String) -> DatabaseError {
        DatabaseError(code, "the \(name) database: \(message)", constraint: constraint, isRetryable: isRetryable)
    }
}

/// The file of a database of SQLite.
enum DatabaseFile {
    /// Makes an empty file that only its owner may read, unless there is one; SQLite gives its log the same mode.
    static func make(_ path: String) throws {
        guard access(path, F_OK) != 0 else { return }
        do throws(FileFailure) {
            try SystemFile.create(path, draft: "\(path).\(UUID().uuidString).new")
        } catch {
            throw DatabaseError(.unavailable, "\(path) cannot be made: \(error.reason)")
        }
    }
}
