import Foundation
import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules

/// What developers' servers are told: rows that are written in the transaction of what they tell of.
///
/// A notification is written where the app has an address that wants its type, or a listener that lives; nothing is kept for
/// nobody. `NotificationSender` delivers what was written, and `NotificationSigner` signs it.
package enum Notifications {
    /// Writes a notification if somebody is to have it.
    ///
    /// - Parameters:
    ///   - isWanted: whether it is written for the app's address whatever types that wants, as a test that was asked for is.
    ///   - id: its id, if it is written once only however often it is asked for.
    ///   - content: what it tells; only asked if it is written.
    /// - Returns: the notification; nil if nobody is to have it.
    @discardableResult
    package static func append(
        _ type: NotificationType, _ subtype: NotificationSubtype? = nil, about subject: NotificationSubject,
        isWanted: Bool = false, id: NotificationID = NotificationID(UUID()), _ change: Change,
        content: () throws -> NotificationContent
    ) throws -> StoredNotification? {
        let transaction = change.transaction
        let audience = try Audience(of: subject.app, at: change.wall, in: transaction)
        let isAddressed = audience.version != nil && (isWanted || audience.wants(type))
        guard isAddressed || audience.hasListeners && !NotificationType.own.contains(type) else { return nil }
        // Two that write to a stream at once do so one after the other.
        if let customer = subject.customer { try Customers.claim(customer, in: transaction) }
        let number = try transaction.value(
            "SELECT coalesce(max(number), 0) + 1 FROM notification WHERE stream = $1", subject.stream, as: Int64.self)
        let written = try StoredNotification(
            type, subtype, about: subject, id: id, number: number, content: content(),
            state: isAddressed ? .waiting : .unaddressed, version: audience.version ?? Self.newestVersion, change)
        try transaction.insert(written, into: StoredNotification.table)
        if isAddressed { try transaction.signal(Signal(.notifications, subject: subject.app.description)) }
        if audience.hasListeners {
            try ListenerQueue.deliver(
                number, of: written.stream.description,
                to: ListenerQueue.listeners(to: written.app, at: change.wall, in: transaction), at: change.wall,
                in: transaction)
        }
        return written
    }

    /// The version of the form that is sent to whoever asks for no other.
    package static let newestVersion = 2

    /// Who is to have the notifications of an app.
    private struct Audience {
        /// The version of the form that the app's address wants; nil if it has none.
        let version: Int?
        private let types: Set<NotificationType>?
        let hasListeners: Bool

        private static let selection: SQL = """
            SELECT notification_setting.version, notification_setting.types, (
                SELECT count(*) FROM notification_listener
                WHERE leased_until > $2 AND (app_id IS NULL OR app_id = $1))
            FROM (SELECT 1 AS one) AS always LEFT JOIN notification_setting ON notification_setting.app_id = $1
            """

        /// One statement, for every change of every app.
        init(of app: AppID, at wall: Instant, in transaction: any ReadTransaction) throws {
            (version, types, hasListeners) = try transaction.one(Self.selection, app, wall) { row in
                var cells = row.cells
                let version = try cells.next(as: Int?.self)
                let types = try cells.next(as: String?.self).map(NotificationType.list(in:))
                return (version, types, try cells.next(as: Int.self) > 0)
            }
        }

        func wants(_ type: NotificationType) -> Bool { types?.contains(type) ?? !NotificationType.own.contains(type) }
    }
}

extension NotificationType {
    /// The types in a column of `notification_setting`.
    static func list(in text: String) -> Set<NotificationType> {
        Set(text.split(separator: " ").map { NotificationType(rawValue: String($0)) })
    }

    /// Types as a column of `notification_setting` has them.
    static func text(of list: some Sequence<NotificationType>) -> String {
        list.map(\.rawValue).sorted().joined(separator: " ")
    }
}

extension SignalTopic {
    /// A notification waits for its first attempt; the subject is the number of its app.
    package static let notifications = SignalTopic("notifications")
}
