package import StoreHTTP
package import StoreModel
import StoreService
import StoreSigning

/// A receiver that begins to listen.
package struct ListenerRequest: Codable, Hashable, Sendable {
    /// The app; all that the token sees if it is missing.
    package var bundleId: BundleID?
    /// Takes the place of a listener that has it and lives.
    package var name: String?
    /// The listener that it was until now: then it takes the place of no other.
    package var formerListenerId: NotificationListenerID?

    package init(bundleId: BundleID? = nil, name: String? = nil) {
        (self.bundleId, self.name) = (bundleId, name)
    }
}

package struct ListenerReport: Codable, Hashable, Sendable {
    package var listenerId: NotificationListenerID
    package var name: String?
    package var begunAt: Instant
    /// It has ended when it is not heard of for so long.
    package var leaseSeconds: Int64
    /// Under one of these everything is signed that is told, in Base64 of DER.
    package var roots: [String]

    init(_ listener: NotificationListeners.Listener, roots: [Certificate]) {
        (listenerId, name, begunAt) = (listener.id, listener.name, listener.begunAt)
        leaseSeconds = NotificationListeners.lease.components.seconds
        self.roots = roots.map { Base64.encode($0.derRepresentation) }
    }
}

/// What a listener has not answered yet.
package struct HeardNotifications: Codable, Hashable, Sendable {
    package var items: [HeardNotificationReport]
}

/// A notification as the store would send it, with what a line about it says.
package struct HeardNotificationReport: Codable, Hashable, Sendable {
    package var notificationUUID: NotificationID
    package var notificationType: String
    package var subtype: String?
    package var appId: AppID
    package var bundleId: BundleID
    package var productId: ProductID?
    package var transactionId: TransactionID?
    package var originalTransactionId: TransactionID?
    package var customerId: CustomerID?
    package var customerEmail: String?
    /// By the clock of whom it concerns.
    package var date: Instant
    /// The version of the form: 1 or 2.
    package var version: Int
    /// What would be posted, as application/json.
    package var body: String

    init(_ heard: HeardNotification) {
        let told = heard.told
        (notificationUUID, notificationType, subtype) = (told.uuid, told.type.rawValue, told.subtype?.rawValue)
        (appId, bundleId, productId) = (told.app, heard.content.bundleId, heard.content.transaction?.productId)
        (transactionId, originalTransactionId) = (told.transaction, told.original)
        (customerId, customerEmail, date, version) = (told.customer, heard.email, told.signedAt, told.version)
        body = String(decoding: heard.body, as: UTF8.self)
    }
}

/// What became of a notification at a listener.
package struct HeardAnswerRequest: Codable, Hashable, Sendable {
    package var notificationUUID: NotificationID
    /// As of App Store Server Notifications, such as SUCCESS.
    package var result: SendAttemptResult
    /// The status that a server behind the listener answered; missing without one.
    package var status: Int?
    /// The beginning of its answer, or what went wrong.
    package var detail: String?
    package var milliseconds: Int

    package init(
        notificationUUID: NotificationID, result: SendAttemptResult, status: Int?, detail: String?, milliseconds: Int
    ) {
        (self.notificationUUID, self.result, self.status) = (notificationUUID, result, status)
        (self.detail, self.milliseconds) = (detail, milliseconds)
    }
}

extension ListenerRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["name": .string("Of the listener.", lengths: 1...NotificationListeners.longestName)]
    }
}

extension HeardAnswerRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "result": .string(among: SendAttemptResult.known.map(\.rawValue).sorted()),
            "status": .integer(minimum: 100, maximum: 599),
            "detail": .string("The beginning of the answer."),
            "milliseconds": .integer(minimum: 0),
        ]
    }
}
