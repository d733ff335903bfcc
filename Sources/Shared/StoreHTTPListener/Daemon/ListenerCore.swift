import StoreHTTP
import Synchronization

/// What all daemons of a listener share.
final class ListenerCore: Sendable {
    let service: HTTPService
    let limits: ListenerLimits
    let vigilLimits: Vigil.Limits
    let counters = Counters()
    private let ticks = Atomic(0)
    /// Connections by the address they come from, if they are limited.
    private let addresses = Mutex<[String: Int]>([:])

    init(_ service: HTTPService, limits: ListenerLimits) {
        self.service = service
        self.limits = limits
        vigilLimits = Vigil.Limits(limits)
    }

    /// Ticks since the start.
    var now: Int { ticks.load(ordering: .relaxed) }

    func advance(by count: Int) { ticks.add(count, ordering: .relaxed) }

    /// Whether there are as many connections as there may be, in all or from an address.
    func isFull(for peer: PeerAddress) -> Bool {
        if counters.connections.load(ordering: .relaxed) >= limits.connections { return true }
        guard let limit = limits.connectionsPerAddress else { return false }
        return addresses.withLock { $0[peer.host] ?? 0 } >= limit
    }

    func opened(by peer: PeerAddress) {
        counters.connections.add(1, ordering: .relaxed)
        counters.connectionsAccepted.add(1, ordering: .relaxed)
        guard limits.connectionsPerAddress != nil else { return }
        addresses.withLock { $0[peer.host, default: 0] += 1 }
    }

    func closed(by peer: PeerAddress) {
        counters.connections.subtract(1, ordering: .relaxed)
        guard limits.connectionsPerAddress != nil else { return }
        addresses.withLock { addresses in
            let count = (addresses[peer.host] ?? 0) - 1
            addresses[peer.host] = count > 0 ? count : nil
        }
    }

    /// Takes one of the places for handlers at work; false if there is none.
    func takePlace() -> Bool {
        let (_, now) = counters.suspended.add(1, ordering: .relaxed)
        guard now > limits.suspendedRequests else { return true }
        releasePlace()
        return false
    }

    func releasePlace() { counters.suspended.subtract(1, ordering: .relaxed) }
}
