package import StoreModel

/// Messages that are written with the change they tell of, and delivered at least once, in order.
///
/// Each stream has a piece of work while something is to be delivered, so that one deliverer at a time is at a stream and
/// the scheduler repeats what failed. A message that was given up makes way for the next one.
package struct Outbox: Sendable {
    /// The kind of work that stands for deliveries of this outbox. Streams of two outboxes have nothing in common.
    package let kind: String
    package let clock: ClockID

    package init(_ kind: String, clock: ClockID = .environment) {
        self.kind = kind
        self.clock = clock
    }

    /// The tables, for a migration that has the tables of ``WorkTable`` too. They never change.
    package static let tables: [SQL] = [
        """
        CREATE TABLE outbox_stream (
            kind \(.text) NOT NULL, clock_id \(.integer) NOT NULL, stream \(.text) NOT NULL,
            written \(.integer) NOT NULL, delivered \(.integer) NOT NULL,
            PRIMARY KEY (kind, clock_id, stream)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE outbox_message (
            kind \(.text) NOT NULL, clock_id \(.integer) NOT NULL, stream \(.text) NOT NULL,
            number \(.integer) NOT NULL, content \(.bytes) NOT NULL, written_at \(.integer) NOT NULL, failure \(.text),
            PRIMARY KEY (kind, clock_id, stream, number)
        ) \(.keyedTable)
        """,
    ]

    /// Writes a message, to be delivered as soon as those before it are; gives its number.
    @discardableResult
    package func append(
        _ content: [UInt8], to stream: String, at instant: Instant, in transaction: any WriteTransaction
    ) throws -> Int64 {
        let number = try transaction.value(
            """
            INSERT INTO outbox_stream (kind, clock_id, stream, written, delivered) VALUES ($1, $2, $3, 1, 0)
            ON CONFLICT (kind, clock_id, stream) DO UPDATE SET written = outbox_stream.written + 1 RETURNING written
            """, kind, clock, stream, as: Int64.self)
        try transaction.execute(
            """
            INSERT INTO outbox_message (kind, clock_id, stream, number, content, written_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, kind, clock, stream, number, content, instant)
        try WorkTable.ensure(Work(kind, stream, dueAt: instant, clock: clock), in: transaction)
        return number
    }

    /// The messages of a stream after a number, the lowest first; at most `limit`.
    package func messages(
        in stream: String, after number: Int64 = 0, limit: Int, transaction: any ReadTransaction
    ) throws -> [OutboxMessage] {
        try transaction.query(
            """
            SELECT stream, number, content, written_at, failure FROM outbox_message
            WHERE kind = $1 AND clock_id = $2 AND stream = $3 AND number > $4 ORDER BY number LIMIT $5
            """, kind, clock, stream, number, limit
        ) { row in
            var cells = row.cells
            return try OutboxMessage(
                stream: cells.next(), number: cells.next(), content: cells.next(), writtenAt: cells.next(),
                failure: cells.next())
        }
    }

    /// How many messages of a stream have been delivered or given up: all up to this number.
    package func deliveredCount(in stream: String, transaction: any ReadTransaction) throws -> Int64 {
        try transaction.optional(
            "SELECT delivered FROM outbox_stream WHERE kind = $1 AND clock_id = $2 AND stream = $3",
            kind, clock, stream
        ) { try $0.value(0) } ?? 0
    }

    /// Forgets messages that were delivered or given up and written before an instant; gives how many.
    @discardableResult
    package func prune(
        _ stream: String, writtenBefore instant: Instant, in transaction: any WriteTransaction
    ) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM outbox_message WHERE kind = $1 AND clock_id = $2 AND stream = $3 AND written_at < $4
                AND number <= (
                    SELECT delivered FROM outbox_stream WHERE kind = $1 AND clock_id = $2 AND stream = $3)
            """, kind, clock, stream, instant)
    }
}

extension Outbox {
    /// The handler that delivers this outbox: the lowest message of a stream that was not delivered yet, once a turn.
    ///
    /// A message is delivered once more if the process ends after `deliver` and before the delivery was noted; receivers
    /// know it again by stream and number.
    package func handler(
        on database: any Database, retries: RetrySchedule,
        deliver: @escaping @Sendable (OutboxMessage) async throws -> Void
    ) -> WorkHandler {
        WorkHandler(
            kind, retries: retries,
            giveUp: { turn, error, transaction in
                try note(turn.work.subject, failure: error, in: transaction)
                return try outcome(turn, in: transaction)
            },
            run: { turn in
                let message = try await database.read { try next(in: turn.work.subject, $0) }
                if let message { try await deliver(message) }
                try await database.write { transaction in
                    if let message { try note(message.stream, number: message.number, in: transaction) }
                    try turn.settle(try outcome(turn, in: transaction), in: transaction)
                }
                return .settled
            })
    }

    /// The lowest message of a stream that was not delivered yet.
    private func next(in stream: String, _ transaction: any ReadTransaction) throws -> OutboxMessage? {
        let delivered = try deliveredCount(in: stream, transaction: transaction)
        return try messages(in: stream, after: delivered, limit: 1, transaction: transaction).first
    }

    /// Whether the stream has more to deliver.
    private func outcome(_ turn: WorkTurn, in transaction: any ReadTransaction) throws -> WorkOutcome {
        try next(in: turn.work.subject, transaction) == nil ? .done : .again(at: turn.at)
    }

    private func note(_ stream: String, number: Int64, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            UPDATE outbox_stream SET delivered = $1
            WHERE kind = $2 AND clock_id = $3 AND stream = $4 AND delivered < $1
            """, number, kind, clock, stream)
    }

    private func note(_ stream: String, failure: String, in transaction: any WriteTransaction) throws {
        guard let message = try next(in: stream, transaction) else { return }
        try transaction.execute(
            """
            UPDATE outbox_message SET failure = $1
            WHERE kind = $2 AND clock_id = $3 AND stream = $4 AND number = $5
            """, failure, kind, clock, stream, message.number)
        try note(stream, number: message.number, in: transaction)
    }
}

/// Something to be told to somebody outside, in the order in which it happened.
package struct OutboxMessage: Hashable, Sendable {
    /// Who is told, such as `notifications/1234`. Messages of one stream are delivered one after the other.
    package let stream: String
    /// Counts from 1 within the stream, without gaps.
    package let number: Int64
    package let content: [UInt8]
    /// When it was written, by the clock of the stream.
    package let writtenAt: Instant
    /// Whether it was given up instead of delivered, and why.
    package let failure: String?
}
