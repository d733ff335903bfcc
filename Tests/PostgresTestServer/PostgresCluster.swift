import Foundation
import Synchronization

/// A PostgreSQL server of its own, in a folder that goes away with the process.
package final class PostgresCluster: Sendable {
    /// The folder with the server's socket.
    package let folder: String
    private let process: ClusterProcess
    private let databases = Mutex(Databases())

    private struct Databases {
        var count = 0
        /// Empty ones.
        var free: [String] = []
        /// Those in which a store was set up, as it was then.
        var freeStores: [String] = []
        var lent = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// All tests of a process run at once, a store has a dozen connections, and a server 600.
        static let most = 32
    }

    /// The server that the tests of a run share. It is started by the first that needs it.
    package static let shared = Task { try await PostgresCluster.start() }

    /// Starts a server for somebody alone, who may do to it what he likes.
    package static func start() async throws -> PostgresCluster {
        try await onThread {
            let process = try ClusterProcess()
            return PostgresCluster(process, folder: try process.answer())
        }
    }

    private init(_ process: ClusterProcess, folder: String) {
        (self.process, self.folder) = (process, folder)
    }

    /// Ends the server as an operator would.
    package func stop() async throws { try await say("stop") }
    /// Kills every process of the server at once.
    package func crash() async throws { try await say("crash") }
    package func start() async throws { try await say("start") }

    private func say(_ word: String) async throws {
        try await onThread { _ = try self.process.say(word) }
    }

    /// Where a database is, as a connection string.
    package func address(of database: String, user: String = "postgres") -> String {
        "host=\(folder) user=\(user) dbname=\(database)"
    }

    /// An empty database; gives its name.
    package func borrowDatabase() async throws -> String {
        await takePlace()
        if let free = databases.withLock({ $0.free.popLast() }) { return free }
        return try await makeDatabase()
    }

    /// A database with an empty store; gives its name.
    ///
    /// - Parameter setUp: sets the store up in an empty database. It takes long, so that its outcome is kept.
    package func borrowStore(setUp: (_ database: String) async throws -> Void) async throws -> String {
        await takePlace()
        if let free = databases.withLock({ $0.freeStores.popLast() }) { return free }
        do {
            let name = try await makeDatabase()
            try await setUp(name)
            try await run(Self.remembering, in: name)
            return name
        } catch {
            letNextIn()
            throw error
        }
    }

    private func takePlace() async {
        await withCheckedContinuation { continuation in
            let mayGoOn = databases.withLock { databases in
                guard databases.lent >= Databases.most else {
                    databases.lent += 1
                    return true
                }
                databases.waiting.append(continuation)
                return false
            }
            if mayGoOn { continuation.resume() }
        }
    }

    private func makeDatabase() async throws -> String {
        let name = databases.withLock { databases in
            databases.count += 1
            return "test_\(databases.count)"
        }
        try await run("CREATE DATABASE \(name)")
        return name
    }

    /// Empties a database, whoever is still using it, and keeps it for the next: to make one takes long.
    package func giveBackDatabase(_ name: String) async throws {
        defer { letNextIn() }
        try await disconnectAll(from: name)
        let schemas = try await run(
            "SELECT quote_ident(nspname) FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema|public$)'",
            in: name)
        for schema in schemas { try await run("DROP SCHEMA \(schema) CASCADE", in: name) }
        databases.withLock { $0.free.append(name) }
    }

    /// Brings a store back to what it was when it was set up, whoever is still using it, and keeps it for the next.
    package func giveBackStore(_ name: String) async throws {
        defer { letNextIn() }
        try await disconnectAll(from: name)
        try await run(Self.restoring, in: name)
        databases.withLock { $0.freeStores.append(name) }
    }

    private func disconnectAll(from name: String) async throws {
        try await run("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(name)'")
    }

    private static let tables = """
        SELECT schemaname, tablename FROM pg_tables
        WHERE schemaname !~ '^(pg_|information_schema$|public$|remembered$)'
        """

    /// Copies the tables that have rows.
    private static let remembering = """
        CREATE SCHEMA remembered;
        DO $$
        DECLARE place record; has_rows boolean;
        BEGIN
            FOR place IN \(tables) LOOP
                EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.%I)', place.schemaname, place.tablename) INTO has_rows;
                IF has_rows THEN
                    EXECUTE format('CREATE TABLE remembered.%I AS TABLE %I.%I',
                        place.schemaname || '.' || place.tablename, place.schemaname, place.tablename);
                END IF;
            END LOOP;
        END $$
        """

    /// Replaces the rows of all tables by those of their copies, without asking which points to which.
    private static let restoring = """
        DO $$
        DECLARE place record;
        BEGIN
            SET LOCAL session_replication_role = replica;
            FOR place IN \(tables) LOOP
                EXECUTE format('DELETE FROM %I.%I', place.schemaname, place.tablename);
                IF to_regclass(format('remembered.%I', place.schemaname || '.' || place.tablename)) IS NOT NULL THEN
                    EXECUTE format('INSERT INTO %I.%I TABLE remembered.%I',
                        place.schemaname, place.tablename, place.schemaname || '.' || place.tablename);
                END IF;
            END LOOP;
        END $$
        """

    /// The place of a database that was given back goes to the next who waits.
    private func letNextIn() {
        let next = databases.withLock { databases -> CheckedContinuation<Void, Never>? in
            guard databases.waiting.isEmpty else { return databases.waiting.removeFirst() }
            databases.lent -= 1
            return nil
        }
        next?.resume()
    }

    /// Runs SQL as the superuser; gives the first column of the last answer.
    @discardableResult
    package func run(_ sql: String, in database: String = "postgres") async throws -> [String] {
        let address = address(of: database)
        return try await onThread { try Supervisor(address).run(sql) }
    }
}

/// Runs something that blocks on a thread of its own.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
    }
}
