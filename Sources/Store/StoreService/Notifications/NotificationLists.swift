import Foundation
package import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules

/// Which notifications are looked for.
package struct NotificationFilter: Hashable, Sendable {
    package var app: AppID?
    package var type: NotificationType?
    package var subtype: NotificationSubtype?
    /// How their deliveries stand; none for all.
    package var states: Set<NotificationState> = []
    /// One of the transactions of what they are about.
    package var transaction: TransactionID?
    package var customer: CustomerID?
    /// From when on and until when, by the date of ``order``.
    package var since = Instant.earliest
    package var before = Instant.latest
    package var order = Order.written

    /// By which date they are listed, the newest first.
    // Closed: each is a column, with an index of those of an app.
    package enum Order: Hashable, Sendable {
        /// When they were written, by the wall clock.
        case written
        /// When they were signed, by the clock of whom they concern, which may be ahead.
        case signed
    }

    package init(app: AppID? = nil) {
        self.app = app
    }

    /// Only those that the server of the app did not take yet, or never did.
    package static let failures: Set<NotificationState> = [.resting, .due, .failed]
    /// Only those for the server of the app.
    package static let addressed = Set(NotificationState.allCases).subtracting([.unaddressed])
}

/// A place in a list of notifications, after which it goes on.
package struct NotificationCursor: Hashable, Sendable, LosslessStringConvertible {
    fileprivate let at: Instant
    fileprivate let id: NotificationID

    fileprivate init(at instant: Instant, _ id: NotificationID) { (at, self.id) = (instant, id) }

    /// Reads the text of a cursor; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(parts[0]), let id = NotificationID(String(parts[1])) else {
            return nil
        }
        self.init(at: Instant(millisecondsSinceEpoch: time), id)
    }

    package var description: String { "\(at.millisecondsSinceEpoch)_\(id)" }
}

/// A notification, and what was tried.
package struct ListedNotification: Hashable, Sendable {
    package let notification: StoredNotification
    /// Attempts at the address and at listeners, in the order in which they were made.
    package let attempts: [NotificationAttempt]

    init(_ notification: StoredNotification, in transaction: any ReadTransaction) throws {
        self.notification = notification
        attempts = try NotificationAttempt.all(of: notification, in: transaction)
    }

    /// Those at the address of the app alone.
    package var addressAttempts: [NotificationAttempt] {
        attempts.filter { $0.receiver == NotificationAttempt.address }
    }
}

/// What developers' servers were told, and whether they got it, for people and for the endpoints that ask.
package struct NotificationLists: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Notifications, the newest first.
    package struct Page: Hashable, Sendable {
        package let found: [ListedNotification]
        /// After which the next ones are; nil if none follow.
        package let next: NotificationCursor?
    }

    package func page(
        _ filter: NotificationFilter, after cursor: NotificationCursor? = nil, limit: Int
    ) async throws -> Page {
        try await store.database.read { transaction in
            let found = try Self.find(filter, after: cursor, limit: limit + 1, in: transaction)
            let shown = found.prefix(limit)
            let isByWriting = filter.order == .written
            return Page(
                found: try shown.map { try ListedNotification($0, in: transaction) },
                next: found.count > limit
                    ? shown.last.map { NotificationCursor(at: isByWriting ? $0.writtenAt : $0.signedAt, $0.uuid) } : nil
            )
        }
    }

    /// How many there are in each state.
    package func counts(of app: AppID, since instant: Instant) async throws -> [NotificationState: Int] {
        let found = try await store.database.read { transaction in
            try transaction.query(
                "SELECT state, count(*) FROM notification WHERE app_id = $1 AND signed_at >= $2 GROUP BY state", app,
                instant
            ) { row in
                var cells = row.cells
                return (try cells.nextWord(as: NotificationState.self), try cells.next(as: Int.self))
            }
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// One notification with its attempts. It is refused where it is of an app of another team.
    package func show(_ id: NotificationID, by actor: Actor) async throws -> ListedNotification {
        let found = try await store.database.read { transaction in
            try NotificationDeliveries.find(id, in: transaction).map { try ListedNotification($0, in: transaction) }
        }
        guard let found, try await isOwn(found.notification.app, of: actor) else { throw Self.unknown(id) }
        return found
    }

    /// Lets another attempt be made now, of the same notification under the same id, and tells it to those who listen. What
    /// waits for its first goes out anyway.
    package func resend(_ id: NotificationID, _ cause: ChangeCause) async throws -> ListedNotification {
        try cause.require(.secrets)
        let known = try await show(id, by: cause.actor).notification
        try await store.database.write { transaction in
            let hasAddress = try NotificationSetting.find(of: known.app, in: transaction) != nil
            let wall = store.clocks.wall()
            let listeners = try ListenerQueue.listeners(to: known.app, at: wall, in: transaction)
            guard hasAddress || !listeners.isEmpty else {
                throw ServiceError(
                    .noNotificationAddress,
                    "the app has no address for notifications in this environment, and nobody listens")
            }
            try ListenerQueue.deliver(
                known.number, of: known.stream.description, to: listeners, at: wall, in: transaction)
            guard hasAddress else { return }
            guard let known = try NotificationDeliveries.find(id, in: transaction) else { throw Self.unknown(id) }
            let change = try store.cause(.store).change(of: known.customer, in: transaction)
            try NotificationDeliveries.handle(.resent, of: known, at: change.commerce, change)
        }
        return try await show(id, by: cause.actor)
    }

    private static func unknown(_ id: NotificationID) -> ServiceError {
        ServiceError(.notificationUnknown, "there is no notification \(id)", parameter: "notificationUUID")
    }

    private func isOwn(_ app: AppID, of actor: Actor) async throws -> Bool {
        guard let team = actor.team else { return true }
        return try await store.catalogue.lookUp { try Catalogue.app(app, in: $0) }?.teamID == team
    }
}

extension NotificationLists {
    /// The newest that fulfil a filter.
    private static func find(
        _ filter: NotificationFilter, after cursor: NotificationCursor?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [StoredNotification] {
        var (customer, original) = (filter.customer, TransactionID?.none)
        if let id = filter.transaction {
            guard let sold = try Transactions.find(id, in: transaction), customer == nil || customer == sold.customerID
            else { return [] }
            (customer, original) = (sold.customerID, sold.originalID)
        }
        let (place, date) = (filter.place, filter.date)
        let key: Int64 =
            switch place {
            case .customer: customer?.number ?? 0
            case .app: filter.app?.number ?? 0
            case .everywhere: 0
            }
        return try transaction.query(
            """
            SELECT \(StoredNotification.table.columns) FROM notification
            WHERE \(place.condition) AND \(date) >= $2 AND \(date) < $3
                AND (\(date), uuid) < ($4, $5) AND (app_id = $6 OR $6 = 0) AND (original_id = $7 OR $7 = 0)
                AND (type = $8 OR $8 = '') AND (subtype = $9 OR $9 = '')
                AND \(NotificationState.condition { filter.states.isEmpty || filter.states.contains($0) })
            ORDER BY \(date) DESC, uuid DESC LIMIT $10
            """, key, filter.since, filter.before, cursor?.at ?? .latest, cursor?.id.description ?? "~",
            filter.app?.number ?? 0, original?.number ?? 0, filter.type?.rawValue ?? "", filter.subtype?.rawValue ?? "",
            limit, row: StoredNotification.init)
    }
}

extension NotificationFilter {
    /// Where notifications are looked for.
    // Closed: each has its index.
    fileprivate enum Place {
        case customer, app, everywhere

        var condition: SQL {
            switch self {
            case .customer: "customer_id = $1"
            case .app: "app_id = $1"
            case .everywhere: "$1 = 0"
            }
        }
    }

    /// The column of the date by which they are listed.
    fileprivate var date: SQL { order == .written ? "written_at" : "signed_at" }

    fileprivate var place: Place {
        if customer != nil || transaction != nil { return .customer }
        return app == nil ? .everywhere : .app
    }
}
