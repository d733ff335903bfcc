import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// What developers' servers change of the transactions of their apps.
package struct ServerTransactionChanges: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Notes that the customer got what a transaction stands for: no device delivers it any more. A repetition changes nothing.
    package func finish(_ id: TransactionID, of app: AppID, _ cause: ChangeCause) async throws {
        try await store.database.write { transaction in
            let sold = try Transactions.require(id, of: app, in: transaction)
            try Transactions.finish(
                sold.id, of: nil, on: nil, cause.change(of: sold.customerID, in: transaction))
        }
    }

    /// Gives all transactions of a series another token of the account, those that were made and those to come.
    ///
    /// - Parameter token: the text of a UUID.
    package func setAccountToken(
        _ token: String?, of original: TransactionID, of app: AppID, _ cause: ChangeCause
    ) async throws {
        guard let token = token.flatMap({ AppAccountToken($0) }) else {
            throw ServerAPIError(.appAccountTokenNoUUID, "appAccountToken is a UUID")
        }
        try await store.database.write { transaction in
            let sold = try Transactions.require(original, of: app, in: transaction)
            guard sold.ownership == .purchased else {
                throw ServerAPIError(
                    .familyTransactionNotSupported, "\(original) is shared by a family, and has no token of its own")
            }
            guard sold.originalID == original else {
                throw ServerAPIError(
                    .transactionIDIsNoOriginal,
                    "\(original) is not the first of its series; that is \(sold.originalID)")
            }
            try Self.set(token, of: sold, cause.change(of: sold.customerID, in: transaction))
        }
    }

    private static func set(_ token: AppAccountToken, of original: StoreTransaction, _ change: Change) throws {
        let series = try change.transaction.query(
            StoreTransaction.selection
                + " WHERE store_transaction.original_id = $1 ORDER BY store_transaction.id",
            original.id, row: StoreTransaction.init)
        for found in series { try TransactionAmendments.setAccountToken(token, of: found, change) }
        if let stored = try Subscriptions.find(SubscriptionID(beganWith: original.id), in: change.transaction) {
            var changed = stored
            changed.accountToken = token
            try change.transaction.update(changed, from: stored, in: StoredSubscription.table)
        }
        // Running apps get the newest once more; what else is delivered later has the token by itself.
        if let newest = series.last(where: { $0.restoredID == nil }), newest.accountToken != token {
            try DeviceHold.tellAll(newest, change)
        }
    }
}

extension Transactions {
    /// A transaction of an app, for the servers of its developer.
    static func require(
        _ id: TransactionID, of app: AppID, in transaction: any ReadTransaction
    ) throws -> StoreTransaction {
        guard let found = try find(id, in: transaction), found.appID == app else {
            throw ServerAPIError(.transactionNotFound, "the app has no transaction \(id)")
        }
        return found
    }
}
