/// What `verifyReceipt` is asked.
package struct VerificationRequest: Hashable, Sendable {
    /// The receipt, out of its Base64.
    package let receipt: [UInt8]
    /// The shared secret, for receipts with auto-renewable subscriptions.
    package let password: String?
    /// Whether to tell of each subscription the newest period only.
    package let excludesOldTransactions: Bool

    package init(receipt: [UInt8], password: String?, excludesOldTransactions: Bool) {
        self.receipt = receipt
        self.password = password
        self.excludesOldTransactions = excludesOldTransactions
    }
}
