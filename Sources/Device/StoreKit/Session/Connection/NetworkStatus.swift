import Synchronization

/// Whether the store can be reached, as far as is known from the requests of this process. Not known on Apple's
/// platforms.
public struct NetworkStatus: Hashable, Sendable {
    /// Whether the last request was answered, by whatever answer.
    public let isReachable: Bool

    /// The store answers.
    public static let reachable = NetworkStatus(isReachable: true)
    /// Nobody answers for the store.
    public static let unreachable = NetworkStatus(isReachable: false)

    /// As it is now; nothing before the first request has ended, and in an app without a provisioning profile.
    public static var current: NetworkStatus? { CurrentSession.session.network.current }

    /// As it is now, once that is known, and then every change of it, for as long as it is read.
    ///
    /// Nothing is asked of the store for it: it follows from the requests that StoreKit makes anyway, and while an
    /// observer is added one is always waiting for news. Who reads slowly gets the newest alone.
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

/// Tells of every change of ``NetworkStatus``.
package final class NetworkStatusSource: Sendable {
    private struct State {
        var status: NetworkStatus?
        var listeners: [Int: AsyncStream<NetworkStatus>.Continuation] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var current: NetworkStatus? { state.withLock { $0.status } }

    /// The status as it is, as soon as it is known, and every change of it. Who reads slowly sees the newest alone.
    package func changes() -> AsyncStream<NetworkStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                state.count += 1
                state.listeners[state.count] = continuation
                if let status = state.status { continuation.yield(status) }
                return state.count
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[number] = nil }
            }
        }
    }

    func note(_ status: NetworkStatus) {
        state.withLock { state in
            guard state.status != status else { return }
            state.status = status
            for listener in state.listeners.values { listener.yield(status) }
        }
    }
}
