import StoreHTTP
import Synchronization

/// The threads that serve one certificate, or none, with their connections. A listener has one such group, and an older
/// one for each certificate that still has connections.
final class ServingDaemon: Sendable {
    let core: ListenerCore
    let isSecure: Bool
    private let isStopping = Atomic(false)
    /// The tick at which it was retired; -1 before.
    private let retired = Atomic(-1)
    private let connections = Mutex<[ObjectIdentifier: ListenerConnection]>([:])
    private let threads = Mutex<[DaemonThread]>([])
    private let complaint = Mutex("")

    private init(_ core: ListenerCore, isSecure: Bool) {
        self.core = core
        self.isSecure = isSecure
    }

    static func start(
        _ core: ListenerCore, on socket: ListeningSocket, tls: TLSFiles?, threads: Int
    ) throws(ListenerError) -> ServingDaemon {
        let daemon = ServingDaemon(core, isSecure: tls != nil)
        let identity = try tls?.read()
        for _ in 0..<max(1, threads) {
            guard let thread = DaemonThread(daemon, core.limits, socket: socket, identity: identity) else {
                daemon.stop()
                let code: ListenerError.Code = tls == nil ? .system : .identityUnreadable
                let reason = daemon.complaint.withLock { $0 }
                throw ListenerError(code, "The listener at \(socket.endpoint) did not start: \(reason)")
            }
            daemon.threads.withLock { $0.append(thread) }
        }
        return daemon
    }

    // MARK: Connections

    func add(_ connection: ListenerConnection) {
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
    }

    func remove(_ connection: ListenerConnection) {
        connections.withLock { $0[ObjectIdentifier(connection)] = nil }
        core.close(connection.peer, connection.admission)
    }

    var isEmpty: Bool { connections.withLock { $0.isEmpty } }

    func watch() {
        let now = core.now
        let retiredAt = retired.load(ordering: .relaxed)
        for connection in connections.withLock({ Array($0.values) }) {
            connection.watch(now: now, retiredAt: retiredAt < 0 ? nil : retiredAt)
        }
    }

    // MARK: The end

    /// Whether responses ask clients to reconnect.
    var isRetiring: Bool { retired.load(ordering: .relaxed) >= 0 }

    /// Whether connections may no longer be suspended.
    var isEnding: Bool { isStopping.load(ordering: .sequentiallyConsistent) }

    /// Stops accepting and closes connections as their requests end. If the socket is going to be closed, established
    /// connections are accepted first.
    func retire(adoptingFrom socket: ListeningSocket?) {
        retired.store(core.now, ordering: .relaxed)
        let threads = threads.withLock { $0 }
        for thread in threads { thread.stopAccepting() }
        guard let socket, let first = threads.first else { return }
        while first.adopt(from: socket.descriptor) {}
    }

    /// Whether the connection was made by ``DaemonThread/stopAccepting()``, which then returns.
    func isSignal(_ descriptor: Int32) -> Bool { threads.withLock { $0.contains { $0.isSignal(descriptor) } } }

    /// Stops everything. Suspended connections are resumed first, as the library requires; the threads are joined.
    func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        for connection in connections.withLock({ Array($0.values) }) { connection.exchange?.abort() }
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in ending { thread.stop() }
    }

    /// Keeps the library's last message, for the error of a failed start.
    func note(_ message: String) { complaint.withLock { $0 = message } }
}

/// What all daemons of a listener share.
final class ListenerCore: Sendable {
    let service: HTTPService
    let limits: ListenerLimits
    let deadlineLimits: ConnectionDeadline.Limits
    let counters = Counters()
    let budget: ListenerBudget.Part
    /// Connections that are told that there are too many.
    private let surplus = Atomic(0)
    private let ticks = Atomic(0)
    /// The number of connections. All threads share the limit, since the system distributes connections unevenly.
    private let places = Atomic(0)
    /// Connections by network, if limited: an IPv6 client has a whole /64.
    private let addresses = Mutex<[String: Int]>([:])

    init(_ service: HTTPService, limits: ListenerLimits, budget: ListenerBudget.Part) {
        self.service = service
        self.limits = limits
        self.budget = budget
        deadlineLimits = ConnectionDeadline.Limits(limits)
    }

    /// Ticks since the start.
    var now: Int { ticks.load(ordering: .relaxed) }

    func advance(by count: Int) { ticks.add(count, ordering: .relaxed) }

    /// Counts a connection.
    func open(for peer: PeerAddress) -> ListenerConnection.Admission {
        counters.connections.add(1, ordering: .relaxed)
        counters.connectionsAccepted.add(1, ordering: .relaxed)
        if hasPlace(for: peer) { return .admitted }
        counters.connectionsRefused.add(1, ordering: .relaxed)
        guard surplus.add(1, ordering: .relaxed).newValue <= ListenerLimits.surplusConnections else {
            surplus.subtract(1, ordering: .relaxed)
            return .refused
        }
        return .surplus
    }

    /// Takes a place, unless a limit is reached: in all, of the descriptors, or for the address.
    private func hasPlace(for peer: PeerAddress) -> Bool {
        guard places.add(1, ordering: .relaxed).newValue <= limits.connections else {
            places.subtract(1, ordering: .relaxed)
            return false
        }
        guard budget.takeConnection() else {
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
        if !hasPlace { releaseConnection() }
        return hasPlace
    }

    private func releaseConnection() {
        places.subtract(1, ordering: .relaxed)
        budget.releaseConnection()
    }

    func close(_ peer: PeerAddress, _ admission: ListenerConnection.Admission) {
        counters.connections.subtract(1, ordering: .relaxed)
        if admission == .surplus { surplus.subtract(1, ordering: .relaxed) }
        guard admission == .admitted else { return }
        releaseConnection()
        guard limits.connectionsPerAddress != nil else { return }
        addresses.withLock { addresses in
            let count = (addresses[peer.network] ?? 0) - 1
            addresses[peer.network] = count > 0 ? count : nil
        }
    }

    /// Counts a handler; false if the limit is reached.
    func takePlace() -> Bool {
        let (_, now) = counters.suspended.add(1, ordering: .relaxed)
        guard now > limits.suspendedRequests else { return true }
        releasePlace()
        return false
    }

    func releasePlace() { counters.suspended.subtract(1, ordering: .relaxed) }
}
