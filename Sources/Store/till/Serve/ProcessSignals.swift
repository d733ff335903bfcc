import Dispatch
import Foundation

/// The signals with which an operator controls a running store.
enum ProcessSignals {
    /// The request of a signal.
    enum Request: Sendable {
        /// SIGTERM or SIGINT.
        case stop
        /// SIGHUP.
        case reload
    }

    /// The requests from now on; the signals' default actions no longer happen.
    static func requests() -> AsyncStream<Request> {
        // Whoever reads the log may go; that ends no store.
        signal(SIGPIPE, SIG_IGN)
        return stream()
    }

    private static func stream() -> AsyncStream<Request> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let sources = [(SIGTERM, Request.stop), (SIGINT, .stop), (SIGHUP, .reload)].map { number, request in
                // Dispatch receives a signal only if its default action is disabled.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield(request) }
                source.resume()
                return source
            }
            let held = RetainedSources(sources)
            continuation.onTermination = { _ in held.cancel() }
        }
    }
}

/// Retains the sources of signals until the stream ends.
// Safe: the sources are not changed afterwards, and Dispatch lets any thread cancel one.
private final class RetainedSources: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]

    init(_ sources: [any DispatchSourceSignal]) {
        self.sources = sources
    }

    func cancel() {
        for source in sources { source.cancel() }
    }
}
