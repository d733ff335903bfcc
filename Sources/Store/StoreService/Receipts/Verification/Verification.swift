package import StoreSigning

/// What comes of a receipt that is genuine.
// Closed: there are two forms of receipts.
package enum Verification: Sendable {
    case app(AppVerification)
    case transaction(TransactionVerification)
}

/// An app receipt, and what the books say of it today.
package struct AppVerification: Sendable {
    package let receipt: AppReceipt
    package let account: ReceiptAccount?
    /// Only of receipts with auto-renewable subscriptions.
    package let latest: Latest?

    /// How things stand now.
    package struct Latest: Sendable {
        /// A receipt made just now, signed.
        package let receipt: [UInt8]
        /// All transactions, the newest first.
        package let transactions: [ReceiptLine]
    }
}

/// A receipt in the form of iOS 6, and what the books say of it today.
package struct TransactionVerification: Sendable {
    package let receipt: TransactionReceipt
    package let account: ReceiptAccount
    /// Only of auto-renewable subscriptions.
    package let latest: Latest?

    /// The newest period of the subscription.
    package struct Latest: Sendable {
        /// Its receipt, made just now and signed.
        package let signed: [UInt8]
        package let receipt: TransactionReceipt
        /// Whether that period is over.
        package let isExpired: Bool
    }
}
