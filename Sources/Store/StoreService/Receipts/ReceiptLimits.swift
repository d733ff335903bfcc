/// How much a receipt holds.
package enum ReceiptLimits {
    /// How many periods of auto-renewable subscriptions an app receipt lists; the newest ones. Everything else is listed
    /// whole, however long a subscription ran. The answer of `verifyReceipt` tells of all periods.
    package static let periods = 200
    /// Up to how many transactions are looked up at once, without waiting for a thread that reads.
    static let lookedUp = 32
}
