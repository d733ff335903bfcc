import StoreDatabase
package import StoreModel

/// What the books say today of the transactions of a receipt, and of who made them.
package struct ReceiptAccount: Sendable {
    /// One of the transactions.
    package struct Entry: Hashable, Sendable {
        package let groupID: SubscriptionGroupID?
        package let accountToken: AppAccountToken?
        package let revocation: TransactionRevocation?
    }

    /// Whose transactions they are; nil if the books have none of them.
    package private(set) var customer: CustomerID?
    package private(set) var app: AppID?
    /// Whether that customer was deleted.
    package private(set) var isDeleted = false
    private var entries: [String: Entry] = [:]

    package subscript(transactionID: String) -> Entry? { entries[transactionID] }

    /// How many transactions one statement asks for: of a receipt with a handful, and of one with many.
    private static let (handful, batch) = (8, 16)
    private static let columns: SQL = """
        SELECT store_transaction.id, store_transaction.customer_id, store_transaction.app_id,
            store_transaction.group_id, store_transaction.account_token, transaction_revocation.reason,
            transaction_revocation.revoked_at, transaction_revocation.refund_id
        FROM store_transaction
            LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id
        """
    private static let single: SQL = "\(columns) WHERE store_transaction.id = $1"
    private static let few: SQL = "\(columns) WHERE store_transaction.id IN ($1, $2, $3, $4, $5, $6, $7, $8)"
    private static let several: SQL = """
        \(columns) WHERE store_transaction.id IN
            ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        """

    /// Looks the transactions up, those of the same customer together.
    init(of transactionIDs: [String], in transaction: any ReadTransaction) throws {
        // A number that is none, the store never gave out.
        try look(up: transactionIDs.compactMap { Int64($0) }, in: transaction)
        guard let customer else { return }
        let deletedAt = try transaction.optional("SELECT deleted_at FROM customer WHERE id = $1", customer) {
            try $0.value(0, as: Int64?.self)
        }
        isDeleted = deletedAt.flatMap(\.self) != nil
    }

    private mutating func look(up numbers: [Int64], in transaction: any ReadTransaction) throws {
        if numbers.count == 1 {
            try transaction.forEachRow(Self.single, binding: [.integer(numbers[0])]) { try take($0) }
            return
        }
        entries.reserveCapacity(numbers.count)
        var start = 0
        while start < numbers.count {
            let rest = numbers.count - start
            let width = rest <= Self.handful ? Self.handful : Self.batch
            // The last of them fills up what a statement asks for more.
            let values = (0..<width).map { DatabaseValue.integer(numbers[start + min($0, rest - 1)]) }
            try transaction.forEachRow(width == Self.handful ? Self.few : Self.several, binding: values) {
                try take($0)
            }
            start += width
        }
    }

    private mutating func take(_ row: Row) throws {
        customer = try row.value(1)
        app = try row.value(2)
        var revocation: TransactionRevocation?
        if let revokedAt = try row.value(6, as: Instant?.self) {
            revocation = try TransactionRevocation(
                reason: row.value(5), revokedAt: revokedAt, refund: row.value(7))
        }
        entries[String(try row.value(0, as: Int64.self))] = try Entry(
            groupID: row.value(3), accountToken: row.value(4), revocation: revocation)
    }
}
