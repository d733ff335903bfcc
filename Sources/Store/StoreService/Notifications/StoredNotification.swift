import Foundation
package import StoreDatabase
package import StoreModel
package import StoreRules

/// A notification as it is kept: a row of `notification`.
///
/// What it tells is written once, in the transaction of what it tells of; how its delivery stands changes.
package struct StoredNotification: Hashable, Sendable {
    package let stream: NotificationStream
    /// Its place among all of its stream, from 1.
    package let number: Int64
    package let uuid: NotificationID
    package let app: AppID
    /// Nil for what is about an app.
    package let customer: CustomerID?
    /// The clock of whom it concerns.
    package let clock: ClockID
    package let transaction: TransactionID?
    package let original: TransactionID?
    package let type: NotificationType
    package let subtype: NotificationSubtype?
    /// A ``NotificationContent`` in JSON.
    package let content: [UInt8]
    /// When it happened, by the clock of whom it concerns; the date of signing.
    package let signedAt: Instant
    /// By the wall clock.
    package let writtenAt: Instant
    package var state: NotificationState
    /// The version of the form in which the app's address wants it, 1 or 2.
    package let version: Int
    package var attempts: Int
    /// When the last attempt was made, by the clock of whom it concerns.
    package var attemptedAt: Instant?
    /// When the next attempt is due, by the clock of whom it concerns.
    package var nextAt: Instant?
    /// Who makes an attempt at the moment, and until when nobody else does, by the wall clock.
    package var lease: String?
    package var leasedUntil: Instant?

    static let table = RowTable<StoredNotification>("notification") {
        Column("stream", .key) { $0.stream }
        Column("number", .key) { $0.number }
        Column("uuid") { $0.uuid }
        Column("app_id") { $0.app }
        Column("customer_id") { $0.customer }
        Column("clock_id") { $0.clock }
        Column("transaction_id") { $0.transaction }
        Column("original_id") { $0.original }
        Column("type") { $0.type }
        Column("subtype") { $0.subtype }
        Column("content") { $0.content }
        Column("signed_at") { $0.signedAt }
        Column("written_at") { $0.writtenAt }
        Column("state", .changing) { $0.state.rawValue }
        Column("version") { $0.version }
        Column("attempts", .changing) { $0.attempts }
        Column("attempted_at", .changing) { $0.attemptedAt }
        Column("next_at", .changing) { $0.nextAt }
        Column("lease", .changing) { $0.lease }
        Column("leased_until", .changing) { $0.leasedUntil }
    }

    package init(_ row: Row) throws {
        var cells = row.cells
        try self.init(&cells)
    }

    /// Reads the columns of ``table``, of a row that may have others behind them.
    init(_ cells: inout RowCells) throws {
        (stream, number, uuid) = try (cells.next(), cells.next(), cells.next())
        (app, customer, clock) = try (cells.next(), cells.next(), cells.next())
        (transaction, original, type, subtype) = try (cells.next(), cells.next(), cells.next(), cells.next())
        (content, signedAt, writtenAt) = try (cells.next(), cells.next(), cells.next())
        (state, version, attempts) = try (cells.nextWord(), cells.next(), cells.next())
        (attemptedAt, nextAt, lease, leasedUntil) = try (cells.next(), cells.next(), cells.next(), cells.next())
    }

    /// One that is being written.
    init(
        _ type: NotificationType, _ subtype: NotificationSubtype?, about subject: NotificationSubject,
        id: NotificationID, number: Int64, content: NotificationContent, state: NotificationState, version: Int,
        _ change: Change
    ) throws {
        (self.type, self.subtype, self.number) = (type, subtype, number)
        (stream, uuid) = (subject.stream, id)
        (app, customer, clock) = (subject.app, subject.customer, change.clock)
        (transaction, original) = (subject.transaction, subject.original)
        self.content = try content.encoded
        (signedAt, writtenAt) = (change.commerce, change.wall)
        (self.state, self.version, attempts) = (state, version, 0)
    }

    /// What it tells.
    package var told: NotificationContent {
        get throws { try NotificationContent(decoding: content) }
    }
}

extension NotificationState: StoredState {
    var literal: SQL {
        switch self {
        case .waiting: "'waiting'"
        case .due: "'due'"
        case .resting: "'resting'"
        case .delivered: "'delivered'"
        case .failed: "'failed'"
        case .unaddressed: "'unaddressed'"
        }
    }
}

/// What the first attempts of notifications keep their order in: a subscription, another transaction, or an app.
package struct NotificationStream: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// That of a subscription, by its first transaction; a member of a family has one of their own.
    package static func subscription(_ original: TransactionID) -> NotificationStream {
        NotificationStream(description: "subscription/\(original)")
    }

    /// That of what does not renew.
    package static func transaction(_ id: TransactionID) -> NotificationStream {
        NotificationStream(description: "transaction/\(id)")
    }

    /// That of what is about no purchase.
    package static func app(_ id: AppID) -> NotificationStream {
        NotificationStream(description: "app/\(id)")
    }
}

extension NotificationStream: ColumnValue {
    package var databaseValue: DatabaseValue { description.databaseValue }

    package init(databaseValue: DatabaseValue) throws {
        description = try String(databaseValue: databaseValue)
    }
}

/// What a notification is about.
package struct NotificationSubject: Hashable, Sendable {
    package let stream: NotificationStream
    package let app: AppID
    package let customer: CustomerID?
    package let transaction: TransactionID?
    package let original: TransactionID?

    /// A transaction, or the subscription that it is a period of.
    package init(_ transaction: StoreTransaction) {
        stream =
            transaction.kind == .autoRenewable
            ? .subscription(transaction.originalID) : .transaction(transaction.originalID)
        (app, customer) = (transaction.appID, transaction.customerID)
        (self.transaction, original) = (transaction.id, transaction.originalID)
    }

    /// A subscription, by its newest period.
    package init(_ subscription: StoredSubscription) {
        stream = .subscription(subscription.original)
        (app, customer) = (subscription.scope.app, subscription.scope.customer)
        (transaction, original) = (subscription.latest, subscription.original)
    }

    /// An app; a customer of it, if one is named.
    package init(app: AppID, customer: CustomerID? = nil) {
        (stream, self.app, self.customer) = (.app(app), app, customer)
        (transaction, original) = (nil, nil)
    }
}

/// What a notification tells, as it was when it happened: all that is signed when it is sent, before that.
package struct NotificationContent: Codable, Hashable, Sendable {
    package let bundleId: BundleID
    /// The number of the app; nil in the sandbox.
    package var appAppleId: AppID?
    /// The version of the app that the customer has.
    package var bundleVersion: String?
    package var status: WireSubscriptionStatus?
    package var consumptionRequestReason: RefundRequestReason?
    package var transaction: TransactionPayload?
    package var renewalInfo: RenewalInfoPayload?
    package var summary: NotificationSummaryData?
    package var appTransaction: AppTransactionPayload?
    package var hostedContent: NotificationContentData?

    package init(bundleId: BundleID) {
        self.bundleId = bundleId
    }

    init(decoding bytes: [UInt8]) throws {
        do {
            self = try JSONDecoder().decode(NotificationContent.self, from: Data(bytes))
        } catch {
            throw DatabaseError(.unexpectedValue, "a notification has a content that this version does not know")
        }
    }

    var encoded: [UInt8] {
        get throws { try Array(JSONEncoder().encode(self)) }
    }
}
