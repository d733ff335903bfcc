/// A transactional database: SQLite on disk or in memory, or PostgreSQL.
///
/// ```swift
/// let id = try await database.write { transaction in
///     try transaction.execute("INSERT INTO purchase (id, state) VALUES ($1, $2)", purchase.id, purchase.state)
///     return purchase.id
/// }
/// let states = try await database.read { transaction in
///     try transaction.query("SELECT state FROM purchase ORDER BY id") { try $0.value(0, as: String.self) }
/// }
/// ```
///
/// A closure is synchronous and has no side effects outside the database, because it **may run again**: when a commit
/// failed that it shared with others, or when PostgreSQL could not serialise it. What it returns or throws is what its
/// last run did.
///
/// A closure that throws changes nothing. One that returns has changed everything it did, durably, before `write`
/// returns. There is nothing in between.
///
/// There is one case in which nobody knows which of both it is: the connection to PostgreSQL broke during the commit, and
/// the server could not tell later what came of it. Then, and only then, the error has the code `commitUnknown`.
package protocol Database: Sendable {
    /// Which engine this is.
    var engine: DatabaseEngine { get }

    /// Reads from one state of the database, however long it takes.
    ///
    /// Whatever was written before this call is seen.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result

    /// Reads a few rows that are found by their keys.
    ///
    /// It may do so on the thread of whoever asks, which takes a fraction of the time that changing threads does. So it is
    /// not for what may take long.
    func lookUp<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result

    /// Reads what one statement finds by keys. It sees one state of the database by itself, so that beginning and ending a
    /// transaction is spared; a second statement is refused.
    func lookUpOnce<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result

    /// Changes the database; returns once the changes are durable.
    ///
    /// A task that is cancelled before its turn has come withdraws its write and gets a `CancellationError`; from then
    /// on the write takes its course, and the caller hears what came of it.
    func write<Result: Sendable>(
        isolation: TransactionIsolation, _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result

    /// Signals on a topic, from every process that shares the database, until the consumer stops or the database is
    /// closed. What is signalled after this call returns is not missed.
    func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal>

    /// Lets what has begun end, refuses what waits and what comes, and gives everything back.
    func close() async
}

extension Database {
    package func lookUp<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await read(body)
    }

    package func lookUpOnce<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await read { try body(SingleStatement(in: $0)) }
    }

    /// Changes the database, as if no other transaction ran at the same time; returns once the changes are durable.
    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await write(isolation: .serializable, body)
    }
}
