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
