import StoreModel

/// The tables of what a store has told, of how far it was asked for what was missed, and of the hosted content that it
/// told of.
struct NotificationTable {
    static let schema = SchemaStep(name: "notifications") { _ in
        [
            """
            CREATE TABLE IF NOT EXISTS backend_notification (
              notification_id TEXT PRIMARY KEY, environment TEXT NOT NULL, bundle_id TEXT NOT NULL, type TEXT NOT NULL,
              subtype TEXT, transaction_id BIGINT, original_transaction_id BIGINT, signed_at BIGINT NOT NULL,
              received_at BIGINT NOT NULL, was_missed BIGINT NOT NULL)
            """,
            "CREATE INDEX IF NOT EXISTS backend_notification_received ON backend_notification (received_at)",
            "CREATE INDEX IF NOT EXISTS backend_notification_signed ON backend_notification (environment, signed_at)",
            """
            CREATE TABLE IF NOT EXISTS backend_catch_up (
              environment TEXT NOT NULL, bundle_id TEXT NOT NULL, reached_at BIGINT, span_begin BIGINT,
              span_end BIGINT, next_page TEXT, PRIMARY KEY (environment, bundle_id))
            """,
            """
            CREATE TABLE IF NOT EXISTS backend_hosted_content (
              environment TEXT NOT NULL, bundle_id TEXT NOT NULL, product_id TEXT NOT NULL, version TEXT NOT NULL,
              bytes BIGINT NOT NULL, told_at BIGINT NOT NULL,
              PRIMARY KEY (environment, bundle_id, product_id, version))
            """,
        ]
    }

    let connection: any BackendConnection

    init(_ connection: any BackendConnection) {
        self.connection = connection
    }

    /// Notes a notification; false if it is known already.
    func note(_ notification: VerifiedNotification, wasMissed: Bool, at now: Instant) throws -> Bool {
        let payload = notification.payload
        let values: [SQLValue] = [
            .text(payload.notificationUUID.description), SQLValue(notification.environment),
            SQLValue(notification.bundleID), .text(payload.notificationType.rawValue),
            SQLValue(payload.subtype?.rawValue), SQLValue(notification.transaction?.transactionId.number),
            SQLValue(notification.original?.number), SQLValue(payload.signedDate), SQLValue(now),
            .integer(wasMissed ? 1 : 0),
        ]
        return try connection.run(
            """
            INSERT INTO backend_notification (
              notification_id, environment, bundle_id, type, subtype, transaction_id, original_transaction_id,
              signed_at, received_at, was_missed)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (notification_id) DO NOTHING RETURNING notification_id
            """, values
        ).first != nil
    }

    /// Forgets what was received before an instant.
    func forget(receivedBefore instant: Instant) throws {
        try connection.run("DELETE FROM backend_notification WHERE received_at < $1", [SQLValue(instant)])
    }

    /// When the store has said something last, by its own clock; nil if it never did.
    func lastStatement(in environment: StoreEnvironment) throws -> Instant? {
        try connection.run(
            "SELECT MAX(signed_at) FROM backend_notification WHERE environment = $1", [SQLValue(environment)]
        ).first?.instant(0)
    }

    // MARK: - How far was asked

    /// How far the store was asked for the notifications of an app.
    struct Place: Hashable, Sendable {
        /// Until when all of them are known; nil if it was never asked.
        var reached: Instant?
        /// The span that is being read, and the page of it that comes next.
        var page: Page?

        struct Page: Hashable, Sendable {
            let span: Range<Instant>
            let next: String
        }
    }

    func place(of app: BundleID, in environment: StoreEnvironment) throws -> Place {
        let rows = try connection.run(
            """
            SELECT reached_at, span_begin, span_end, next_page FROM backend_catch_up
            WHERE environment = $1 AND bundle_id = $2
            """, [SQLValue(environment), SQLValue(app)])
        guard let row = rows.first else { return Place() }
        var place = Place(reached: try row.instant(0))
        if let next = try row.text(3) {
            place.page = Place.Page(span: try row.requiredInstant(1)..<row.requiredInstant(2), next: next)
        }
        return place
    }

    func set(_ place: Place, of app: BundleID, in environment: StoreEnvironment) throws {
        let values: [SQLValue] = [
            SQLValue(environment), SQLValue(app), SQLValue(place.reached), SQLValue(place.page?.span.lowerBound),
            SQLValue(place.page?.span.upperBound), SQLValue(place.page?.next),
        ]
        try connection.run(
            """
            INSERT INTO backend_catch_up (environment, bundle_id, reached_at, span_begin, span_end, next_page)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (environment, bundle_id) DO UPDATE SET
              reached_at = $3, span_begin = $4, span_end = $5, next_page = $6
            """, values)
    }

    // MARK: - Hosted content

    /// Notes a version of hosted content that the store delivers from now on.
    func note(_ content: NotificationContentData, of notification: VerifiedNotification) throws {
        let values: [SQLValue] = [
            SQLValue(notification.environment), SQLValue(notification.bundleID), SQLValue(content.productId),
            .text(content.contentVersion.text), .integer(content.contentLength),
            SQLValue(notification.payload.signedDate),
        ]
        try connection.run(
            """
            INSERT INTO backend_hosted_content (environment, bundle_id, product_id, version, bytes, told_at)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (environment, bundle_id, product_id, version) DO NOTHING
            """, values)
    }

    func hostedContents(of app: BundleID) throws -> [HostedContentVersion] {
        try connection.run(
            """
            SELECT environment, product_id, version, bytes, told_at FROM backend_hosted_content WHERE bundle_id = $1
            """, [SQLValue(app)]
        ).map { row in
            HostedContentVersion(
                environment: try row.environment(0), productID: try ProductID(parsing: row.requiredText(1)),
                version: try ContentVersion(parsing: row.requiredText(2)), bytes: try row.requiredInteger(3),
                toldAt: try row.requiredInstant(4))
        }
    }
}

extension VerifiedNotification {
    /// The first transaction of the purchase or subscription that it is about.
    var original: TransactionID? { transaction?.originalTransactionId ?? renewal?.originalTransactionId }
}
