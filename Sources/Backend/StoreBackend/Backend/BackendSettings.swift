public import StoreModel

/// How a backend behaves.
public struct BackendSettings: Hashable, Sendable {
    /// The apps whose purchases it takes.
    public var bundleIDs: Set<BundleID>
    /// The environments whose purchases it takes. Those who review an app buy in the sandbox.
    public var environments: Set<StoreEnvironment>
    /// Whom a purchase belongs to when a second user brings it, and it names none.
    public var ownership: OwnershipPolicy
    /// Whether a purchase that names an account belongs to that one's user, whoever brings it and whatever the policy.
    ///
    /// It holds for users that have a ``BackendUser/appAccountToken``, as accounts of the backend's own do. A token that is
    /// no account's names nobody. Which users a ``UserDirectory`` has is not known, so that there every token but the user's
    /// own names another: switch it off if the app gives purchases a token of another meaning, or users are removed.
    public var honorsAppAccountTokens: Bool
    /// The shortest period with which a subscription may be listed.
    public var minimumPeriod: BillingPeriod
    /// What it takes at most.
    public var limits: BackendLimits

    /// Makes settings for some apps.
    public init(
        bundleIDs: Set<BundleID>, environments: Set<StoreEnvironment> = Set(StoreEnvironment.allCases),
        ownership: OwnershipPolicy = .keep, honorsAppAccountTokens: Bool = true,
        minimumPeriod: BillingPeriod = BackendSettings.week, limits: BackendLimits = BackendLimits()
    ) {
        self.bundleIDs = bundleIDs
        self.environments = environments
        self.ownership = ownership
        self.honorsAppAccountTokens = honorsAppAccountTokens
        self.minimumPeriod = minimumPeriod
        self.limits = limits
    }

    /// Seven days: who is asked more often than that is nagged.
    // Safe: the text is a constant that keeps to the rule; every test of settings reads it.
    public static let week = try! BillingPeriod(parsing: "P1W")
}

/// Whom a purchase belongs to when a second user brings it. What is used up is credited once, whatever the policy.
// Closed: what is done with a purchase of another user has to be said for each policy.
public enum OwnershipPolicy: String, CaseIterable, Codable, Hashable, Sendable {
    /// The first user keeps it, and the second is refused.
    case keep
    /// It goes to the second user, and the first has it no longer.
    case transfer
    /// Both have it, up to ``BackendLimits/usersPerPurchase``.
    case share
}

/// What a backend takes at most. Each limit is far above what one developer needs.
public struct BackendLimits: Hashable, Sendable {
    /// Transactions of one proof.
    public var transactionsPerProof = 5_000
    /// Users that share a purchase, where the policy is to share.
    public var usersPerPurchase = 10
    /// Transactions that are looked at for what one user has; the newest ones count.
    public var entitlementsPerUser = 10_000
    /// Products of a list.
    public var productsPerList = 5_000
    /// Product ids of one report of what the store does not know.
    public var unknownProductsPerReport = 200
    /// Versions of one content.
    public var versionsPerContent = 1_000
    /// Bytes of one content.
    public var contentBytes: Int64 = 64 << 30
    /// The amount of a balance, of a credit and of what is spent at once.
    public var balanceAmount: Int64 = 1_000_000_000_000
    /// Seconds for which somebody stays signed in.
    public var sessionSeconds: Int64 = 90 * 24 * 60 * 60
    /// Sessions of one user; the oldest one ends when another begins.
    public var sessionsPerUser = 50
    /// Wrong passwords for one name from one address, within ``guessSeconds``.
    public var guessesPerName = 10
    /// Wrong passwords from one address, and for one name from everywhere, within ``guessSeconds``.
    public var guessesPerAddress = 100
    /// New accounts from one address, within ``guessSeconds``; nil for as many as come.
    public var accountsPerAddress: Int? = 300
    /// Seconds after which wrong passwords and new accounts are forgotten.
    public var guessSeconds: Int64 = 15 * 60
    /// Passwords that wait to be checked; two are checked at a time.
    public var waitingPasswords = 200
    /// Entries of one page of the audit.
    public var auditEntriesPerPage = 1_000

    /// Pages of notifications that are asked for in one call to catch up.
    public var pagesPerCatchUp = 200
    /// Subscriptions that are asked for in one call to catch up.
    public var subscriptionsPerCatchUp = 200
    /// Seconds of the past for which notifications are asked for, at most. Stores go back 30 days in the sandbox, and 180 in
    /// production.
    public var historySeconds: Int64 = 29 * 24 * 60 * 60
    /// Seconds for which it is remembered that a notification came. None comes again later than that.
    public var notificationSeconds: Int64 = 400 * 24 * 60 * 60

    /// Makes the usual limits.
    public init() {}
}
