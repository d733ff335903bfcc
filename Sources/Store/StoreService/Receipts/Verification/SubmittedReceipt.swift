package import StoreSigning

/// A receipt that somebody sent and that is genuine.
// Closed: the store makes these two forms of receipts.
package enum SubmittedReceipt: Sendable {
    case app(AppReceipt)
    /// The form of iOS 6.
    case transaction(TransactionReceipt)
}
