import StoreDatabase
import StoreModel
import Synchronization

extension Schema {
    /// The tables of work and outbox, and one for what is done.
    static func working() throws -> Schema {
        let done: SQL = "CREATE TABLE done (number \(.integer) NOT NULL PRIMARY KEY, what \(.text) NOT NULL) \(.table)"
        return try Schema("working", [Migration(1, "working", WorkTable.tables + Outbox.tables + [done])])
    }
}

extension WriteTransaction {
    /// Notes something that was done.
    func noteDone(_ what: String) throws {
        try execute("INSERT INTO done (number, what) SELECT coalesce(max(number), 0) + 1, $1 FROM done", what)
    }

    /// Schedules pieces of work by their due times.
    func schedule(_ kind: String, _ subjects: [String: Int64], clock: ClockID = .environment) throws {
        for (subject, due) in subjects {
            try WorkTable.schedule(Work(kind, subject, dueAt: .ms(due), clock: clock), in: self)
        }
    }
}

extension ReadTransaction {
    /// What was done, in order.
    func done() throws -> [String] {
        try query("SELECT what FROM done ORDER BY number") { try $0.value(0) }
    }
}

extension Instant {
    /// A small instant, for transcripts.
    static func ms(_ milliseconds: Int64) -> Instant { Instant(millisecondsSinceEpoch: milliseconds) }
}

/// A wall time that stands until it is moved.
final class WallTime: Sendable {
    private let milliseconds = Mutex<Int64>(0)

    func advance(_ count: Int64) { milliseconds.withLock { $0 += count } }

    var reading: @Sendable () -> Instant {
        { Instant.ms(self.milliseconds.withLock { $0 }) }
    }
}

/// An error that a handler meets.
struct Mishap: Error, CustomStringConvertible {
    let description: String
}

/// Keeps what it is given, in order.
final class Journal: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    /// Keeps a line; gives how often it is kept by now.
    @discardableResult
    func note(_ line: String) -> Int {
        kept.withLock { kept in
            kept.append(line)
            return kept.count { $0 == line }
        }
    }
}

/// A database that counts how often it was written to.
final class CountingDatabase: Database {
    private let database: any Database
    private let willWrite: @Sendable (Int) async throws -> Void
    private let count = Mutex(0)

    /// - Parameter willWrite: is told the number of each write before it begins; what it throws is the write's error.
    init(_ database: any Database, willWrite: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
        (self.database, self.willWrite) = (database, willWrite)
    }

    var writes: Int { count.withLock { $0 } }
    var engine: DatabaseEngine { database.engine }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await database.read(body)
    }

    func write<Result: Sendable>(
        isolation: TransactionIsolation, _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result {
        let number = count.withLock { count in
            count += 1
            return count
        }
        try await willWrite(number)
        return try await database.write(isolation: isolation, body)
    }

    func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal> { try await database.signals(on: topic) }
    func close() async { await database.close() }
}
