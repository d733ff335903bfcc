package import StoreHTTP
import Synchronization

/// Serves an ``HTTPService`` on a socket.
///
/// It listens from its initializer to ``stop(within:)``. Handlers that answer at once run on the thread of their
/// connection; the others run as tasks while their connection is suspended and holds no thread.
package final class HTTPListener: Sendable {
    /// Where it listens, with the port that port 0 became.
    package let endpoint: ListenerEndpoint
    private let core: ListenerCore
    private let watchdog: Watchdog
    private let isSecure: Bool

    /// Listens where the configuration says.
    package convenience init(
        _ configuration: ListenerConfiguration, budget: ListenerBudget.Part? = nil,
        overflow: @escaping @Sendable (Int) -> Void = { _ in }, serving service: HTTPService
    ) throws(ListenerError) {
        let socket = try ListeningSocket(configuration.endpoint, backlog: configuration.limits.backlog)
        try self.init(configuration, on: socket, budget: budget, overflow: overflow, serving: service)
    }

    /// Accepts from a socket that listens already.
    ///
    /// - Parameters:
    ///   - budget: what its connections are taken from, if other listeners share the descriptors and the memory of the process.
    ///   - overflow: gets the number of connections that had no place, at most once in a while.
    package init(
        _ configuration: ListenerConfiguration, on socket: ListeningSocket, budget: ListenerBudget.Part? = nil,
        overflow: @escaping @Sendable (Int) -> Void = { _ in }, serving service: HTTPService
    ) throws(ListenerError) {
        let core = ListenerCore(
            service, limits: configuration.limits,
            budget: budget ?? ListenerBudget(connections: configuration.limits.connections, listeners: 1).part(0))
        let watchdog = try Watchdog(core, socket, threads: configuration.threads, overflow: overflow)
        let daemon = try ServingDaemon.start(
            core, on: socket, tls: configuration.tls, threads: configuration.threads)
        watchdog.start(daemon)
        self.core = core
        self.watchdog = watchdog
        endpoint = socket.endpoint
        isSecure = configuration.tls != nil
    }

    deinit {
        _ = watchdog.post(.stop(.zero, nil))
    }

    package var statistics: ListenerStatistics { core.counters.statistics }

    /// Uses another certificate for new connections. Existing ones keep theirs, finish, and end. If the files cannot be
    /// used, nothing changes.
    package func reload(_ files: TLSFiles) async throws(ListenerError) {
        guard isSecure else {
            throw ListenerError(.identityUnreadable, "The listener at \(endpoint) does not speak TLS; start it anew.")
        }
        let failure = await withCheckedContinuation { done in
            if !watchdog.post(.reload(files, done)) {
                done.resume(returning: ListenerError(.stopped, "The listener has been stopped."))
            }
        }
        if let failure { throw failure }
    }

    /// Stops accepting, lets requests end, and returns when no connection is left or the time is over; false if a
    /// connection had to be cut off.
    @discardableResult
    package func stop(within time: Duration = .seconds(30)) async -> Bool {
        await withCheckedContinuation { done in
            if !watchdog.post(.stop(time, done)) { done.resume(returning: true) }
        }
    }
}

/// Why a listener could not be started or changed. Its description is safe to log.
package struct ListenerError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The address is malformed, or not one of this machine.
        package static let addressInvalid = Code(rawValue: "address_invalid")
        /// Another process listens there.
        package static let addressInUse = Code(rawValue: "address_in_use")
        /// The file at the path is not a socket.
        package static let pathOccupied = Code(rawValue: "path_occupied")
        /// The certificate or the key cannot be read, or they do not match.
        package static let identityUnreadable = Code(rawValue: "identity_unreadable")
        /// The listener has been stopped.
        package static let stopped = Code(rawValue: "stopped")
        /// The system refused something else.
        package static let system = Code(rawValue: "system")
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// The counters of a listener, for metrics.
package struct ListenerStatistics: Hashable, Sendable {
    /// Connections that were accepted.
    package var connectionsAccepted = 0
    /// Connections that had no place.
    package var connectionsRefused = 0
    /// Connections that are open now.
    package var connections = 0
    /// Requests whose head was read.
    package var requests = 0
    /// Requests that the listener refused itself, for their form or for a limit.
    package var refusals = 0
    /// Connections that a time limit ended.
    package var timeouts = 0
    /// Requests whose handlers are at work now.
    package var suspended = 0
    /// Bytes of bodies that arrived.
    package var bytesReceived = 0
    /// Bytes of bodies that were sent to their end, where their length was known.
    package var bytesSent = 0
}

/// The counting behind it.
final class Counters: Sendable {
    let connectionsAccepted = Atomic(0)
    let connectionsRefused = Atomic(0)
    let connections = Atomic(0)
    let requests = Atomic(0)
    let refusals = Atomic(0)
    let timeouts = Atomic(0)
    let suspended = Atomic(0)
    let bytesReceived = Atomic(0)
    let bytesSent = Atomic(0)

    var statistics: ListenerStatistics {
        ListenerStatistics(
            connectionsAccepted: connectionsAccepted.load(ordering: .relaxed),
            connectionsRefused: connectionsRefused.load(ordering: .relaxed),
            connections: connections.load(ordering: .relaxed), requests: requests.load(ordering: .relaxed),
            refusals: refusals.load(ordering: .relaxed), timeouts: timeouts.load(ordering: .relaxed),
            suspended: suspended.load(ordering: .relaxed), bytesReceived: bytesReceived.load(ordering: .relaxed),
            bytesSent: bytesSent.load(ordering: .relaxed))
    }
}
