package import StoreHTTP
package import StoreLog

/// What every listener of a store has in common: names for requests, the log, headers, conditions, compression, one form
/// of errors.
package struct ListenerService: Sendable {
    private let log: Log
    private let metrics: RequestMetrics
    private let nanoseconds: @Sendable () -> Int64
    private let random: @Sendable () -> UInt64

    /// - Parameters:
    ///   - log: gets a line for each request, and the reason of each error that its client is not told.
    ///   - metrics: counts the requests.
    ///   - nanoseconds: measures times; only differences count.
    ///   - random: numbers nobody can guess.
    package init(
        log: Log, metrics: RequestMetrics, nanoseconds: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.log = log
        self.metrics = metrics
        self.nanoseconds = nanoseconds
        self.random = random
    }

    /// A service of these routes.
    ///
    /// - Parameter secrets: the names of parameters of paths and queries that no log may show.
    package func service(_ routes: [Route], hiding secrets: Set<String>) -> HTTPService {
        let (log, metrics) = (log, metrics)
        let requests = RequestLog(clock: nanoseconds, hiding: secrets) { entry in
            metrics.record(
                method: entry.method, route: entry.route, status: entry.status, nanoseconds: entry.nanoseconds)
            Self.write(entry, to: log)
        }
        return HTTPService(
            routes,
            middleware: [
                RequestIdentity(random: random), requests, SecurityHeaders.api, ConditionalRequests(random: random),
                Compression(), RequestDecompression(),
            ],
            errors: JSONErrorForm(),
            explain: APIError.explaining,
            report: { error, request in
                log.error(
                    "request.failed", "A request could not be answered.",
                    ["request_id": .text(request.id), "reason": "\(error)"])
            })
    }

    private static func write(_ entry: RequestLog.Entry, to log: Log) {
        // What collectors ask every few seconds would drown the rest.
        let level: LogLevel = operatorRoutes.contains(entry.route ?? "") && entry.status < 500 ? .debug : .info
        guard log.takes(level) else { return }
        log.write(
            level, "request", "A request was answered.",
            [
                "request_id": .text(entry.id), "method": .text(entry.method), "path": .text(entry.path),
                "query": .text(entry.query), "status": .number(Int64(entry.status)),
                "bytes": .number(Int64(entry.bytes ?? -1)), "complete": .flag(entry.isComplete),
                "microseconds": .number(entry.nanoseconds / 1000),
                "peer": .text(entry.peer),
            ])
    }

    private static let operatorRoutes: Set<String> = ["/healthz", "/readyz", "/metrics"]
}
