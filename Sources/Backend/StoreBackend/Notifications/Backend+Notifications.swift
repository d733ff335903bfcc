public import StoreModel

/// What a notification of the store was, and what it came to.
public struct ReceivedNotification: Hashable, Sendable {
    /// Its id, which is the same in each attempt to deliver it.
    public let id: NotificationID
    /// What happened.
    public let type: NotificationType
    /// What happened, more exactly.
    public let subtype: NotificationSubtype?
    /// The environment of the store that told it.
    public let environment: StoreEnvironment
    /// The app that it is about.
    public let bundleID: BundleID
    /// When the store signed it.
    public let signedAt: Instant
    /// Whether it was not known before. One that was changes nothing.
    public let isNew: Bool
    /// The transaction that it is about, as the store stated it last: an older notification does not make it older.
    public let transaction: VerifiedTransaction?
    /// The subscription that it is about, as it stands afterwards.
    public let subscription: BackendSubscription?
}

/// A version of the content that the store hosts for a product, of which it told this server.
public struct HostedContentVersion: Hashable, Sendable {
    /// The environment that delivers it.
    public let environment: StoreEnvironment
    /// The product.
    public let productID: ProductID
    /// The version.
    public let version: ContentVersion
    /// How many bytes a download has.
    public let bytes: Int64
    /// When the store told it.
    public let toldAt: Instant
}

extension Backend {
    /// Takes a notification of the store, version 2: the `signedPayload` that it posted.
    ///
    /// What is verified is recorded, with all that follows from it, before this returns; then answer with 200. A
    /// notification that comes late, twice or out of order changes nothing that a newer one has said. Throws
    /// ``BackendError``: what cannot be verified is never taken, and asks for no other attempt unless
    /// ``BackendError/isRetryable``.
    ///
    /// | type | what is recorded |
    /// |---|---|
    /// | each with a transaction | the transaction and the end of its period; what follows it, and the grace period |
    /// | `REFUND`, `REVOKE` | that it was taken back: its credit is taken from the balance, which may fall below zero |
    /// | `REFUND_REVERSED` | that it is given again, with what was taken from the balance |
    /// | `TILL_CONTENT_VERSION` | the new version of hosted content, see ``hostedContents(of:)`` |
    /// | all others, also those that are not known here | that they came |
    @discardableResult
    public func receive(signedPayload: String, at now: Instant) async throws -> ReceivedNotification {
        guard let notificationVerifier else {
            throw BackendError(
                .untrustedProof, "This backend trusts the notifications of no store: it was given no verifier for them."
            )
        }
        return try await take(try notificationVerifier.verify(signedPayload), at: now)
    }

    /// The versions of hosted content that the store has told of, the newest of each product first.
    public func hostedContents(of app: BundleID) async throws -> [HostedContentVersion] {
        try await database.transaction { try NotificationTable($0).hostedContents(of: app) }
            .sorted { ($1.productID.text, $1.version, $1.toldAt) < ($0.productID.text, $0.version, $0.toldAt) }
    }

    /// Takes a notification that was verified.
    ///
    /// - Parameter wasMissed: whether the store was asked for it.
    func take(
        _ notification: VerifiedNotification, wasMissed: Bool = false, at now: Instant
    ) async throws -> ReceivedNotification {
        try check(notification)
        return try await database.transaction { [self] connection in
            let isNew = try NotificationTable(connection).note(notification, wasMissed: wasMissed, at: now)
            if isNew { try carryOut(notification, at: now, connection) }
            return try ReceivedNotification(notification, isNew: isNew, at: now, connection)
        }
    }

    private func check(_ notification: VerifiedNotification) throws {
        guard settings.bundleIDs.contains(notification.bundleID) else {
            throw BackendError(
                .wrongApp, "The notification is of \(notification.bundleID), which is none of the apps here.")
        }
        guard settings.environments.contains(notification.environment) else {
            throw BackendError(
                .wrongEnvironment,
                "The notification is of the \(notification.environment.rawValue), which is not taken here.")
        }
    }

    private func carryOut(
        _ notification: VerifiedNotification, at now: Instant, _ connection: any BackendConnection
    ) throws {
        let payload = notification.payload
        let stated = try notification.stated
        if let stated {
            var recorder = recorder(connection, at: now)
            try recorder.update(stated)
        }
        if let renewal = notification.renewal {
            let key = SubscriptionTable.Key(
                environment: notification.environment, original: renewal.originalTransactionId)
            try SubscriptionTable(connection).take(RenewalTerms(renewal), of: key)
        }
        if let content = payload.data?.hostedContent {
            try NotificationTable(connection).note(content, of: notification)
        }
        let subtype = payload.subtype.map { " \($0.rawValue)" } ?? ""
        try AuditTable(connection).note(
            .notified, transaction: stated, product: payload.data?.hostedContent?.productId,
            "\(payload.notificationType.rawValue)\(subtype) \(payload.notificationUUID)", at: now)
    }
}

extension VerifiedNotification {
    /// What the store states of the transaction.
    ///
    /// On a clock that stands still a refund and its reversal are of one instant, of which the refund would hold. So
    /// what takes a refund back counts as stated a millisecond later, whichever comes first.
    var stated: VerifiedTransaction? {
        get throws {
            guard let transaction else { return nil }
            var stated = try VerifiedTransaction(transaction)
            if payload.notificationType == .refundReversed { stated.statedAt = stated.statedAt.adding(milliseconds: 1) }
            return stated
        }
    }
}

extension ReceivedNotification {
    fileprivate init(
        _ notification: VerifiedNotification, isNew: Bool, at now: Instant, _ connection: any BackendConnection
    ) throws {
        let payload = notification.payload
        (id, type, subtype) = (payload.notificationUUID, payload.notificationType, payload.subtype)
        (environment, bundleID) = (notification.environment, notification.bundleID)
        (signedAt, self.isNew) = (payload.signedDate, isNew)
        transaction = try notification.transaction.flatMap {
            try PurchaseTable(connection).transaction($0.transactionId, in: notification.environment)
        }
        subscription = try notification.renewal.flatMap { renewal in
            let key = SubscriptionTable.Key(
                environment: notification.environment, original: renewal.originalTransactionId)
            return try SubscriptionTable(connection).record(of: key).standing(at: now)
        }
    }
}
