import StoreDatabase
package import StoreModel

/// That a transaction was taken back: a row of `transaction_revocation`.
package struct TransactionRevocation: Hashable, Sendable {
    package let reason: RevocationReason
    package let revokedAt: Instant
    /// The refund it came with; nil if it was taken back without one.
    package let refund: Int64?

    package init(reason: RevocationReason, revokedAt: Instant, refund: Int64? = nil) {
        self.reason = reason
        self.revokedAt = revokedAt
        self.refund = refund
    }
}

extension TransactionRevocation {
    /// The columns that ``next(in:)`` reads.
    static let columns: SQL = """
        transaction_revocation.revoked_at, transaction_revocation.reason, transaction_revocation.refund_id
        """

    /// What took a transaction back; nil if nothing did and the columns are NULL.
    static func next(in cells: inout RowCells) throws -> TransactionRevocation? {
        guard let revokedAt = try cells.next(as: Instant?.self) else {
            cells.skip(2)
            return nil
        }
        return try TransactionRevocation(reason: cells.next(), revokedAt: revokedAt, refund: cells.next())
    }
}
