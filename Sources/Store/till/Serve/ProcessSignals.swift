import Dispatch
import Foundation

/// The signals by which an operator asks something of a running store.
enum ProcessSignals {
    /// What a signal asks for.
    enum Request: Sendable {
        /// SIGTERM or SIGINT.
        case stop
        /// SIGHUP.
        case reload
    }

    /// The requests of this process from now on; their default actions no longer happen.
    static func requests() -> AsyncStream<Request> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let sources = [(SIGTERM, Request.stop), (SIGINT, .stop), (SIGHUP, .reload)].map { number, request in
                // Dispatch hears of a signal only if nothing else happens at it.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield(request) }
                source.resume()
                return source
            }
            let held = HeldSources(sources)
            continuation.onTermination = { _ in held.cancel() }
        }
    }
}

/// Keeps the sources of signals alive until nobody waits for them any more.
// Safe: the sources are not changed after they were handed over, and Dispatch lets any thread cancel one.
private final class HeldSources: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]

    init(_ sources: [any DispatchSourceSignal]) {
        self.sources = sources
    }

    func cancel() {
        for source in sources { source.cancel() }
    }
}
