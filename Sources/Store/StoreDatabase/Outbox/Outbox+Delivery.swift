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
