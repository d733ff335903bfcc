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
    /// What the person has set on the device, at every moment.
    package var preferences: @Sendable () -> DevicePreferences
    /// The time on the wall.
    package var wall: @Sendable () -> Instant
    /// How long a request that a person waits for may take, with all repetitions.
    package var longestRequest = SessionLimits.request
    /// When what failed is tried again, and how time passes meanwhile.
    package var retries = RetryPolicy(
        attempts: SessionLimits.attempts, firstDelay: SessionLimits.firstDelay,
        longestDelay: SessionLimits.longestDelay)
    /// Where the tasks of the session run; nothing for where all tasks do.
    package var executor: (any TaskExecutor)?
    /// Takes lines for people.
    package var report: @Sendable (String) -> Void
    /// Is told of each statement of the journal that may change something, before it runs; what it throws fails it.
    package var journalObserver: (@Sendable (String) throws -> Void)?

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
