import StoreCatalogue
import StoreDatabase
import StoreModel

/// What is changed of transactions that were made: their end, where a developer extends a subscription, and the token of the
/// account. What it was before is kept, in rows of `transaction_amendment`.
enum TransactionAmendments {
    /// Lets the period of a transaction end at another time, and tells all devices of its customer.
    static func setEnd(_ end: Instant, of found: StoreTransaction, _ change: Change) throws {
        guard found.expiresDate != end else { return }
        try change.transaction.update("store_transaction", ["expires_date": end], where: ["id": found.id])
        try record(["old_expires_date": found.expiresDate, "new_expires_date": end], of: found, change)
        if found.restoredID == nil { try DeviceHold.tellAll(found, change) }
    }

    /// Gives a transaction another token of the account.
    static func setAccountToken(_ token: AppAccountToken, of found: StoreTransaction, _ change: Change) throws {
        guard found.accountToken != token else { return }
        try change.transaction.update("store_transaction", ["account_token": token], where: ["id": found.id])
        try record(["old_account_token": found.accountToken, "new_account_token": token], of: found, change)
    }

    private static func record(_ values: RowValues, of found: StoreTransaction, _ change: Change) throws {
        let about: RowValues = [
            "at": change.commerce, "actor": change.actor.text, "request_id": change.cause.request,
        ]
        try change.transaction.insertNumbered(
            into: "transaction_amendment", values + about, within: ["transaction_id": found.id])
        try TransactionRevisions.advance(found.id, in: change.transaction)
    }

    /// Forgets what was changed of a transaction.
    static func forget(_ id: TransactionID, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM transaction_amendment WHERE transaction_id = $1", id)
    }
}
