package import StoreHTTP

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

    package init(_ configuration: ListenerConfiguration, serving service: HTTPService) throws(ListenerError) {
        let core = ListenerCore(service, limits: configuration.limits)
        let socket = try ListeningSocket(configuration.endpoint, backlog: configuration.limits.backlog)
        let watchdog = try Watchdog(core, socket, threads: configuration.threads)
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

    /// Takes another certificate for new connections. Those there are keep theirs, finish what they do, and end. If the
    /// files are no good, nothing changes.
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

    /// Accepts nothing more, lets requests end, and returns when no connection is left or the time is over; false if
    /// something had to be cut off then.
    @discardableResult
    package func stop(within time: Duration = .seconds(30)) async -> Bool {
        await withCheckedContinuation { done in
            if !watchdog.post(.stop(time, done)) { done.resume(returning: true) }
        }
    }
}
