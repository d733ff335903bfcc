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
