import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules

/// How the delivery of notifications to the addresses of apps stands, as rows of `notification`.
package enum NotificationDeliveries {
    /// The kind of work that another attempt is, by the clock of whom the notification concerns; the subject is its id.
    package static let work = "notification-retry"

    static let isSendable = NotificationState.condition { $0 == .waiting || $0 == .due }

    // MARK: What is sent now

    /// The apps that have an address, and something to be sent to it.
    static func receivers(in transaction: any ReadTransaction) throws -> [AppID] {
        try transaction.query(
            """
            SELECT app_id FROM notification_setting WHERE EXISTS (
                SELECT 1 FROM notification WHERE notification.app_id = notification_setting.app_id AND \(isSendable))
            ORDER BY app_id
            """
        ) { try $0.value(0) }
    }

    /// How the newest attempts to apps went that have an address: whether they succeeded.
    static func standings(in transaction: any ReadTransaction) throws -> [AppID: Bool] {
        let isTried = NotificationState.condition { [.delivered, .resting, .failed].contains($0) }
        let found = try transaction.query(
            """
            SELECT app_id, (
                SELECT state FROM notification WHERE notification.app_id = notification_setting.app_id AND \(isTried)
                ORDER BY signed_at DESC, uuid DESC LIMIT 1)
            FROM notification_setting ORDER BY app_id
            """
        ) { row in
            var cells = row.cells
            return (try cells.next(as: AppID.self), try cells.next(as: String?.self))
        }
        return Dictionary(uniqueKeysWithValues: found).compactMapValues {
            $0.map { $0 == NotificationState.delivered.rawValue }
        }
    }

    /// What tells one claim from others, and until when others stay away.
    struct Claim: Hashable, Sendable {
        let lease: String
        let now: Instant
        var until: Instant { now + NotificationLimits.lease }
    }

    /// Claims what can be sent for an app now: the first of each stream that waits for its first attempt, and, where there are
    /// places left, what is to be sent again; of each the oldest first.
    static func claim(
        _ count: Int, of app: AppID, _ claim: Claim, in transaction: any WriteTransaction
    ) throws -> [StoredNotification] {
        try transaction.query(
            """
            WITH next AS (
                SELECT stream, number FROM notification AS candidate
                WHERE app_id = $1 AND \(isSendable) AND (leased_until IS NULL OR leased_until <= $2)
                    AND (\(NotificationState.condition { $0 == .due }) OR NOT EXISTS (
                        SELECT 1 FROM notification AS earlier
                        WHERE earlier.stream = candidate.stream AND earlier.number < candidate.number
                            AND earlier.state IN \(NotificationState.list { $0 == .waiting })))
                ORDER BY state DESC, written_at, stream, number LIMIT $3 \(.skippingLocked)
            )
            UPDATE notification SET lease = $4, leased_until = $5 FROM next
            WHERE notification.stream = next.stream AND notification.number = next.number
            RETURNING \(StoredNotification.table.qualifiedColumns)
            """, app, claim.now, count, claim.lease, claim.until, row: StoredNotification.init
        ).sorted {
            // As in the statement, whose order is not that of what it returns: waiting is before due.
            ($1.state.rawValue, $0.writtenAt, $0.number) < ($0.state.rawValue, $1.writtenAt, $1.number)
        }
    }

    /// Lets others have at once what processes that were killed had in hand.
    package static func reclaimAll(in transaction: any WriteTransaction) throws {
        try transaction.execute(
            "UPDATE notification SET lease = NULL, leased_until = NULL WHERE \(isSendable) AND lease IS NOT NULL")
    }

    // MARK: What happens

    /// Takes in an attempt that was made; false if another process has the notification by now, which will note its own.
    static func note(
        _ outcome: NotificationOutcome, of claimed: StoredNotification, _ retries: NotificationRetries,
        by cause: ChangeCause, in transaction: any WriteTransaction
    ) throws -> Bool {
        guard let known = try find(claimed.uuid, in: transaction), known.lease == claimed.lease, known.lease != nil
        else {
            return false
        }
        let change = try cause.change(of: known.customer, in: transaction)
        // While a clock is advanced it does not show yet what has happened already by it.
        let at = max(change.commerce, known.signedAt, known.nextAt ?? known.signedAt)
        try transaction.insert(
            NotificationAttempt(
                of: known, to: NotificationAttempt.address, number: known.attempts + 1,
                at: StoreTimes(commerce: at, wall: change.wall), outcome), into: NotificationAttempt.table)
        try handle(outcome.result == .success ? .delivered : .failed(retries), of: known, at: at, change)
        return true
    }

    /// Takes in what happens to a notification, and does what follows from it. Its lease ends with its attempt alone.
    static func handle(
        _ event: NotificationDelivery.Event, of known: StoredNotification, at instant: Instant, _ change: Change
    ) throws {
        let transaction = change.transaction
        var delivery = NotificationDelivery(
            state: known.state, attempts: known.attempts, attemptedAt: known.attemptedAt, nextAt: known.nextAt)
        let actions = delivery.handle(event, at: instant)
        var changed = known
        (changed.state, changed.attempts) = (delivery.state, delivery.attempts)
        (changed.attemptedAt, changed.nextAt) = (delivery.attemptedAt, delivery.nextAt)
        if event.endsAttempt { (changed.lease, changed.leasedUntil) = (nil, nil) }
        try transaction.update(changed, from: known, in: StoredNotification.table)
        for action in actions {
            switch action {
            case .retry(let next):
                try WorkTable.schedule(
                    Work(work, known.uuid.description, dueAt: next, clock: change.clock), in: transaction)
            case .forgetRetry:
                try WorkTable.cancel(work, known.uuid.description, clock: change.clock, in: transaction)
            case .send: try transaction.signal(Signal(.notifications, subject: known.app.description))
            }
        }
    }

    /// The turn of another attempt: the notification is sent as soon as there is a place for it.
    static func retry(_ turn: WorkTurn, by cause: ChangeCause, in transaction: any WriteTransaction) throws {
        guard let id = NotificationID(turn.work.subject), let known = try find(id, in: transaction) else { return }
        let change = try cause.change(of: known.customer, in: transaction)
        let hasAddress = try NotificationSetting.find(of: known.app, in: transaction) != nil
        try handle(hasAddress ? .retryDue : .withdrawn, of: known, at: turn.at, change)
    }

    /// Gives up what was not delivered yet, because its app has no address any more. Work for later attempts finds that out by
    /// itself. An attempt that is under way keeps its lease, so that what comes of it is noted.
    package static func close(of app: AppID, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            UPDATE notification SET state = $2, next_at = NULL
            WHERE app_id = $1 AND \(isSendable)
            """, app, NotificationState.failed.rawValue)
    }

    /// Puts aside what the address has no form of.
    static func setAside(_ claimed: StoredNotification, in transaction: any WriteTransaction) throws {
        guard let known = try find(claimed.uuid, in: transaction), known.lease == claimed.lease else { return }
        var changed = known
        (changed.state, changed.nextAt, changed.lease, changed.leasedUntil) = (.unaddressed, nil, nil, nil)
        try transaction.update(changed, from: known, in: StoredNotification.table)
    }

    /// Lets the next of the stream go first, and a notification after that.
    static func step(
        aside claimed: StoredNotification, until instant: Instant, in transaction: any WriteTransaction
    ) throws {
        guard let known = try find(claimed.uuid, in: transaction), known.lease == claimed.lease, known.state.isOpen
        else { return }
        var changed = known
        (changed.state, changed.leasedUntil) = (.due, instant)
        try transaction.update(changed, from: known, in: StoredNotification.table)
    }

    // MARK: How it stands

    static func find(_ id: NotificationID, in transaction: any ReadTransaction) throws -> StoredNotification? {
        try transaction.optional(
            "SELECT \(StoredNotification.table.columns) FROM notification WHERE uuid = $1", id,
            row: StoredNotification.init)
    }

    /// Those of a customer for which another attempt is to come later.
    static func resting(of customer: CustomerID, in transaction: any ReadTransaction) throws -> [NotificationID] {
        try transaction.query(
            "SELECT uuid FROM notification WHERE customer_id = $1 AND \(NotificationState.condition { $0 == .resting })",
            customer
        ) { try $0.value(0) }
    }

    /// Whether something that concerns a clock is to be sent now.
    static func areWaiting(for clock: ClockID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.optional(
            """
            SELECT 1 FROM notification LEFT JOIN customer ON customer.id = notification.customer_id
            WHERE \(isSendable) AND coalesce(customer.clock_id, $2) = $1 LIMIT 1
            """, clock, ClockID.environment
        ) { try $0.value(0, as: Int.self) } != nil
    }

    /// How many are to be sent now, and since when the oldest waits, by the wall clock.
    static func backlog(in transaction: any ReadTransaction) throws -> (count: Int, oldest: Instant?) {
        try transaction.one("SELECT count(*), min(written_at) FROM notification WHERE \(isSendable)") { row in
            var cells = row.cells
            return (try cells.next(as: Int.self), try cells.next(as: Instant?.self))
        }
    }

    /// Forgets notifications that were written long ago; gives how many.
    static func remove(
        writtenBefore instant: Instant, limit: Int, in transaction: any WriteTransaction
    ) throws -> Int {
        let old = try transaction.query(
            """
            SELECT stream, number FROM notification WHERE written_at < $1 ORDER BY written_at, uuid LIMIT $2
            """, instant, limit
        ) { row in
            var cells = row.cells
            return (stream: try cells.next(as: NotificationStream.self), number: try cells.next(as: Int64.self))
        }
        for one in old {
            try transaction.execute(
                "DELETE FROM notification_attempt WHERE stream = $1 AND notification_number = $2", one.stream,
                one.number)
            try transaction.execute(
                "DELETE FROM notification WHERE stream = $1 AND number = $2", one.stream, one.number)
        }
        return old.count
    }
}
