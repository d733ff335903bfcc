package import StoreDatabase
package import StoreModel

/// The order in which the transactions of a customer in an app were changed: what developers' servers page through.
///
/// Each change gives a transaction the number after all others of its customer and app, in the transaction of the change, so
/// that whoever has seen everything up to a number finds all that changed since behind it. Changes are: made, upgraded,
/// revoked, reinstated, moved to another end, given another account token. What a restore made is no transaction of its own
/// for servers, and has none.
package enum TransactionRevisions {
    /// Puts a transaction behind all others of its customer and app, because it was made or changed.
    package static func advance(_ id: TransactionID, in transaction: any WriteTransaction) throws {
        // Two that number at once do so one after the other.
        try transaction.execute(
            """
            UPDATE customer SET clock_id = clock_id
            WHERE id = (SELECT customer_id FROM store_transaction WHERE store_transaction.id = $1)
            """, id)
        try transaction.execute(advancing, id)
    }

    private static let advancing: SQL = """
        INSERT INTO transaction_revision (transaction_id, customer_id, app_id, revision, refunded_at)
        SELECT id, customer_id, app_id,
            coalesce((
                SELECT revision FROM transaction_revision AS known
                WHERE known.customer_id = store_transaction.customer_id AND known.app_id = store_transaction.app_id
                ORDER BY revision DESC LIMIT 1), 0) + 1,
            (SELECT revoked_at FROM transaction_revocation WHERE transaction_id = id AND refund_id IS NOT NULL)
        FROM store_transaction WHERE id = $1 AND restored_id IS NULL
        ON CONFLICT (transaction_id) DO UPDATE SET revision = excluded.revision, refunded_at = excluded.refunded_at
        """

    /// A transaction at its place.
    struct Placed: Sendable {
        let revision: Int64
        let transaction: StoreTransaction
        let isFinished: Bool
    }

    private static let selection: SQL = """
        SELECT \(StoreTransaction.columns), transaction_revision.revision, transaction_finish.transaction_id
        FROM transaction_revision
            JOIN store_transaction ON store_transaction.id = transaction_revision.transaction_id
            LEFT JOIN transaction_revocation ON transaction_revocation.transaction_id = store_transaction.id
            LEFT JOIN transaction_upgrade ON transaction_upgrade.transaction_id = store_transaction.id
            LEFT JOIN transaction_finish ON transaction_finish.transaction_id = store_transaction.id
        WHERE transaction_revision.customer_id = $1 AND transaction_revision.app_id = $2
        """

    private static func read(_ row: Row) throws -> Placed {
        var cells = row.cells
        let transaction = try StoreTransaction(&cells)
        return try Placed(
            revision: cells.next(), transaction: transaction,
            isFinished: cells.next(as: TransactionID?.self) != nil)
    }

    /// The transactions behind a place, in the order of their changes, or those before it, the last first.
    static func list(
        of scope: CustomerScope, after place: Int64, isDescending: Bool, limit: Int,
        in transaction: any ReadTransaction
    ) throws -> [Placed] {
        let rest: SQL =
            isDescending
            ? " AND transaction_revision.revision < $3 ORDER BY transaction_revision.revision DESC LIMIT $4"
            : " AND transaction_revision.revision > $3 ORDER BY transaction_revision.revision LIMIT $4"
        return try transaction.query(selection + rest, scope.customer, scope.app, place, limit, row: read)
    }

    /// Transactions for which money was given back, by when they were revoked, after one of them.
    static func refunded(
        of scope: CustomerScope, after place: (at: Int64, id: Int64), limit: Int, in transaction: any ReadTransaction
    ) throws -> [StoreTransaction] {
        let rest: SQL = """
             AND transaction_revision.refunded_at IS NOT NULL
                AND (transaction_revision.refunded_at, transaction_revision.transaction_id) > ($3, $4)
            ORDER BY transaction_revision.refunded_at, transaction_revision.transaction_id LIMIT $5
            """
        return try transaction.query(
            selection + rest, scope.customer, scope.app, place.at, place.id, limit, row: read
        ).map(\.transaction)
    }

    /// Forgets a transaction, in a store for tests.
    static func forget(_ id: TransactionID, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM transaction_revision WHERE transaction_id = $1", id)
    }
}
