package import StoreFoundation
package import StoreHTTPClient
package import StoreModel

/// What a session is made of.
package struct SessionSettings: Sendable {
    package var profile: SessionProfile
    package var connection: any StoreConnection
    package var prompt: any PurchasePrompt
    /// Where apps keep what is theirs; each has a folder of its own in it.
    package var folders: DeviceFolders
    package var description: DeviceDescription
    /// What the system calls the machine, if it does.
    package var machine: String?
    /// What the customer has set on the device, at every moment.
    package var preferences: @Sendable () -> DevicePreferences
    /// The time on the wall.
    package var wall: @Sendable () -> Instant
    /// How long a request that the app waits for may take, with all repetitions.
    package var longestRequest = SessionLimits.request
    /// When what failed is tried again, and how time passes meanwhile.
    package var retries = RetryPolicy(
        attempts: SessionLimits.attempts, firstDelay: SessionLimits.firstDelay,
        longestDelay: SessionLimits.longestDelay)
    /// Opens the address of a page of the store in a browser, and says whether it could; nil where there is no browser.
    package var openPage: (@Sendable (String) -> Bool)?
    /// Where the tasks of the session run; nil for the default executor.
    package var executor: (any TaskExecutor)?
    /// Takes lines for people.
    package var report: @Sendable (String) -> Void
    /// Whether the content of finished transactions is removed at once, and not only at the next launch or for want of room.
    package var purgesAtOnce = false
    /// How many bytes there is room for where a path leads.
    package var freeBytes: @Sendable (String) -> Int64 = ContentFolder.freeBytes
    /// Unpacks content.
    package var unpack: ContentUnpacking = ContentFolder.unpackDelivered
    /// The error that a test lets a call of StoreKit fail with; nil outside of tests.
    package var simulatedFailure: (@Sendable (FailableCall) -> (any Error)?)?
    /// Whether a payment may ask for another person's yes by itself. Test sessions do not let it: they have a setting for it.
    package var paymentsMayAsk = true
    /// Gets each statement of the journal that may change something, before it runs; what it throws fails it.
    package var journalObserver: (@Sendable (String) throws -> Void)?
    /// Gets each signed transaction whose signature is about to be verified.
    package var verificationObserver: (@Sendable (String) -> Void)?

    /// The words of StoreKit, in the language of the device.
    package var texts: Texts { Texts.best(for: [preferences().language ?? description.language]) }

    package init(
        profile: SessionProfile, connection: any StoreConnection, prompt: any PurchasePrompt, folders: DeviceFolders,
        description: DeviceDescription, preferences: @escaping @Sendable () -> DevicePreferences,
        wall: @escaping @Sendable () -> Instant, report: @escaping @Sendable (String) -> Void
    ) {
        self.profile = profile
        self.connection = connection
        self.prompt = prompt
        self.folders = folders
        self.description = description
        self.preferences = preferences
        self.wall = wall
        self.report = report
    }
}

/// What an app says of itself when it registers.
package struct DeviceDescription: Hashable, Sendable {
    package var appVersion: String
    /// The language of the process, `en-US`, for where the person has set none.
    package var language: String
    /// Where the device is, by its region.
    package var storefront: StorefrontCode?

    package init(appVersion: String, language: String, storefront: StorefrontCode? = nil) {
        self.appVersion = appVersion
        self.language = language
        self.storefront = storefront
    }
}

/// How long the session takes for things.
enum SessionLimits {
    /// A token is renewed so long before its end.
    static let tokenRenewal = Duration.seconds(7 * 24 * 60 * 60)
    /// How often a request that the app waits for is sent before the store counts as unreachable.
    static let attempts = 4
    /// The wait after the first failure, and the longest.
    static let firstDelay = Duration.milliseconds(200)
    static let longestDelay = Duration.seconds(60)
    /// How long after a yes a payment without a result is told as deferred, so that the app need not wait for it.
    static let patience = Duration.seconds(20)
    /// The most pages that one reading of all transactions takes: 200 transactions each.
    static let pages = 500
    /// How long a request that the app waits for may take, with all repetitions.
    static let request = Duration.milliseconds(4800)
    /// How many of a product a payment may be for.
    static let quantities = 1...10
}
