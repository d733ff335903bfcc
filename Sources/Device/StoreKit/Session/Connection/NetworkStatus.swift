import Synchronization

/// Whether the store can be reached, as far as is known from the requests of this process.
public struct NetworkStatus: Hashable, Sendable {
    /// Whether the last request was answered, by whatever answer.
    public let isReachable: Bool

    /// The store answers.
    public static let reachable = NetworkStatus(isReachable: true)
    /// Nobody answers for the store.
    public static let unreachable = NetworkStatus(isReachable: false)
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
