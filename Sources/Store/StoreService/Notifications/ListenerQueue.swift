package import StoreDatabase
import StoreModel

/// What waits for the receivers on developers' machines: rows that are written with the notification they name, and go when
/// the receiver has said what became of it.
enum ListenerQueue {
    /// Those that listen now to what an app's server is told. It costs one look-up of an index where nobody listens.
    static func listeners(
        to app: AppID, at wall: Instant, in transaction: any ReadTransaction
    ) throws -> [NotificationListenerID] {
        try transaction.query(
            """
            SELECT id FROM notification_listener WHERE leased_until > $1 AND (app_id IS NULL OR app_id = $2) ORDER BY id
            """, wall, app
        ) { try $0.value(0) }
    }

    /// Hands a notification to those that listen, in the transaction that writes it.
    static func deliver(
        _ number: Int64, of stream: String, to listeners: [NotificationListenerID], at wall: Instant,
        in transaction: any WriteTransaction
    ) throws {
        for listener in listeners {
            let isNew = try transaction.insertIfNew(
                into: "notification_for_listener",
                ["listener_id": listener, "stream": stream, "notification_number": number, "written_at": wall])
            if isNew { try transaction.signal(Signal(.heardNotifications, subject: listener.description)) }
        }
    }
}

extension SignalTopic {
    /// There is a notification for a listener; the subject is the listener's number.
    package static let heardNotifications = SignalTopic("heard_notifications")
}
