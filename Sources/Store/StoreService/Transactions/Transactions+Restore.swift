package import StoreDatabase
package import StoreModel

extension Transactions {
    /// The most that one restore brings back.
    package static let restoreLimit = 10_000

    /// What a restore brings back to a device: the first transaction of everything that the customer owns in the app.
    package static func restorable(
        of scope: CustomerScope, at commerce: Instant, in transaction: any ReadTransaction
    ) throws -> [StoreTransaction] {
        try entitlements(of: scope, at: commerce, in: transaction).filter { $0.kind.isRestored }.map { owned in
            // Of what was got once more for nothing, the purchase that was paid.
            guard owned.kind == .nonConsumable, owned.originalID != owned.id,
                let first = try find(owned.originalID, in: transaction), first.revocation == nil
            else { return owned }
            return first
        }
    }

    /// Brings what a customer owns back to a device: a new transaction for each, which names the original. It is not an
    /// entitlement of its own, so that restoring twice changes none.
    ///
    /// - Parameter ids: at least as many as ``restorable(of:at:in:)`` gives; a customer who bought meanwhile restores again.
    package static func restore(
        _ scope: CustomerScope, on device: DeviceID, as ids: [TransactionID], _ change: Change
    ) throws -> [StoreTransaction] {
        let owned = try restorable(of: scope, at: change.commerce, in: change.transaction)
        var restored: [StoreTransaction] = []
        for (original, id) in zip(owned, ids) {
            var copy = original
            copy.id = id
            copy.orderID = nil
            copy.restoredID = original.id
            copy.deviceID = device
            copy.purchaseDate = change.commerce
            copy.price = .zero(original.price.currency)
            try copy.insert(in: change.transaction)
            try CustomerEvents.append(
                .transaction, to: scope.customer, app: scope.app, device: device, purchase: nil, transaction: id,
                at: change.commerce, in: change.transaction)
            restored.append(copy)
        }
        return restored
    }
}
