package import StoreDatabase
package import StoreModel

extension Transactions {
    /// Transactions after one, in their order, for those who look after the store; of a customer, if one is named.
    package static func list(
        of customer: CustomerID?, after id: TransactionID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [StoreTransaction] {
        let order: SQL = " ORDER BY store_transaction.id LIMIT "
        guard let customer else {
            return try transaction.query(
                StoreTransaction.selection + " WHERE store_transaction.id > $1" + order + "$2", id?.number ?? 0,
                limit, row: StoreTransaction.init)
        }
        return try transaction.query(
            StoreTransaction.selection + " WHERE store_transaction.customer_id = $1 AND store_transaction.id > $2"
                + order + "$3", customer, id?.number ?? 0, limit, row: StoreTransaction.init)
    }

    /// The newest transaction; nil if there is none.
    package static func newest(in transaction: any ReadTransaction) throws -> StoreTransaction? {
        try transaction.query(
            StoreTransaction.selection + " ORDER BY store_transaction.id DESC LIMIT 1", row: StoreTransaction.init
        ).first
    }

    /// When a transaction was finished; nil if it was not.
    package static func finishedAt(
        _ id: TransactionID, in transaction: any ReadTransaction
    ) throws -> Instant? {
        try transaction.optional(
            "SELECT finished_at FROM transaction_finish WHERE transaction_id = $1", id
        ) { try $0.value(0) }
    }

    /// Delivers a transaction once more: it counts as unfinished again, and all devices of the customer are told.
    package static func redeliver(_ found: StoreTransaction, _ change: Change) throws {
        guard found.revocation == nil else {
            throw ServiceError(.alreadyRevoked, "the transaction was revoked; there is nothing to deliver")
        }
        try change.transaction.execute("DELETE FROM transaction_finish WHERE transaction_id = $1", found.id)
        try CustomerEvents.append(
            .transaction, to: found.customerID, app: found.appID, device: nil, purchase: found.orderID,
            transaction: found.id, at: change.commerce, in: change.transaction)
    }
}
