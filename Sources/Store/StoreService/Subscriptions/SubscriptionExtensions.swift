import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules

/// By how much a developer puts off when a subscription renews, and why.
package struct ExtensionRequest: Hashable, Sendable {
    package let days: Int
    package let reason: ExtendReasonCode
    /// What tells this request from others; repeated, it has no second effect.
    package let identifier: String

    /// The longest identifier, in characters.
    package static let longestIdentifier = 128

    package init(days: Int?, reason: Int?, identifier: String?) throws(ServerAPIError) {
        guard let days, Subscription.extensionDays.contains(days) else {
            throw ServerAPIError(.invalidExtendByDays, "extendByDays is 1 to 90")
        }
        guard let reason = reason.map(ExtendReasonCode.init), reason.isKnown else {
            throw ServerAPIError(.invalidExtendReason, "extendReasonCode is 0, 1, 2 or 3")
        }
        guard let identifier, (1...Self.longestIdentifier).contains(identifier.unicodeScalars.count) else {
            throw ServerAPIError(
                .invalidRequestIdentifier, "requestIdentifier has 1 to \(Self.longestIdentifier) characters")
        }
        (self.days, self.reason, self.identifier) = (days, reason, identifier)
    }

    init(days: Int, reason: ExtendReasonCode, identifier: String) {
        (self.days, self.reason, self.identifier) = (days, reason, identifier)
    }

    /// Why nothing came of a request whose identifier an earlier one has; nil where that one asked for the same.
    package func reason(answeredBy earlier: ExtensionRequest) -> String? {
        guard earlier != self else { return nil }
        return "requestIdentifier is that of an earlier request, for \(earlier.days) days with the reason "
            + "\(earlier.reason.rawValue); this one has no effect of its own"
    }
}

/// An extension as it is kept: a row of `subscription_extension`.
package struct StoredExtension: Hashable, Sendable {
    package let subscription: SubscriptionID
    package let number: Int
    /// The transaction whose period ends later by it.
    package let transaction: TransactionID
    package let request: ExtensionRequest
    package let oldEnd: Instant
    package let newEnd: Instant
    package let at: Instant
    /// The extension of all subscribers that it is a part of; nil where it was asked for alone.
    package let mass: MassExtensionID?
    package let actor: String

    static let table = RowTable<StoredExtension>("subscription_extension") {
        Column("subscription_id", .key) { $0.subscription }
        Column("number", .key) { $0.number }
        Column("transaction_id") { $0.transaction }
        Column("request_identifier") { $0.request.identifier }
        Column("days") { $0.request.days }
        Column("reason") { $0.request.reason }
        Column("old_end") { $0.oldEnd }
        Column("new_end") { $0.newEnd }
        Column("at") { $0.at }
        Column("mass_id") { $0.mass }
        Column("actor") { $0.actor }
    }

    init(_ row: Row) throws {
        var cells = row.cells
        (subscription, number, transaction) = try (cells.next(), cells.next(), cells.next())
        let identifier = try cells.next(as: String.self)
        request = try ExtensionRequest(days: cells.next(), reason: cells.next(), identifier: identifier)
        (oldEnd, newEnd, at) = try (cells.next(), cells.next(), cells.next())
        (mass, actor) = try (cells.next(), cells.next())
    }

    fileprivate init(
        _ request: ExtensionRequest, of stored: StoredSubscription, number: Int, until end: Instant,
        for mass: StoredMassExtension?, _ change: Change
    ) {
        (subscription, self.number, transaction) = (stored.id, number, stored.latest)
        (self.request, oldEnd, newEnd, at) = (request, stored.rules.endsAt, end, change.commerce)
        (self.mass, actor) = (mass?.id, mass?.actor ?? change.actor.text)
    }
}

/// Subscriptions whose renewal is put off, one at a time.
package struct SubscriptionExtensions: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// An extension, and what is told of the transaction that ends later by it.
    package struct Extended: Hashable, Sendable {
        package let stored: StoredExtension
        package let orderLine: WebOrderLineItemID?
    }

    /// Extends a subscription of an app. Asked for again under the same identifier, it is answered as before.
    ///
    /// - Parameter app: whose subscription it has to be; nil for any.
    package func extend(
        _ original: TransactionID, of app: AppID?, by request: ExtensionRequest, _ cause: ChangeCause
    ) async throws -> Extended {
        try await store.afterAdvance {
            try await store.database.write { transaction in
                let stored = try Subscriptions.requireExtensible(original, of: app, in: transaction)
                let change = try cause.change(of: stored.scope.customer, in: transaction)
                try change.requireArrival()
                let extended =
                    try Subscriptions.extension(of: stored.id, asked: request.identifier, in: transaction)
                    ?? Subscriptions.extend(stored, by: request, change)
                let sold = try Transactions.require(extended.transaction, in: transaction)
                return Extended(stored: extended, orderLine: sold.webOrderLineItemID)
            }
        }
    }
}

extension Subscriptions {
    /// The subscription that began with a transaction.
    fileprivate static func requireExtensible(
        _ original: TransactionID, of app: AppID?, in transaction: any ReadTransaction
    ) throws -> StoredSubscription {
        guard let sold = try Transactions.find(original, in: transaction), app == nil || sold.appID == app else {
            throw ServerAPIError(.originalNotFound, "there is no transaction \(original) in the app")
        }
        guard sold.originalID == original else {
            throw ServerAPIError(
                .invalidOriginalTransactionID, "\(original) is not the first of its series; that is \(sold.originalID)")
        }
        guard sold.ownership == .purchased else {
            throw ServerAPIError(
                .familyExtensionIneligible, "what a family shares is extended with the subscription of its buyer")
        }
        guard let stored = try find(SubscriptionID(beganWith: original), in: transaction) else {
            throw ServerAPIError(.extensionIneligible, "\(sold.productID) is no subscription that renews")
        }
        return stored
    }

    /// What was done about a request already.
    fileprivate static func `extension`(
        of id: SubscriptionID, asked identifier: String, in transaction: any ReadTransaction
    ) throws -> StoredExtension? {
        try transaction.optional(
            """
            SELECT \(StoredExtension.table.columns) FROM subscription_extension
            WHERE subscription_id = $1 AND request_identifier = $2 AND mass_id IS NULL
            """, id, identifier, row: StoredExtension.init)
    }

    /// The extensions of a subscription, the oldest first.
    package static func extensions(
        of id: SubscriptionID, in transaction: any ReadTransaction
    ) throws -> [StoredExtension] {
        try transaction.query(
            """
            SELECT \(StoredExtension.table.columns) FROM subscription_extension WHERE subscription_id = $1
            ORDER BY number
            """, id, row: StoredExtension.init)
    }

    /// Puts off the end of a subscription, or refuses before anything is changed: its newest period ends later, with what the
    /// family has of it, and later periods are counted from there.
    static func extend(
        _ stored: StoredSubscription, by request: ExtensionRequest, for mass: StoredMassExtension? = nil,
        _ change: Change
    ) throws -> StoredExtension {
        let earlier = try extensions(of: stored.id, in: change.transaction)
        try requireExtension(of: stored, after: earlier, at: change.commerce)
        let event = Subscription.Event.extended(days: request.days)
        let (changed, _) = try handle(
            event, of: stored, isTold: false,
            detail: "\(request.days) \(request.days == 1 ? "day" : "days"), request \(request.identifier)", change)
        try postpone(stored, until: changed.rules.endsAt, change)
        try tell(event, of: changed, since: stored, change)
        let kept = StoredExtension(
            request, of: stored, number: (earlier.last?.number ?? 0) + 1, until: changed.rules.endsAt, for: mass, change
        )
        try change.transaction.insert(kept, into: StoredExtension.table)
        return kept
    }

    private static func requireExtension(
        of stored: StoredSubscription, after earlier: [StoredExtension], at now: Instant
    ) throws(ServerAPIError) {
        switch stored.rules.extensionObstacle(at: now) {
        case .inactive?:
            throw ServerAPIError(.extensionIneligible, "the subscription \(stored.id) is not active")
        case .turnedOff?:
            throw ServerAPIError(
                .extensionIneligible, "the subscription \(stored.id) was turned off, and does not renew")
        case .freeTrial?:
            throw ServerAPIError(.extensionIneligible, "the subscription \(stored.id) is in a free trial")
        case nil: break
        }
        let start = now - stored.rules.extensionYear
        guard earlier.filter({ $0.at > start }).count < Subscription.mostExtensions else {
            throw ServerAPIError(
                .maximumExtensions,
                "the subscription \(stored.id) was extended \(Subscription.mostExtensions) times within 365 days")
        }
    }

    /// Lets the newest transaction of a subscription end later, its restored copies, and what the family has of it. Their
    /// devices are told.
    private static func postpone(_ stored: StoredSubscription, until end: Instant, _ change: Change) throws {
        let own = try change.transaction.query(
            StoreTransaction.selection + """
                 WHERE store_transaction.original_id = $1
                    AND (store_transaction.id = $2 OR store_transaction.restored_id = $2)
                    AND transaction_revocation.transaction_id IS NULL
                ORDER BY store_transaction.id
                """, stored.original, stored.latest, row: StoreTransaction.init)
        for found in own + (try FamilySharing.shares(of: stored.latest, in: change.transaction)) {
            try TransactionAmendments.setEnd(
                end, of: found, change.cause.change(of: found.customerID, in: change.transaction))
        }
    }
}
