import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules

/// What use cases tell developers' servers of, each in the transaction of its change.
///
/// | what happens | what is told |
/// |---|---|
/// | a subscription changes | what ``Subscription/Event/notices(from:to:at:)`` says; members of its family are told of their own |
/// | something is bought that does not renew | `ONE_TIME_CHARGE`; nothing of what is restored, or got again because it is owned |
/// | a purchase is taken back, with money or without | `REFUND`, of all of it or of a part |
/// | a part is refunded, and the customer keeps the purchase | nothing: the transaction says nothing of it |
/// | what an upgrade left of a period is given back | nothing: `DID_CHANGE_RENEWAL_PREF` has told the upgrade |
/// | a customer asks for a refund of a consumable or of a subscription | `CONSUMPTION_REQUEST` |
/// | the store declines that; or has its money back after a dispute | `REFUND_DECLINED`; `REFUND_REVERSED` |
/// | somebody in a family gets what another one bought | `SUBSCRIBED`, or `DID_RENEW`, or `ONE_TIME_CHARGE` |
/// | somebody in a family loses it | `REVOKE` |
/// | an environment delivers a new version of hosted content | `TILL_CONTENT_VERSION`, if the app's address names it: see ``ContentNews`` |
extension Notifications {
    /// Tells something of a transaction, and of the subscription that it is a period of, as they stand after the change.
    ///
    /// - Parameter reason: why a customer asks for a refund.
    static func tell(
        _ notice: SubscriptionNotice, about found: StoreTransaction, because reason: RefundRequestReason? = nil,
        _ change: Change
    ) throws {
        try append(notice.type, notice.subtype, about: NotificationSubject(found), change) {
            try content(of: found.id, because: reason, change)
        }
    }

    /// Tells what became of a subscription, and what that means for those in the family to whom its newest period is shared.
    static func tell(_ notices: [SubscriptionNotice], of stored: StoredSubscription, _ change: Change) throws {
        for notice in notices {
            let written = try append(notice.type, notice.subtype, about: NotificationSubject(stored), change) {
                try content(of: stored.latest, change)
            }
            guard written != nil, notice.concernsFamily else { continue }
            for share in try FamilySharing.shares(of: stored.latest, in: change.transaction)
            where share.restoredID == nil {
                try tell(notice, about: share, change.cause.change(of: share.customerID, in: change.transaction))
            }
        }
    }

    /// Tells what an order gave its customer.
    ///
    /// - Parameter notices: of a subscription that renews: what became of it.
    static func tell(
        sale sold: StoreTransaction, _ notices: [SubscriptionNotice]?, _ change: Change
    ) throws {
        if let notices {
            for notice in notices { try tell(notice, about: sold, change) }
        } else if sold.isToldOf, sold.kind.isChargedOnce {
            try tell(SubscriptionNotice(.oneTimeCharge), about: sold, change)
        }
    }

    /// What is told of a transaction.
    private static func content(
        of id: TransactionID, because reason: RefundRequestReason? = nil, _ change: Change
    ) throws -> NotificationContent {
        // The change may have made another row of it than the caller has read.
        let found = try Transactions.require(id, in: change.transaction)
        let environment = change.cause.environment
        let download = try AppDownload.find(of: found.customerID, app: found.appID, in: change.transaction)
        var content = NotificationContent(bundleId: found.bundleID)
        content.appAppleId = environment == .production ? found.appID : nil
        content.bundleVersion = try download?.currentVersion(in: change.transaction)
        content.consumptionRequestReason = reason
        content.transaction = found.payload(
            in: environment, appTransaction: download?.number, signedAt: change.commerce)
        if let standing = try SubscriptionStanding(of: found, at: change.commerce, in: change.transaction) {
            content.status = standing.status
            content.renewalInfo = standing.renewalInfo(
                in: environment, appTransaction: download?.number, signedAt: change.commerce)
        }
        return content
    }

    /// Forgets what was told of a transaction, which a store for tests forgets.
    static func forget(_ id: TransactionID, in transaction: any WriteTransaction) throws {
        let told = try transaction.query(
            """
            SELECT \(StoredNotification.table.columns) FROM notification
            WHERE original_id IN (SELECT original_id FROM store_transaction WHERE id = $1)
                AND (transaction_id = $1 OR original_id = $1)
            """, id, row: StoredNotification.init)
        for one in told {
            try transaction.execute(
                "DELETE FROM notification_attempt WHERE stream = $1 AND notification_number = $2", one.stream,
                one.number)
            try transaction.execute(
                "DELETE FROM notification_for_listener WHERE stream = $1 AND notification_number = $2", one.stream,
                one.number)
            try transaction.execute("DELETE FROM notification WHERE uuid = $1", one.uuid)
            try WorkTable.cancel(NotificationDeliveries.work, one.uuid.description, clock: one.clock, in: transaction)
        }
    }
}

extension StoreTransaction {
    /// Whether servers are told of it: not of a copy that was restored, nor of what was got again for nothing.
    var isToldOf: Bool { restoredID == nil && (kind == .autoRenewable || originalID == id) }
}

extension ProductKind {
    /// Whether it is charged once for each purchase.
    fileprivate var isChargedOnce: Bool { [.consumable, .nonConsumable, .nonRenewing].contains(self) }
}
