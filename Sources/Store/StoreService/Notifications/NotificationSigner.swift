package import StoreModel
import StoreSigning

/// Signs what notifications tell, as it was when it happened.
///
/// Every attempt sends the same facts, the same id and the same date of signing; only the bytes of the signatures differ,
/// as those of ECDSA do.
package struct NotificationSigner: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// A notification as a developer's server gets it: a JWS, of which parts are JWS.
    package func signedPayload(of notification: StoredNotification) throws -> String {
        try store.signers.jws.sign(encoding: payload(of: notification), at: notification.signedAt)
    }

    /// The same before it is signed as a whole; the parts are signed.
    package func payload(of notification: StoredNotification) throws -> NotificationPayload {
        let (told, environment, signedAt) = (
            try notification.told, WireEnvironment(store.environment), notification.signedAt
        )
        func sign(_ part: (some Encodable)?) throws -> String? {
            try part.map { try store.signers.jws.sign(encoding: $0, at: signedAt) }
        }
        var payload = NotificationPayload(
            notificationType: notification.type, subtype: notification.subtype, notificationUUID: notification.uuid,
            signedDate: signedAt)
        if let summary = told.summary {
            payload.summary = summary
        } else if let download = try sign(told.appTransaction) {
            payload.appData = NotificationAppData(
                appAppleId: told.appAppleId, bundleId: told.bundleId, environment: environment,
                signedAppTransactionInfo: download)
        } else {
            payload.data = NotificationData(
                appAppleId: told.appAppleId, bundleId: told.bundleId, bundleVersion: told.bundleVersion,
                environment: environment, signedTransactionInfo: try sign(told.transaction),
                signedRenewalInfo: try sign(told.renewalInfo), status: told.status,
                consumptionRequestReason: told.consumptionRequestReason, hostedContent: told.hostedContent)
        }
        return payload
    }
}
