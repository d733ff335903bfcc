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
    package static func redeliver(
        _ id: TransactionID, at commerce: Instant, in transaction: any WriteTransaction
    ) throws -> StoreTransaction {
        guard let found = try find(id, in: transaction) else {
            throw ServiceError(.transactionUnknown, "there is no transaction \(id)", parameter: "transactionId")
        }
        guard found.revocation == nil else {
            throw ServiceError(.alreadyRevoked, "the transaction was taken back; there is nothing to deliver")
        }
        try transaction.execute("DELETE FROM transaction_finish WHERE transaction_id = $1", id)
        try CustomerEvents.append(
            .transaction, to: found.customerID, app: found.appID, device: nil, purchase: found.purchaseID,
            transaction: id, at: commerce, in: transaction)
        return found
    }

    /// Finishes a transaction for an app that never does.
    package static func finishByOperator(
        _ id: TransactionID, at commerce: Instant, in transaction: any WriteTransaction
    ) throws {
        guard try find(id, in: transaction) != nil else {
            throw ServiceError(.transactionUnknown, "there is no transaction \(id)", parameter: "transactionId")
        }
        try transaction.execute(
            """
            INSERT INTO transaction_finish (transaction_id, finished_at) VALUES ($1, $2)
            ON CONFLICT (transaction_id) DO NOTHING
            """, id, commerce)
    }
}
