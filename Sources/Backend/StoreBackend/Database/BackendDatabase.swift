import CPostgres
import Foundation
import StoreFoundation
import StoreSQLite

/// A database of the backend's own: a SQLite file, or PostgreSQL.
///
/// Each ``transaction(_:)`` is one transaction of the database and is written before it returns. On SQLite those that wait
/// are written with one commit; on PostgreSQL they run beside each other, serializable, and one that collided is run again.
public final class BackendDatabase: Sendable {
    typealias Work = @Sendable (Result<any BackendConnection, BackendError>) throws -> Void

    /// Which SQL it understands.
    public let dialect: SQLDialect
    private let queue: JobQueue

    /// Opens a SQLite file, which is made if it is not there.
    public static func sqlite(path: String) throws -> BackendDatabase {
        let opened = OpenedSQLite(try openSQLite(path))
        let database = BackendDatabase(dialect: .sqlite)
        database.start { queue in SQLiteWorker(opened.connection).run(queue) }
        return database
    }

    /// Connects to PostgreSQL; the address is any that libpq takes.
    public static func postgres(_ address: String, connections: Int = 4) throws -> BackendDatabase {
        // The first connection is made here, so that a wrong address is found at the start.
        _ = try PostgresLink(address)
        let database = BackendDatabase(dialect: .postgres)
        for _ in 0..<max(1, connections) { database.start { queue in PostgresWorker(address).run(queue) } }
        return database
    }

    private init(dialect: SQLDialect) {
        self.dialect = dialect
        queue = JobQueue()
    }

    private func start(_ body: @escaping @Sendable (JobQueue) -> Void) {
        let queue = queue
        OwnThread.start(named: "backend-database") { body(queue) }
    }

    deinit { queue.close() }

    /// Ends the threads and connections once everything that waits has been done. Later transactions are refused.
    public func close() { queue.close() }

    /// Runs a transaction: all of it is written when this returns, or nothing of it.
    ///
    /// The body may be run more than once, so it does nothing but use the connection.
    public func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (any BackendConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = JobResult<Value>()
            let job = DatabaseJob(
                run: { connection in result.value = try body(connection) },
                finish: { failure in
                    if let failure { return continuation.resume(throwing: failure) }
                    guard let value = result.value else {
                        return continuation.resume(throwing: BackendError(.database, "A transaction gave nothing."))
                    }
                    continuation.resume(returning: value)
                })
            if !queue.add(job) { job.finish(BackendError(.database, "The database is closed.")) }
        }
    }

    private static func openSQLite(_ path: String) throws -> SQLiteConnection {
        do {
            let connection = try SQLiteConnection(.file(path))
            try connection.setBusyTimeout(milliseconds: 10_000)
            try connection.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            return connection
        } catch let error as SQLiteError {
            throw BackendError(.database, "\(path) cannot be opened: \(error)")
        }
    }
}

/// Carries a new connection to the one thread that uses it from then on.
// Safe: it is made by one thread, which hands it over and never touches it again.
private struct OpenedSQLite: @unchecked Sendable {
    let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }
}

/// Where a job leaves its value.
// Safe: the worker's thread alone writes and reads it.
private final class JobResult<Value>: @unchecked Sendable {
    var value: Value?
}

/// One transaction that waits.
struct DatabaseJob: Sendable {
    let run: @Sendable (any BackendConnection) throws -> Void
    let finish: @Sendable ((any Error)?) -> Void
}

/// The transactions that wait for a thread.
// Safe: everything in it is used under the condition's lock.
final class JobQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [DatabaseJob] = []
    private var isClosed = false

    func add(_ job: DatabaseJob) -> Bool {
        condition.withLock {
            guard !isClosed else { return false }
            jobs.append(job)
            condition.signal()
            return true
        }
    }

    /// Waits for jobs and takes at most so many; none once the queue is closed and empty.
    func take(atMost limit: Int) -> [DatabaseJob] {
        condition.withLock {
            while jobs.isEmpty, !isClosed { condition.wait() }
            let taken = Array(jobs.prefix(limit))
            jobs.removeFirst(taken.count)
            return taken
        }
    }

    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }
}

/// The thread that writes a SQLite file.
private struct SQLiteWorker {
    /// How many transactions share a commit.
    static let sharedCommit = 64
    let handle: SQLiteHandle

    init(_ connection: SQLiteConnection) { handle = SQLiteHandle(connection) }

    func run(_ queue: JobQueue) {
        while true {
            let jobs = queue.take(atMost: Self.sharedCommit)
            guard !jobs.isEmpty else { return }
            commit(jobs)
        }
    }

    /// Each job is undone alone if it fails; what is left is written with one commit. If that fails, each runs alone, so
    /// that what one of them filled the disk with is not refused to the others.
    private func commit(_ jobs: [DatabaseJob]) {
        var outcomes: [(any Error)?] = []
        do {
            try handle.run("BEGIN IMMEDIATE")
        } catch {
            // Another process holds the file: it would keep each of them waiting as long again.
            for job in jobs { job.finish(error) }
            return
        }
        do {
            for job in jobs { outcomes.append(try outcome(of: job)) }
            try handle.run("COMMIT")
        } catch {
            if handle.isInTransaction { _ = try? handle.run("ROLLBACK") }
            guard jobs.count > 1 else { return jobs[0].finish(error) }
            for job in jobs { commit([job]) }
            return
        }
        for (job, outcome) in zip(jobs, outcomes) { job.finish(outcome) }
    }

    /// What the job threw; throws itself if the whole transaction is lost.
    private func outcome(of job: DatabaseJob) throws -> (any Error)? {
        try handle.run("SAVEPOINT job")
        do {
            try job.run(handle)
            try handle.run("RELEASE job")
            return nil
        } catch {
            // A full disk ends the transaction by itself.
            guard handle.isInTransaction else { throw error }
            try handle.run("ROLLBACK TO job")
            try handle.run("RELEASE job")
            return error
        }
    }
}

/// A connection to PostgreSQL that is finished with this.
private final class PostgresLink {
    let handle: PostgresHandle
    private let connection: OpaquePointer

    init(_ address: String) throws {
        guard let connection = Self.connect(address) else {
            throw BackendError(.database, "There is no memory left.")
        }
        self.connection = connection
        handle = PostgresHandle(connection)
        guard !handle.isLost else {
            throw BackendError(.database, "PostgreSQL cannot be reached: \(PostgresFailure(nil, connection).message)")
        }
        till_postgres_ignore_notices(connection)
    }

    /// A server that is gone without a word is given up after half a minute, unless the address says otherwise.
    private static func connect(_ address: String) -> OpaquePointer? {
        let parameters = [
            ("connect_timeout", "10"), ("tcp_user_timeout", "30000"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "4"), ("dbname", address),
        ]
        let texts = parameters.map { (strdup($0.0), strdup($0.1)) }
        defer {
            for (name, value) in texts {
                free(name)
                free(value)
            }
        }
        // libpq copies the texts, and what the address says overrides what stands before it.
        return PQconnectdbParams(
            texts.map { UnsafePointer($0.0) } + [nil], texts.map { UnsafePointer($0.1) } + [nil], 1)
    }

    deinit { PQfinish(connection) }
}

/// A thread with a connection to PostgreSQL, which is made again after it was lost.
private final class PostgresWorker {
    /// How often a transaction that collided is run again.
    static let tries = 20
    private let address: String
    private var link: PostgresLink?

    init(_ address: String) { self.address = address }

    func run(_ queue: JobQueue) {
        while let job = queue.take(atMost: 1).first { job.finish(failure(of: job)) }
    }

    private func failure(of job: DatabaseJob) -> (any Error)? {
        for attempt in 1... {
            do {
                let link = try self.link ?? PostgresLink(address)
                self.link = link
                try transaction(job, on: link.handle)
                return nil
            } catch {
                // Nothing of it is written but by a commit, whose own failure is told as such.
                let wasCut = link?.handle.isLost ?? false
                if wasCut { link = nil }
                let code = (error as? BackendError)?.code
                let mayTryAgain = code == .databaseBusy || wasCut && code != .outcomeUnknown
                guard mayTryAgain, attempt < Self.tries else { return error }
                usleep(UInt32.random(in: 1_000...5_000) * UInt32(attempt))
            }
        }
        return nil
    }

    private func transaction(_ job: DatabaseJob, on handle: PostgresHandle) throws {
        try handle.run("BEGIN ISOLATION LEVEL SERIALIZABLE")
        do {
            try job.run(handle)
            try handle.run("COMMIT")
        } catch {
            if handle.isInTransaction { _ = try? handle.run("ROLLBACK") }
            throw error
        }
    }
}
