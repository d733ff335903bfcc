package import StoreDatabase
import StoreFoundation

/// A schema in a database of PostgreSQL.
///
/// A pool of connections, each on a thread of its own, runs closures: writes serializable, and again when PostgreSQL could
/// not serialise them or lost the connection before the commit; reads from one snapshot. The process keeps no state, so
/// that several may share a database.
package final class PostgresDatabase: Database {
    package let engine = DatabaseEngine.postgres

    private let writes: JobQueue<TransactionJob>
    private let reads: JobQueue<TransactionJob>
    private let threads: DatabaseThreads
    private let hub: SignalHub
    private let listener: PostgresListener
    private let source: PostgresSource

    /// Opens a database: makes the schema if there is none, and brings it up to date.
    ///
    /// Waiting times before something is tried again are drawn from `random`.
    package static func open(
        _ settings: PostgresSettings, schema: Schema, limits: DatabaseLimits = DatabaseLimits(),
        random: @escaping @Sendable () -> UInt64
    ) async throws -> PostgresDatabase {
        let source = try PostgresSource(settings, schema, limits)
        try await PostgresMigration(source: source, schema: schema).run()
        return PostgresDatabase(source, settings, random)
    }

    private init(_ source: PostgresSource, _ settings: PostgresSettings, _ random: @escaping @Sendable () -> UInt64) {
        let limits = source.databaseLimits
        let (threads, hub) = (DatabaseThreads(), SignalHub(limit: limits.waitingSignals))
        (self.source, self.threads, self.hub) = (source, threads, hub)
        writes = JobQueue(limit: limits.waitingWrites)
        reads = JobQueue(limit: limits.waitingReads)
        listener = PostgresListener(source.listening(to: settings.listeningAddress), hub, threads, random: random)
        let gate = TransactionGate()
        for (name, count, queue) in [
            ("writer", source.limits.writers, writes), ("reader", limits.readers, reads),
        ] {
            for number in 1...max(count, 1) {
                let worker = PostgresWorker(source, gate, random: random)
                threads.start(named: "till-\(name)-\(number)", worker) { $0.work(on: queue) }
            }
        }
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await ReturningJob(nil) { try body($0) }.value(from: reads)
    }

    package func write<Result: Sendable>(
        isolation: TransactionIsolation, _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await ReturningJob(isolation) { try body($0) }.value(from: writes)
    }

    package func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal> {
        try await listener.signals(on: topic)
    }

    /// Lets what has begun end for a while, then has the server stop it.
    package func close() async {
        writes.close()
        reads.close()
        listener.close()
        let (watch, ended, source) = (DatabaseThreads(), Waker(), source)
        watch.start(named: "till-closing", ()) {
            if !ended.wait(milliseconds: source.limits.closingMilliseconds) { source.abandon.wake() }
        }
        await threads.end()
        ended.wake()
        await watch.end()
        hub.close()
    }
}

extension StoreDatabases {
    /// Opens the schemas `catalogue`, `production` and `sandbox` of one database, or makes them.
    ///
    /// If one cannot be opened, none stays open.
    package static func postgres(
        _ settings: PostgresSettings, _ schemas: StoreSchemas, limits: DatabaseLimits = DatabaseLimits(),
        random: @escaping @Sendable () -> UInt64
    ) async throws -> StoreDatabases {
        var opened: [PostgresDatabase] = []
        do {
            for schema in [schemas.catalogue, schemas.production, schemas.sandbox] {
                opened.append(try await .open(settings, schema: schema, limits: limits, random: random))
            }
        } catch {
            for database in opened { await database.close() }
            throw error
        }
        return StoreDatabases(catalogue: opened[0], production: opened[1], sandbox: opened[2])
    }
}
