import StoreHTTP
import Synchronization

/// The threads that serve one certificate, or none, with their connections. A listener has one such group, and an older
/// one for each certificate that still has connections.
final class ServingDaemon: Sendable {
    let core: ListenerCore
    let isSecure: Bool
    private let isStopping = Atomic(false)
    /// The tick at which it began to say farewell; -1 before.
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
        core.close(connection.peer, hadPlace: !connection.isSurplus)
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

    /// Whether responses tell clients to connect anew.
    var isRetiring: Bool { retired.load(ordering: .relaxed) >= 0 }

    /// Whether nothing may be suspended any more.
    var isEnding: Bool { isStopping.load(ordering: .sequentiallyConsistent) }

    /// Accepts nothing more and closes connections as their requests end. Those that were established but not accepted
    /// are taken in first if the socket is going to be closed.
    func retire(adoptingFrom socket: ListeningSocket?) {
        retired.store(core.now, ordering: .relaxed)
        let threads = threads.withLock { $0 }
        for thread in threads { thread.stopAccepting() }
        guard let socket, let first = threads.first else { return }
        while first.adopt(from: socket.descriptor) {}
    }

    /// Whether the connection was made by ``DaemonThread/stopAccepting()``, which thereby is done.
    func isSignal(_ descriptor: Int32) -> Bool { threads.withLock { $0.contains { $0.isSignal(descriptor) } } }

    /// Ends what is left. Everything suspended is resumed first, as the library demands; the threads are joined.
    func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        for connection in connections.withLock({ Array($0.values) }) { connection.exchange?.abort() }
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in ending { thread.stop() }
    }

    /// Keeps the last thing the library complained about, for the error of a failed start.
    func note(_ message: String) { complaint.withLock { $0 = message } }
}
