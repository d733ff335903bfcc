import StoreHTTP
import Synchronization

/// What all daemons of a listener share.
final class ListenerCore: Sendable {
    let service: HTTPService
    let limits: ListenerLimits
    let vigilLimits: Vigil.Limits
    let counters = Counters()
    private let ticks = Atomic(0)
    /// Connections that have a place. Threads share the places, since the system gives one more connections than another.
    private let places = Atomic(0)
    /// Places by the network they are given to, if those are limited: whoever has one address of IPv6 has the whole of it.
    private let addresses = Mutex<[String: Int]>([:])

    init(_ service: HTTPService, limits: ListenerLimits) {
        self.service = service
        self.limits = limits
        vigilLimits = Vigil.Limits(limits)
    }

    /// Ticks since the start.
    var now: Int { ticks.load(ordering: .relaxed) }

    func advance(by count: Int) { ticks.add(count, ordering: .relaxed) }

    /// Counts a connection and gives it a place; false if there is none, in all or for its address.
    func open(for peer: PeerAddress) -> Bool {
        counters.connections.add(1, ordering: .relaxed)
        counters.connectionsAccepted.add(1, ordering: .relaxed)
        guard places.add(1, ordering: .relaxed).newValue <= limits.connections else {
            places.subtract(1, ordering: .relaxed)
            return false
        }
        guard let limit = limits.connectionsPerAddress else { return true }
        let hasPlace = addresses.withLock { addresses in
            let count = addresses[peer.network] ?? 0
            guard count < limit else { return false }
            addresses[peer.network] = count + 1
            return true
        }
        if !hasPlace { places.subtract(1, ordering: .relaxed) }
        return hasPlace
    }

    func close(_ peer: PeerAddress, hadPlace: Bool) {
        counters.connections.subtract(1, ordering: .relaxed)
        guard hadPlace else { return }
        places.subtract(1, ordering: .relaxed)
        guard limits.connectionsPerAddress != nil else { return }
        addresses.withLock { addresses in
            let count = (addresses[peer.network] ?? 0) - 1
            addresses[peer.network] = count > 0 ? count : nil
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
