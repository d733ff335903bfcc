import StoreDatabase
package import StoreModel

/// An attempt to hand a notification to a receiver, and what came of it: a row of `notification_attempt`.
package struct NotificationAttempt: Hashable, Sendable {
    package let stream: NotificationStream
    /// The number of the notification in its stream.
    package let notification: Int64
    /// Who was to have it: ``address``, or a listener by its number.
    package let receiver: String
    /// Counts from 1 for each receiver.
    package let number: Int
    /// When it was made, by the clock of whom the notification concerns, and by the wall clock.
    package let at: Instant
    package let wallAt: Instant
    package let result: SendAttemptResult
    /// The status of the answer; nil without one.
    package let status: Int?
    /// The beginning of the answer, or why there was none; nil where there is nothing to say.
    package let detail: String?
    /// How long it took.
    package let milliseconds: Int

    /// The receiver that is the address of the app.
    package static let address = "address"

    /// What made it fail on purpose, in words; nil where no fault did.
    package var fault: String? {
        guard result != .success, let detail, detail.prefixMatch(of: #/fault [0-9]+: /#) != nil else { return nil }
        return detail
    }

    /// What the clock of whom it concerns showed, where that was another time than the real one.
    package var ownTime: Instant? { NotificationSummary.ownTime(at, besides: wallAt) }

    static let table = RowTable<NotificationAttempt>("notification_attempt") {
        Column("stream", .key) { $0.stream }
        Column("notification_number", .key) { $0.notification }
        Column("receiver", .key) { $0.receiver }
        Column("number", .key) { $0.number }
        Column("at") { $0.at }
        Column("wall_at") { $0.wallAt }
        Column("result") { $0.result }
        Column("status") { $0.status }
        Column("detail") { $0.detail }
        Column("milliseconds") { $0.milliseconds }
    }

    package init(
        of notification: StoredNotification, to receiver: String, number: Int, at times: StoreTimes,
        _ outcome: NotificationOutcome
    ) {
        (stream, self.notification, self.receiver) = (notification.stream, notification.number, receiver)
        (self.number, at, wallAt) = (number, times.commerce, times.wall)
        (result, status, detail) = (outcome.result, outcome.status, outcome.detail)
        milliseconds = outcome.milliseconds
    }

    init(_ row: Row) throws {
        var cells = row.cells
        (stream, notification, receiver, number) = try (cells.next(), cells.next(), cells.next(), cells.next())
        (at, wallAt, result, status) = try (cells.next(), cells.next(), cells.next(), cells.next())
        (detail, milliseconds) = try (cells.next(), cells.next())
    }

    /// Those of a notification, in the order in which they were made.
    static func all(
        of notification: StoredNotification, in transaction: any ReadTransaction
    ) throws -> [NotificationAttempt] {
        try transaction.query(
            """
            SELECT \(table.columns) FROM notification_attempt
            WHERE stream = $1 AND notification_number = $2 ORDER BY wall_at, receiver, number
            """, notification.stream, notification.number, row: NotificationAttempt.init)
    }
}

/// What came of an attempt, as whoever made it knows it.
package struct NotificationOutcome: Hashable, Sendable {
    package var result: SendAttemptResult
    /// The status of the answer; nil without one.
    package var status: Int?
    /// The beginning of the answer, or why there was none; nil where there is nothing to say.
    package var detail: String?
    package var milliseconds: Int

    package init(_ result: SendAttemptResult, status: Int? = nil, detail: String? = nil, milliseconds: Int = 0) {
        (self.result, self.status, self.milliseconds) = (result, status, milliseconds)
        self.detail = detail.flatMap(Self.excerpt)
    }

    /// The beginning of a text, on one line, without what cannot be shown.
    private static func excerpt(_ text: String) -> String? {
        var excerpt = ""
        for scalar in text.unicodeScalars.prefix(NotificationLimits.excerptBytes) {
            let isShown = scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value != 0xFFFD
            guard excerpt.utf8.count < NotificationLimits.excerptBytes else { break }
            excerpt.unicodeScalars.append(isShown ? scalar : " ")
        }
        let words = excerpt.split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : words
    }
}
