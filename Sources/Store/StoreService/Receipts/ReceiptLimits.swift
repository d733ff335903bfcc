/// How much a receipt holds.
package enum ReceiptLimits {
    /// How many periods of auto-renewable subscriptions an app receipt lists; the newest ones. Everything else is listed
    /// whole, however long a subscription ran. The answer of `verifyReceipt` tells of all periods.
    package static let periods = 200
    /// Up to how many transactions are looked up at once, without waiting for a thread that reads.
    static let lookedUp = 32
    /// How many bytes of genuine receipts are remembered, so that nobody has to verify them again. What they say takes room
    /// besides.
    static let recentBytes = 8 << 20
    /// A receipt is remembered when it comes again before so many others have: about as many as there is room for. Most come
    /// once, and are not worth it.
    static let noticedReceipts = 1024
    /// The longest receipt that is remembered: a few dozen purchases.
    static let rememberedBytes = 32 << 10
}
