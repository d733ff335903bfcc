import StoreSQLite
import Synchronization

/// A database of SQLite, in a file or in memory.
///
/// One thread writes, and commits many closures at once; others read, each on a connection of its own. In memory there
/// is one connection, and so one thread for both.
package final class SQLiteDatabase: Database {
    package let engine = DatabaseEngine.sqlite

    private let writes: JobQueue<TransactionJob>
    private let reads: JobQueue<TransactionJob>
    /// The threads of the writer, of checkpoints and of readers.
    private let threads: DatabaseThreads
    private let readers: DatabaseThreads
    private let lending: LendingReaders
    private let hub: SignalHub
    private let checkpoints: CheckpointRequests

    /// Opens a file, makes it if there is none, and brings it to the schema. Opens a database in memory without a path.
    ///
    /// It blocks while migrations run.
    package convenience init(path: String?, schema: Schema, limits: DatabaseLimits = DatabaseLimits()) throws {
        try self.init(path, schema, limits, contents: nil)
    }

    /// Opens a database in memory with the ``contents()`` of another one of the same schema.
    package convenience init(
        contents: [UInt8], schema: Schema, limits: DatabaseLimits = DatabaseLimits()
    ) throws {
        try self.init(nil, schema, limits, contents: contents)
    }

    private init(_ path: String?, _ schema: Schema, _ limits: DatabaseLimits, contents: [UInt8]?) throws {
        let opening = path.map(SQLiteOpening.file) ?? .memory
        let hub = SignalHub(limit: limits.waitingSignals)
        let writes = JobQueue<TransactionJob>(limit: limits.waitingWrites)
        let reads = path == nil ? writes : JobQueue<TransactionJob>(limit: limits.waitingReads)
        (self.hub, self.writes, self.reads) = (hub, writes, reads)
        checkpoints = CheckpointRequests(limits)
        threads = DatabaseThreads()
        readers = DatabaseThreads()
        // In memory there is one connection.
        lending = LendingReaders(limit: path == nil ? 0 : limits.lookUps) {
            try SQLiteReader(reading: opening.path, limits)
        }
        do {
            if let path { try DatabaseFile.make(path) }
            try start(opening, schema, limits, isInMemory: path == nil, contents)
        } catch let error as SQLiteError {
            throw DatabaseError(opening: error)
        }
    }

    /// Ends the threads of a database that was not closed: no caller can reach it any more.
    deinit {
        reads.close()
        writes.close()
        checkpoints.close()
        hub.close()
    }

    private func start(
        _ opening: SQLiteOpening, _ schema: Schema, _ limits: DatabaseLimits, isInMemory: Bool, _ contents: [UInt8]?
    ) throws {
        let session = try SQLiteSession(opening, limits)
        try session.prepareForWriting(limits, isInMemory: isInMemory)
        if let contents {
            try session.connection.become(contents)
        } else {
            try isInMemory ? MemoryTemplate.copy(schema, into: session, limits) : session.migrate(to: schema, limits)
        }
        let writer = SQLiteWriter(session, limits, hub, checkpoints)
        let queue = writes
        threads.start(named: "till-writer", writer) { $0.work(on: queue) }
        guard !isInMemory else { return }
        let checkpointer = SQLiteCheckpointer(try SQLiteSession(opening, limits), limits)
        let requests = checkpoints
        threads.start(named: "till-checkpoint", checkpointer) { $0.work(on: requests) }
        for number in 1...max(limits.readers, 1) {
            let reader = try SQLiteReader(reading: opening.path, limits)
            let queue = reads
            readers.start(named: "till-reader-\(number)", reader) { $0.work(on: queue) }
        }
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await ReturningJob(nil) { try body($0) }.value(from: reads)
    }

    package func lookUp<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        if let found = try lending.lend({ try $0.read(body) }) { return found }
        return try await read(body)
    }

    package func lookUpOnce<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        if let found = try lending.lend({ try $0.readOnce(body) }) { return found }
        return try await read { try body(SingleStatement(in: $0)) }
    }

    package func write<Result: Sendable>(
        isolation: TransactionIsolation, _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await ReturningJob(isolation) { try body($0) }.value(from: writes)
    }

    package func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal> {
        hub.signals(on: topic)
    }

    /// The whole database at one moment, as a file of it would be.
    package func contents() async throws -> [UInt8] {
        try await read { transaction in
            // Safe: what this database gives to closures is of this type.
            try (transaction as! SQLiteTransaction).contents()
        }
    }

    package func close() async {
        // Readers go first: a connection that may only read cannot put the log away, which the last one to close does.
        await lending.close()
        reads.close()
        await readers.end()
        writes.close()
        checkpoints.close()
        await threads.end()
        hub.close()
    }
}

/// What databases in memory begin with. A process that has many of them, one for each test, makes each schema once.
private enum MemoryTemplate {
    /// The contents of empty databases, by the migrations that made them.
    private static let made = Mutex<[[String]: [UInt8]]>([:])

    static func copy(_ schema: Schema, into session: SQLiteSession, _ limits: DatabaseLimits) throws {
        let key = [schema.name] + schema.migrations.flatMap { [$0.name, $0.text(for: .sqlite)] }
        if let contents = made.withLock({ $0[key] }) { return try session.connection.become(contents) }
        try session.migrate(to: schema, limits)
        let contents = try session.connection.contents()
        made.withLock { $0[key] = contents }
    }
}
