import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules

/// Shares what one of a family owns with all others: each gets a transaction of its own, which is worth as much as that of
/// the buyer and as long.
///
/// What is shared is found out when the sale is in the books, as work: whether a product is shared is in the catalogue, and
/// each transaction needs a number that is drawn before. What ends the sharing takes the transactions back at once.
///
/// | what happens | what comes of it |
/// |---|---|
/// | somebody in a family buys what is shared, or it renews | every other one gets it, ``share(_:)`` |
/// | an upgrade takes the place of what was shared | so it does with every other one, or ends it: ``endUpgraded(by:_:)`` |
/// | somebody joins | everyone gets what the others own, ``join(_:)`` |
/// | somebody leaves | what was shared with and by this one is revoked, ``revokeUnshared(of:_:)`` |
/// | what was bought is refunded or revoked | so is what was shared of it, ``shares(of:in:)`` |
/// | a subscription stands otherwise without a new period | the devices of all are told, ``tell(of:_:)`` |
package struct FamilySharing: Sendable {
    /// The kind of work that shares, and takes back what is much.
    package static let work = "family-sharing"
    /// How much one transaction shares or takes back.
    static let page = 100

    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// What is to be shared, as the subject of work.
    // Closed: whoever does the work has to know all.
    enum Subject: Hashable, Sendable, CustomStringConvertible {
        case sale(TransactionID)
        /// A sale that paid for a renewal which had failed.
        case recovery(TransactionID)
        case joining(CustomerID)
        case leaving(CustomerID)

        var description: String {
            switch self {
            case .sale(let id): "sale/\(id)"
            case .recovery(let id): "recovery/\(id)"
            case .joining(let id): "joining/\(id)"
            case .leaving(let id): "leaving/\(id)"
            }
        }

        init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "sale": self.init(TransactionID(parts[1]).map(Subject.sale))
            case "recovery": self.init(TransactionID(parts[1]).map(Subject.recovery))
            case "joining": self.init(CustomerID(parts[1]).map(Subject.joining))
            case "leaving": self.init(CustomerID(parts[1]).map(Subject.leaving))
            default: return nil
            }
        }

        private init?(_ found: Subject?) {
            guard let found else { return nil }
            self = found
        }
    }

    static func schedule(_ subject: Subject, _ change: Change) throws {
        try WorkTable.schedule(
            Work(work, subject.description, dueAt: change.wall, clock: .wall), in: change.transaction)
        try WorkLoop.signal(dueAt: change.wall, by: change.wall, in: change.transaction)
    }

    /// Has a transaction shared, if its buyer is in a family. Of what was got again for nothing the first one is.
    ///
    /// - Parameter recovers: whether it pays for a renewal that had failed.
    static func schedule(_ sold: StoreTransaction, recovers: Bool = false, _ change: Change) throws {
        guard isShared(sold), try Families.number(of: sold.customerID, in: change.transaction) != nil else { return }
        try schedule(recovers ? .recovery(sold.id) : .sale(sold.id), change)
    }

    private static func isShared(_ sold: StoreTransaction) -> Bool {
        guard sold.ownership == .purchased, sold.restoredID == nil, sold.revocation == nil, sold.upgradedAt == nil
        else { return false }
        return sold.kind == .autoRenewable || sold.kind == .nonConsumable && sold.originalID == sold.id
    }

    // MARK: Work

    /// Does one piece of work, all of it; what was done already is not done again.
    package func run(_ subject: String) async throws {
        switch Subject(subject) {
        case .sale(let id)?: try await share(id)
        case .recovery(let id)?: try await share(id, recovers: true)
        case .joining(let id)?: try await join(id)
        case .leaving(let id)?:
            let cause = store.cause(.store)
            try await store.database.write { transaction in
                try Self.revokeUnshared(of: id, cause.change(of: id, in: transaction))
            }
        case nil: return
        }
    }

    /// A transaction that somebody is to get.
    private struct Share: Hashable, Sendable {
        let sold: TransactionID
        let item: ItemID
        let member: CustomerID
    }

    private func share(_ id: TransactionID, recovers: Bool = false) async throws {
        let wanted = try await store.database.read { transaction -> [Share] in
            guard let sold = try Transactions.find(id, in: transaction), Self.isShared(sold),
                let family = try Families.find(of: sold.customerID, in: transaction)
            else { return [] }
            return family.members.map(\.customer).filter { $0 != sold.customerID }
                .map { Share(sold: id, item: sold.itemID, member: $0) }
        }
        try await write(wanted, evenIfEnded: true, recovers: recovers)
        let cause = store.cause(.store)
        try await store.database.write { try Self.endUpgraded(by: id, cause, in: $0) }
    }

    private func join(_ customer: CustomerID) async throws {
        var last: TransactionID?
        repeat {
            let after = last
            let wanted = try await store.database.read { transaction -> [Share] in
                guard let family = try Families.number(of: customer, in: transaction) else { return [] }
                return try Self.owned(in: family, of: customer, after: after, in: transaction)
            }
            try await write(wanted, evenIfEnded: false)
            last = wanted.last?.sold
        } while last != nil
    }

    /// What the members of a family own for good, and who of them is to get it because one has joined: a page after a
    /// transaction.
    private static func owned(
        in family: FamilyID, of joined: CustomerID, after id: TransactionID?, in transaction: any ReadTransaction
    ) throws -> [Share] {
        let sold = try transaction.query(
            """
            SELECT store_transaction.id, store_transaction.item_id, store_transaction.customer_id
            FROM family_member JOIN store_transaction ON store_transaction.customer_id = family_member.customer_id
                LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id
            WHERE family_member.family_id = $1 AND store_transaction.id > $2
                AND store_transaction.ownership = 'PURCHASED' AND store_transaction.restored_id IS NULL
                AND transaction_revocation.transaction_id IS NULL
                AND (store_transaction.kind = 'Auto-Renewable Subscription'
                    OR store_transaction.kind = 'Non-Consumable' AND store_transaction.original_id = store_transaction.id)
            ORDER BY store_transaction.id LIMIT $3
            """, family, id?.number ?? 0, page
        ) { row in
            var cells = row.cells
            return (
                id: try cells.next(as: TransactionID.self), item: try cells.next(as: ItemID.self),
                owner: try cells.next(as: CustomerID.self)
            )
        }
        let others = try Families.find(family, in: transaction)?.members.map(\.customer).filter { $0 != joined } ?? []
        return sold.flatMap { one in
            (one.owner == joined ? others : [joined]).map { Share(sold: one.id, item: one.item, member: $0) }
        }
    }

    /// Gives what the catalogue says is shared to those who do not have it.
    ///
    /// - Parameters:
    ///   - ended: whether periods are shared that have ended meanwhile, so that the series has no gap.
    ///   - recovers: whether they pay for renewals that had failed.
    private func write(_ wanted: [Share], evenIfEnded ended: Bool, recovers: Bool = false) async throws {
        guard !wanted.isEmpty else { return }
        let shared = try await store.catalogue.read { [environment = store.environment] transaction in
            try Set(wanted.map(\.item)).filter {
                try Catalogue.product($0, in: environment, transaction)?.isFamilyShareable == true
            }
        }
        let shares = wanted.filter { shared.contains($0.item) }
        guard !shares.isEmpty else { return }
        let numbers = try await store.numbers.next(shares.count, of: .transactions(of: store.environment))
        let lines = try await store.numbers.next(shares.count, of: .orderLines(of: store.environment))
        let cause = store.cause(.store)
        try await store.database.write { transaction in
            for (share, (number, line)) in zip(shares, zip(numbers, lines)) {
                try Self.give(
                    share, as: TransactionID(number: number), WebOrderLineItemID(number: line), evenIfEnded: ended,
                    recovers: recovers, cause.change(of: share.member, in: transaction))
            }
        }
    }

    private static func give(
        _ share: Share, as id: TransactionID, _ line: WebOrderLineItemID, evenIfEnded ended: Bool, recovers: Bool,
        _ change: Change
    ) throws {
        let transaction = change.transaction
        guard let sold = try Transactions.find(share.sold, in: transaction), isShared(sold),
            let family = try Families.number(of: share.member, in: transaction),
            try Families.number(of: sold.customerID, in: transaction) == family
        else { return }
        if !ended, let end = sold.expiresDate {
            guard end > (try change.cause.change(of: sold.customerID, in: transaction)).commerce else { return }
        }
        let known = try shares(of: sold.id, with: share.member, in: transaction)
        guard known.isEmpty else { return }
        var copy = sold
        copy.id = id
        copy.originalID = try series(of: sold, with: share.member, in: transaction) ?? id
        copy.orderID = nil
        copy.customerID = share.member
        copy.deviceID = nil
        copy.webOrderLineItemID = sold.kind == .autoRenewable ? line : nil
        copy.price = .zero(sold.price.currency)
        copy.accountToken = nil
        copy.ownership = .familyShared
        copy.sharedFrom = sold.id
        try copy.insert(in: transaction)
        try ItemSales.finish(copy, change)
        let isUpgrade = try replaceUpgraded(with: copy, change)
        try CustomerEvents.append(
            .transaction, to: copy.customerID, app: copy.appID, device: nil, purchase: nil, transaction: id, change)
        let notice = try notice(of: copy, isUpgrade: isUpgrade, recovers: recovers, in: transaction)
        try Notifications.tell(notice, about: copy, change)
    }

    /// What the developer's server is told of something that a member got.
    private static func notice(
        of copy: StoreTransaction, isUpgrade: Bool, recovers: Bool, in transaction: any ReadTransaction
    ) throws -> SubscriptionNotice {
        guard copy.kind == .autoRenewable else { return SubscriptionNotice(.oneTimeCharge) }
        guard copy.originalID == copy.id else {
            if recovers { return SubscriptionNotice(.didRenew, .billingRecovery) }
            if isUpgrade { return SubscriptionNotice(.didChangeRenewalPreference, .upgrade) }
            return copy.reason == .renewal
                ? SubscriptionNotice(.didRenew) : SubscriptionNotice(.subscribed, .resubscribe)
        }
        let earlier = try transaction.value(
            """
            SELECT count(*) FROM store_transaction WHERE customer_id = $1 AND app_id = $2 AND id <> $3
                AND shared_from IS NOT NULL AND kind = 'Auto-Renewable Subscription'
                AND coalesce(group_id, '') = $4 AND (group_id IS NOT NULL OR item_id = $5)
            """, copy.customerID, copy.appID, copy.id, copy.groupID?.description ?? "", copy.itemID, as: Int.self)
        return SubscriptionNotice(.subscribed, earlier == 0 ? .initialBuy : .resubscribe)
    }

    /// Marks what a member has of periods that an upgrade has taken the place of; gives whether there are any.
    private static func replaceUpgraded(with copy: StoreTransaction, _ change: Change) throws -> Bool {
        let replaced = try change.transaction.query(
            """
            INSERT INTO transaction_upgrade (transaction_id, upgraded_to, upgraded_at)
            SELECT mine.id, $2, transaction_upgrade.upgraded_at
            FROM store_transaction AS mine JOIN transaction_upgrade ON transaction_upgrade.transaction_id = mine.shared_from
            WHERE mine.customer_id = $1 AND mine.restored_id IS NULL
                AND NOT EXISTS (SELECT 1 FROM transaction_upgrade AS known WHERE known.transaction_id = mine.id)
                AND NOT EXISTS (SELECT 1 FROM transaction_revocation WHERE transaction_id = mine.id)
            RETURNING transaction_id
            """, copy.customerID, copy.id
        ) { try $0.value(0, as: TransactionID.self) }
        for id in replaced.sorted() {
            try TransactionRevisions.advance(id, in: change.transaction)
            try CustomerEvents.append(
                .transaction, to: copy.customerID, app: copy.appID, device: nil, purchase: nil, transaction: id, change)
        }
        return !replaced.isEmpty
    }

    /// The first transaction of a series that a member has of somebody's subscription already.
    private static func series(
        of sold: StoreTransaction, with member: CustomerID, in transaction: any ReadTransaction
    ) throws -> TransactionID? {
        try transaction.query(
            """
            SELECT store_transaction.original_id FROM store_transaction
                JOIN store_transaction AS source ON source.id = store_transaction.shared_from
                LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id
            WHERE store_transaction.customer_id = $1 AND source.original_id = $2
                AND transaction_revocation.transaction_id IS NULL
            ORDER BY store_transaction.id LIMIT 1
            """, member, sold.originalID
        ) { try $0.value(0, as: TransactionID.self) }.first
    }

    /// Tells the devices of those with whom the newest period of a subscription is shared that it stands otherwise.
    static func tell(of changed: StoredSubscription, _ change: Change) throws {
        let transaction = change.transaction
        guard try Families.number(of: changed.scope.customer, in: transaction) != nil else { return }
        for mine in try shares(of: changed.latest, in: transaction) where mine.restoredID == nil {
            try CustomerEvents.append(
                .subscription, to: mine.customerID, app: mine.appID, device: nil, purchase: nil, transaction: nil,
                change.cause.change(of: mine.customerID, in: transaction))
        }
    }

    // MARK: The end of sharing

    /// What was shared of a transaction and counts.
    static func shares(of id: TransactionID, in transaction: any ReadTransaction) throws -> [StoreTransaction] {
        try transaction.query(
            StoreTransaction.selection + """
                 WHERE store_transaction.shared_from = $1 AND transaction_revocation.transaction_id IS NULL
                ORDER BY store_transaction.id
                """, id, row: StoreTransaction.init)
    }

    private static func shares(
        of id: TransactionID, with member: CustomerID, in transaction: any ReadTransaction
    ) throws -> [StoreTransaction] {
        try shares(of: id, in: transaction).filter { $0.customerID == member && $0.restoredID == nil }
    }

    /// Revokes what others have of the periods that an upgrade replaced, where what took their place is not shared.
    private static func endUpgraded(
        by id: TransactionID, _ cause: ChangeCause, in transaction: any WriteTransaction
    ) throws {
        guard let sold = try Transactions.find(id, in: transaction) else { return }
        let ended = try transaction.query(
            StoreTransaction.selection + """
                 JOIN store_transaction AS source ON source.id = store_transaction.shared_from
                JOIN transaction_upgrade AS replaced ON replaced.transaction_id = source.id
                WHERE source.original_id = $1 AND store_transaction.restored_id IS NULL
                    AND transaction_revocation.transaction_id IS NULL AND transaction_upgrade.transaction_id IS NULL
                ORDER BY store_transaction.id
                """, sold.originalID, row: StoreTransaction.init)
        for one in ended {
            try Refunds.revoke(one, reason: .other, cause.change(of: one.customerID, in: transaction))
        }
    }

    /// Revokes what somebody has of those who are not in the same family, and they of this one; what is much goes on as
    /// work.
    static func revokeUnshared(of customer: CustomerID, _ change: Change) throws {
        let lost = try change.transaction.query(
            StoreTransaction.selection + """
                 JOIN store_transaction AS source ON source.id = store_transaction.shared_from
                LEFT JOIN family_member AS giver ON giver.customer_id = source.customer_id
                LEFT JOIN family_member AS taker ON taker.customer_id = store_transaction.customer_id
                WHERE store_transaction.shared_from IS NOT NULL AND transaction_revocation.transaction_id IS NULL
                    AND (store_transaction.customer_id = $1 OR source.customer_id = $1)
                    AND (giver.family_id IS NULL OR taker.family_id IS NULL OR giver.family_id <> taker.family_id)
                ORDER BY store_transaction.id LIMIT $2
                """, customer, page, row: StoreTransaction.init)
        for one in lost {
            let own = try change.cause.change(of: one.customerID, in: change.transaction)
            try Refunds.revoke(one, reason: .other, own)
        }
        if lost.count == page { try schedule(.leaving(customer), change) }
    }
}
