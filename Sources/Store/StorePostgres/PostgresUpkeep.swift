import CPostgres
import ChildProcesses
import Foundation
package import StoreDatabase
import StoreFoundation

/// The upkeep of databases that are schemas of PostgreSQL. Copies are made and put back by PostgreSQL's own programs,
/// `pg_dump` and `pg_restore`, which must be as new as the server.
package struct PostgresUpkeep: DatabaseUpkeep {
    package let engine = "postgres"
    private let settings: PostgresSettings

    package init(_ settings: PostgresSettings) {
        self.settings = settings
    }

    package func exists(_ schema: Schema) async throws -> Bool {
        let source = try PostgresSource(settings, schema, DatabaseLimits())
        return try await onOwnThread { try Self.isThere(source, in: source.session()) }
    }

    private static func isThere(_ source: PostgresSource, in session: PostgresSession) throws -> Bool {
        try session.connection.run(
            "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = '\(source.schemaName)'"
        ).rowCount > 0
    }

    package func examine(_ schema: Schema) async throws -> DatabaseExamination? {
        let name = try PostgresSource(settings, schema, DatabaseLimits()).schemaName
        return try await read(schema) { transaction in
            let problems = try transaction.query(Self.unsound, name) { try $0.value(0, as: String.self) }
            return DatabaseExamination(
                problems: problems, migrations: try Migrator(schema).appliedCount(in: transaction),
                knownMigrations: schema.migrations.count, epoch: try StoreProperty.epoch(in: transaction))
        }
    }

    package func read<Result: Sendable>(
        _ schema: Schema, _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result? {
        let source = try PostgresSource(settings, schema, DatabaseLimits())
        return try await onOwnThread {
            let session = try source.session()
            guard try Self.isThere(source, in: session) else { return nil }
            try session.connection.run(source.beginning(nil))
            defer { _ = try? session.connection.run("ROLLBACK") }
            let transaction = PostgresTransaction(in: session, source.databaseLimits, channel: source.schemaName)
            defer { transaction.close() }
            return try body(transaction)
        }
    }

    /// Indexes whose making was broken off, and constraints that were never checked against the rows there are.
    private static let unsound: SQL = """
        SELECT 'the index ' || c.relname || ' is not valid; make it again with REINDEX'
            FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND NOT i.indisvalid
        UNION ALL
        SELECT 'the constraint ' || o.conname || ' was never validated'
            FROM pg_catalog.pg_constraint o JOIN pg_catalog.pg_namespace n ON n.oid = o.connamespace
            WHERE n.nspname = $1 AND NOT o.convalidated
        """

    package func copy(
        _ schemas: [Schema], into folder: String, progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws {
        try progress(UpkeepProgress("copying the databases with pg_dump", done: 0, of: 1))
        let names = try schemas.map { try PostgresSource(settings, $0, DatabaseLimits()).schemaName }
        let program = PostgresProgram("pg_dump", at: settings.address)
        try await onOwnThread {
            try program.run(
                ["--format=custom", "--no-owner", "--no-privileges", "--file=\(folder)/\(Self.file)"]
                    + names.map { "--schema=\($0)" })
        }
        try progress(UpkeepProgress("copying the databases with pg_dump", done: 1, of: 1))
    }

    package func restore(
        _ schemas: [Schema], from folder: String, replacing: Bool, epoch: String,
        progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws {
        for schema in schemas where !replacing {
            guard try await examine(schema) == nil else {
                throw UpkeepError(.occupied, "there is a \(schema.name) database already")
            }
        }
        try progress(UpkeepProgress("putting back the databases with pg_restore", done: 0, of: 1))
        let program = PostgresProgram("pg_restore", at: settings.address)
        guard let database = settings.address.parameters["dbname"] ?? settings.address.parameters["user"] else {
            throw UpkeepError(.unsuitable, "the address of PostgreSQL has to name the database to put back to")
        }
        try await onOwnThread {
            try makeExtensions()
            // All of it or nothing, in one transaction; with --clean the former schemas go in the same.
            let cleaning = replacing ? ["--clean", "--if-exists"] : []
            try program.run(
                ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--dbname=\(database)"]
                    + cleaning + ["\(folder)/\(Self.file)"])
        }
        for schema in schemas {
            let opened = try await PostgresDatabase.open(
                settings, schema: schema, random: { UInt64.random(in: .min ... .max) })
            try await opened.write { try StoreProperty.beginEpoch(epoch, in: $0) }
            await opened.close()
        }
        try progress(UpkeepProgress("putting back the databases with pg_restore", done: 1, of: 1))
    }

    private static let file = "databases.pgdump"

    /// Makes what indexes need and copies of schemas do not have.
    private func makeExtensions() throws {
        let connection = try PostgresConnection(to: settings.address, abandon: Waker())
        try connection.run("CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA pg_catalog")
    }

    private func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        do {
            return try await OwnThread.run(named: "till-blocking", body)
        } catch let error as PostgresError {
            throw error.databaseError
        }
    }
}

/// One of PostgreSQL's own programs, told where the server is by its environment: arguments are seen by everybody on the
/// machine, and the address may hold a password.
struct PostgresProgram: Sendable {
    let name: String
    private let environment: [String: String]

    init(_ name: String, at address: PostgresAddress) {
        self.name = name
        environment = ProcessInfo.processInfo.environment.merging(Self.variables(of: address)) { _, own in own }
    }

    /// Runs the program to its end; it blocks. Throws what the program complained of.
    func run(_ arguments: [String]) throws {
        let process: ChildProcess
        do {
            process = try ChildProcess(name, arguments, environment: environment, errors: .pipe)
        } catch  where error.isNoSuchProgram {
            throw UpkeepError(.program, "\(name) is not installed; it comes with PostgreSQL's client programs")
        } catch {
            throw UpkeepError(.program, "\(name) cannot be started: \(error.reason)")
        }
        let said = (try? process.errors?.readToEnd()) ?? Data()
        guard process.wait() == 0 else {
            let first = String(decoding: said.prefix(Self.longestComplaint), as: UTF8.self)
            throw UpkeepError(.program, "\(name) failed: \(first.trimmingCharacters(in: .whitespacesAndNewlines))")
        }
    }

    /// The variables that mean what the parameters of an address mean.
    private static func variables(of address: PostgresAddress) -> [String: String] {
        let options = PQconndefaults()
        defer { PQconninfoFree(options) }
        var variables: [String: String] = [:]
        guard var option = options else { return variables }
        while let keyword = option.pointee.keyword {
            if let variable = option.pointee.envvar, let value = address.parameters[String(cString: keyword)] {
                variables[String(cString: variable)] = value
            }
            option += 1
        }
        return variables
    }

    private static let longestComplaint = 500
}
