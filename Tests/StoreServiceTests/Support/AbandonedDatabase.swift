import StoreDatabase
import Synchronization
import TestSupport

/// A database whose users stop in the middle, as a process does that is killed: before something is written, or after it
/// was written and before anybody heard of it.
final class AbandonedDatabase: Database {
    struct Stop: Error {}

    private let database: any Database
    private let stops: @Sendable () -> Bool

    var engine: DatabaseEngine { database.engine }

    convenience init(_ database: any Database, _ random: SplitMix64, perMille: UInt64) {
        let random = Chance(random)
        self.init(database) { random.value.withLock { $0.next() % 1000 < perMille } }
    }

    /// - Parameter stopping: asked at each point whether the user stops there.
    init(_ database: any Database, stopping: @escaping @Sendable () -> Bool) {
        self.database = database
        stops = stopping
    }

    private func mayStop() throws {
        if stops() { throw Stop() }
    }

    private final class Chance: Sendable {
        let value: Mutex<SplitMix64>

        init(_ random: SplitMix64) {
            value = Mutex(random)
        }
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try mayStop()
        return try await database.read(body)
    }

    func write<Result: Sendable>(
        isolation: TransactionIsolation, _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result {
        try mayStop()
        let result = try await database.write(isolation: isolation, body)
        try mayStop()
        return result
    }

    func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal> { try await database.signals(on: topic) }

    func close() async {}
}

/// A database whose disk is full as long as it is told so: it reads, and writes nothing.
final class FullDatabase: Database {
    let isFull = Observed(false)
    private let database: any Database

    var engine: DatabaseEngine { database.engine }

    init(_ database: any Database) {
        self.database = database
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await database.read(body)
    }

    func write<Result: Sendable>(
        isolation: TransactionIsolation, _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result {
        if isFull.value { throw DatabaseError(.full, "database or disk is full", isRetryable: true) }
        return try await database.write(isolation: isolation, body)
    }

    func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal> { try await database.signals(on: topic) }

    func close() async {}
}
