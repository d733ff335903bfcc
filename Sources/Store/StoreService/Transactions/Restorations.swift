import StoreCatalogue
package import StoreDatabase
package import StoreModel

/// Bringing back to a device what the customer has bought and not lost.
///
/// | kind | what comes back |
/// |---|---|
/// | non-consumable, free subscription | the first transaction of it that was not taken back |
/// | auto-renewable subscription | every period that was not taken back: those that are over, and those that an upgrade ended |
/// | consumable, non-renewing subscription | nothing: the developer's server keeps them |
///
/// What a family shares is a transaction of each member, and comes back as any other.
package struct Restorations: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// The most that one page brings back.
    package static let page = 100

    /// A transaction that a restore made for the device, and the one it brought back.
    package struct Restored: Sendable {
        package let copy: StoreTransaction
        package let original: StoreTransaction
    }

    /// Some of what a restore brings back.
    package struct Page: Sendable {
        package let scope: DeviceScope
        package let restored: [Restored]
        /// What the next page begins after; nil if this is the last one.
        package let next: TransactionID?
    }

    /// Restores a page; a long history takes several.
    ///
    /// - Parameter id: the original after which it goes on.
    package func restore(after id: TransactionID?, as token: DeviceToken) async throws -> Page {
        let (scope, found) = try await store.read(as: token) { scope, transaction in
            let owner = try scope.requireCustomerScope()
            return (
                scope, try Transactions.restorable(of: owner, after: id, limit: Self.page + 1, in: transaction)
            )
        }
        guard !scope.isSimulator else { throw ServiceError(.simulator, "nothing can be restored in a simulator") }
        try await ProductLookup(store).requireServed(scope.app)
        let originals = found.prefix(Self.page)
        guard let last = originals.last else { return Page(scope: scope, restored: [], next: nil) }
        let ids = try await store.numbers.next(originals.count, of: .transactions(of: store.environment)).map {
            try TransactionID(number: $0)
        }
        let restored = try await store.write(as: token) { scope, change in
            try Transactions.restore(scope.requireCustomerScope(), on: scope.device, after: id, as: ids, change)
        }
        return Page(scope: scope, restored: restored, next: found.count > Self.page ? last.id : nil)
    }
}

extension Transactions {
    /// What a restore can bring back, after one, in the order of the ids.
    package static func restorable(
        of scope: CustomerScope, after id: TransactionID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [StoreTransaction] {
        try transaction.query(
            StoreTransaction.selection + """
                 WHERE store_transaction.customer_id = $1 AND store_transaction.app_id = $2 AND store_transaction.id > $3
                    AND store_transaction.restored_id IS NULL AND transaction_revocation.transaction_id IS NULL
                    AND (store_transaction.kind = 'Auto-Renewable Subscription'
                        OR store_transaction.kind IN ('Non-Consumable', 'Free Subscription') AND NOT EXISTS (
                            SELECT 1 FROM store_transaction AS earlier
                            WHERE earlier.customer_id = $1 AND earlier.item_id = store_transaction.item_id
                                AND earlier.restored_id IS NULL
                                AND (earlier.purchase_date < store_transaction.purchase_date
                                    OR earlier.purchase_date = store_transaction.purchase_date
                                        AND earlier.id < store_transaction.id)
                                AND NOT EXISTS (
                                    SELECT 1 FROM transaction_revocation WHERE transaction_id = earlier.id)))
                ORDER BY store_transaction.id LIMIT $4
                """, scope.customer, scope.app, id?.number ?? 0, limit, row: StoreTransaction.init)
    }

    /// Brings what a customer has back to a device: a new transaction for each, which names the original. It is not an
    /// entitlement of its own, so that restoring twice changes none. One that the device has not finished yet is brought
    /// back once more, so that its queue does not grow by asking.
    ///
    /// - Parameter ids: for as many as there are; a customer who bought meanwhile restores again.
    package static func restore(
        _ scope: CustomerScope, on device: DeviceID, after id: TransactionID? = nil, as ids: [TransactionID],
        _ change: Change
    ) throws -> [Restorations.Restored] {
        let originals = try restorable(of: scope, after: id, limit: ids.count, in: change.transaction)
        let unfinished = try unfinishedCopies(of: originals.map(\.id), of: scope, on: device, in: change.transaction)
        return try zip(originals, ids).map { original, id in
            if let copy = unfinished[original.id] { return Restorations.Restored(copy: copy, original: original) }
            var copy = original
            copy.id = id
            copy.orderID = nil
            copy.restoredID = original.id
            copy.deviceID = device
            copy.purchaseDate = change.commerce
            copy.price = .zero(original.price.currency)
            try copy.insert(in: change.transaction)
            try CustomerEvents.append(
                .transaction, to: scope.customer, app: scope.app, device: device, purchase: nil, transaction: id, change
            )
            return Restorations.Restored(copy: copy, original: original)
        }
    }

    /// What a device was brought back and has not finished, by the original; the newest of each.
    private static func unfinishedCopies(
        of originals: [TransactionID], of scope: CustomerScope, on device: DeviceID,
        in transaction: any ReadTransaction
    ) throws -> [TransactionID: StoreTransaction] {
        let copies = try transaction.query(
            StoreTransaction.selection + """
                 WHERE store_transaction.customer_id = $2 AND store_transaction.app_id = $3
                    AND store_transaction.restored_id IN \(.numbers) AND store_transaction.device_id = $4
                    AND transaction_revocation.transaction_id IS NULL
                    AND NOT EXISTS (SELECT 1 FROM transaction_finish WHERE transaction_id = store_transaction.id)
                ORDER BY store_transaction.id
                """, of: originals, scope.customer, scope.app, device, row: StoreTransaction.init)
        return Dictionary(copies.compactMap { copy in copy.restoredID.map { ($0, copy) } }, uniquingKeysWith: { $1 })
    }
}
