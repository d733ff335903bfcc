/// How long the session takes for things.
enum SessionLimits {
    /// A token is renewed so long before its end.
    static let tokenRenewal = Duration.seconds(7 * 24 * 60 * 60)
    /// How often a request that a person waits for is sent before the store counts as unreachable.
    static let attempts = 4
    /// The wait after the first failure, and the longest.
    static let firstDelay = Duration.milliseconds(200)
    static let longestDelay = Duration.seconds(60)
    /// How long after a yes a payment without a result is told as deferred, so that nobody waits for it.
    static let patience = Duration.seconds(20)
    /// How long a session waits before it asks the store again who is signed in.
    static let signInInquiry = Duration.seconds(60)
    /// How long a process without the lease waits before it tries for it unasked.
    static let leaseInquiry = Duration.seconds(60)
    /// The most pages that one reading of all transactions takes: 200 transactions each.
    static let pages = 500
    /// How long a request that a person waits for may take, with all repetitions.
    static let request = Duration.milliseconds(4800)
    /// How often, and after what time each, news of restored transactions ask whether the restore itself has ended.
    static let restoreInquiries = 250
    static let restoreInquiry = Duration.milliseconds(20)
    /// How many of a product a payment may be for.
    static let quantities = 1...10
}
