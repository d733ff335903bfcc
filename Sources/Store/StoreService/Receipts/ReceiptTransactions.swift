import StoreDatabase
import StoreModel

/// The transactions that receipts tell of.
enum ReceiptTransactions {
    private static let selection: SQL = """
        SELECT \(ReceiptLineReader.columns) FROM \(StoreTransaction.tables)
        WHERE store_transaction.customer_id = $1 AND store_transaction.app_id = $2
            AND store_transaction.restored_id IS NULL
            AND (store_transaction.kind <> 'Consumable' OR NOT EXISTS (
                SELECT 1 FROM transaction_finish WHERE transaction_finish.transaction_id = store_transaction.id))
        ORDER BY store_transaction.id
        """

    /// Everything a customer has bought in an app, less the consumables that were finished: the oldest first. What a
    /// restore repeats is told once.
    static func all(
        of customer: CustomerID, in app: AppID, _ transaction: any ReadTransaction
    ) throws -> [ReceiptLine] {
        var reader = ReceiptLineReader()
        return try transaction.query(selection, customer, app) { try reader.read($0) }
    }

    /// Those that an app receipt lists: of subscriptions only the newest periods.
    static func listed(_ transactions: [ReceiptLine]) -> [ReceiptLine] {
        var excess = transactions.count { $0.kind == .autoRenewable } - ReceiptLimits.periods
        guard excess > 0 else { return transactions }
        return transactions.filter { transaction in
            guard transaction.kind == .autoRenewable, excess > 0 else { return true }
            excess -= 1
            return false
        }
    }
}
