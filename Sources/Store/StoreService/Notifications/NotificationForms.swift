import StoreHTTP

/// Makes the body of the request for a notification; nil if its version has no form of it.
package typealias NotificationBody = @Sendable (StoredNotification) async throws -> [UInt8]?

/// Makes the bodies of requests to developers' servers, in both versions of App Store Server Notifications.
package struct NotificationForms: Sendable {
    private let store: EnvironmentStore
    private let version1: NotificationForm1

    /// - Parameter receipt: writes the receipts of version 1.
    package init(_ store: EnvironmentStore, receipt: @escaping UnifiedReceiptForm) {
        self.store = store
        version1 = NotificationForm1(store, receipt)
    }

    /// The body for a notification; nil if its version has no form of it.
    package func body(of notification: StoredNotification) async throws -> [UInt8]? {
        guard notification.version > 1 else { return try await version1.body(of: notification) }
        let signed = try NotificationSigner(store).signedPayload(of: notification)
        return JSONValue.members(["signedPayload": .string(signed)]).bytes
    }
}
