/// Whether the store can be reached, as far as is known from the requests of this process. Not known on Apple's
/// platforms.
public struct NetworkStatus: Hashable, Sendable {
    /// Whether the last request was answered, by whatever answer.
    public let isReachable: Bool

    /// The store answers.
    public static let reachable = NetworkStatus(isReachable: true)
    /// The store does not answer.
    public static let unreachable = NetworkStatus(isReachable: false)

    /// As it is now; nil before the first request has ended, and in an app without a provisioning profile.
    public static var current: NetworkStatus? { CurrentSession.session.network.current }

    /// As it is now, once that is known, and then every change of it, for as long as it is read.
    ///
    /// Nothing is asked of the store for it: it follows from the requests that StoreKit makes anyway, and while an
    /// observer is added one is always waiting for news. A slow reader gets the newest alone.
    ///
    /// ```swift
    /// for await status in NetworkStatus.changes {
    ///     print(status.isReachable ? "the store is open" : "the store cannot be reached")
    /// }
    /// ```
    public static var changes: some AsyncSequence<NetworkStatus, Never> & Sendable {
        CurrentSession.session.network.changes()
    }
}
