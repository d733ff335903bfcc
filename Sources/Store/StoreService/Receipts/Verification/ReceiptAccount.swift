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
    private var entries: [Int64: Entry] = [:]

    package subscript(transactionID: String) -> Entry? { Int64(transactionID).flatMap { entries[$0] } }

    /// How many transactions one statement asks for: of a receipt with a handful, and of one with many.
    static let handful = 8
    private static let batch = 16

    // The tables are joined in the order in which they are written, by their keys. SQLite would put what a list after IN
    // asks for into a table first.
    private static let found: SQL = """
        SELECT store_transaction.id, store_transaction.customer_id, store_transaction.app_id,
            customer.deleted_at, store_transaction.group_id, store_transaction.account_token,
            \(TransactionRevocation.columns)
        FROM asked CROSS JOIN store_transaction CROSS JOIN customer
            LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id
        WHERE store_transaction.id = asked.id AND customer.id = store_transaction.customer_id
        """
    private static let few: SQL = """
        (CAST($1 AS \(.integer))), (CAST($2 AS \(.integer))), (CAST($3 AS \(.integer))), (CAST($4 AS \(.integer))),
            (CAST($5 AS \(.integer))), (CAST($6 AS \(.integer))), (CAST($7 AS \(.integer))), (CAST($8 AS \(.integer)))
        """
    private static let several: SQL = """
        \(few), (CAST($9 AS \(.integer))), (CAST($10 AS \(.integer))), (CAST($11 AS \(.integer))),
            (CAST($12 AS \(.integer))), (CAST($13 AS \(.integer))), (CAST($14 AS \(.integer))),
            (CAST($15 AS \(.integer))), (CAST($16 AS \(.integer)))
        """
    private static let findFew: SQL = "WITH asked (id) AS (VALUES \(few)) \(found)"
    private static let findSeveral: SQL = "WITH asked (id) AS (VALUES \(several)) \(found)"

    /// Looks the transactions up, those of the same customer together; up to a handful of them with one statement.
    init(of transactionIDs: [String], in transaction: any ReadTransaction) throws {
        // A number that is none, the store never gave out.
        let numbers = transactionIDs.compactMap { Int64($0) }
        entries.reserveCapacity(numbers.count)
        var rest = numbers[...]
        while !rest.isEmpty {
            let (width, statement) =
                rest.count <= Self.handful ? (Self.handful, Self.findFew) : (Self.batch, Self.findSeveral)
            let asked = rest.prefix(width)
            rest = rest.dropFirst(width)
            // What a statement could ask for more, is nothing.
            let values = asked.map(DatabaseValue.integer) + Array(repeating: .null, count: width - asked.count)
            try transaction.forEachRow(statement, binding: values) { try take($0) }
        }
    }

    private mutating func take(_ row: Row) throws {
        var cells = row.cells
        let id: Int64 = try cells.next()
        customer = try cells.next()
        app = try cells.next()
        isDeleted = try cells.next(as: Instant?.self) != nil
        entries[id] = try Entry(
            groupID: cells.next(), accountToken: cells.next(), revocation: TransactionRevocation.next(in: &cells))
    }
}
