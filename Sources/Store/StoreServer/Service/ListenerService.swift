import StoreCatalogue
package import StoreHTTP
package import StoreLog
import StoreModel
package import StoreService
import Synchronization

/// What every listener of a store has in common: names for requests, the log, headers, conditions, compression, one form
/// of errors.
package struct ListenerService: Sendable {
    private let log: Log
    private let metrics: RequestMetrics
    private let nanoseconds: @Sendable () -> Int64
    private let random: @Sendable () -> UInt64
    private let hosts: HostCheck?
    private let proxies: ForwardedPeer?
    private let unsent: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - log: gets a line for each request, and the reason of each error that its client is not told.
    ///   - metrics: counts the requests.
    ///   - nanoseconds: measures times; only differences count.
    ///   - random: numbers nobody can guess.
    ///   - hosts: the names that the store is known by; nil where no browser comes.
    ///   - proxies: those that are believed.
    ///   - unsent: is told why a blob that is damaged or missing was not sent.
    package init(
        log: Log, metrics: RequestMetrics, nanoseconds: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable () -> UInt64, hosts: HostCheck? = nil, proxies: ForwardedPeer? = nil,
        unsent: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.unsent = unsent
        self.proxies = proxies
        self.hosts = hosts
        self.log = log
        self.metrics = metrics
        self.nanoseconds = nanoseconds
        self.random = random
    }

    /// A service of these routes.
    ///
    /// - Parameters:
    ///   - secrets: what no log may show of paths.
    ///   - history: keeps the newest requests.
    ///   - faults: what goes wrong on purpose.
    ///   - errors: how errors are told where a route has no form of its own.
    package func service(
        _ routes: [Route], hiding secrets: PathSecrets, history: RequestHistory? = nil,
        faults: FaultMiddleware? = nil, errors: any ErrorForm = ErrorReference.form
    ) -> HTTPService {
        let (log, metrics, unsent) = (log, metrics, unsent)
        let requests = RequestLog(clock: nanoseconds, hiding: secrets) { entry in
            metrics.record(
                method: entry.method, route: entry.route, status: entry.status, nanoseconds: entry.nanoseconds)
            Self.write(entry, to: log)
        }
        let middleware: [(any Middleware)?] = [
            proxies, RequestIdentity(random: random), requests, faults, SecurityHeaders.api, hosts,
            ConditionalRequests(random: random),
            Compression(), RequestDecompression(), history.map(RequestKeeper.init),
        ]
        return HTTPService(
            routes,
            middleware: middleware.compactMap(\.self),
            errors: errors,
            explain: APIError.explaining,
            report: { error, request in
                let isDamage = StorageFailure.isDamagedBlob(error)
                log.error(
                    isDamage ? "blob.damaged" : "request.failed",
                    isDamage ? "A blob is damaged, and was not sent." : "A request could not be answered.",
                    ["request_id": .text(request.id), "reason": "\(error)"])
                if isDamage { unsent(error) }
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

/// Everything that the listener of an environment answers, and what it says of it.
package struct ListenerRoutes: Sendable {
    /// What programs may ask, the description of the interface with it.
    package let routes: [Route]
    /// The description of the interface.
    package let document: OpenAPIDocument

    /// - Parameters:
    ///   - version: of the program.
    ///   - parts: the routes of each topic.
    package init(version: String, _ parts: [Route]...) {
        let described = parts.flatMap(\.self).map(Self.mayBeUnavailable)
        let document = OpenAPIDocument(
            title: "Till", version: version, schemas: [APIError.schemaName: APIError.schema],
            routes: described + [Self.description { [] }])
        self.document = document
        routes = described + [Self.description { document.bytes }, ErrorReference.route]
    }

    /// Whatever has errors of our form may have this one.
    private static func mayBeUnavailable(_ route: Route) -> Route {
        guard let documentation = route.documentation, documentation.responses.contains(where: \.isError) else {
            return route
        }
        return route.refusing([.storeUnavailable])
    }

    /// The description is written when somebody asks for it first, which few do.
    private static func description(_ bytes: @escaping @Sendable () -> [UInt8]) -> Route {
        let kept = Kept(bytes)
        return Route.get("/openapi.json") { _ in HTTPResponse(.ok, kept.bytes, as: "application/json") }
            .documented(
                OperationDocumentation(
                    id: "describe", summary: "This description, in OpenAPI.", tag: "operators",
                    responses: [
                        .init(.ok, "The description.", .json(.object(["openapi": .string(), "paths": .object([])])))
                    ]))
    }
}

/// Bytes that are made once, when they are wanted.
private final class Kept: Sendable {
    private let made = Mutex<[UInt8]?>(nil)
    private let make: @Sendable () -> [UInt8]

    init(_ make: @escaping @Sendable () -> [UInt8]) {
        self.make = make
    }

    var bytes: [UInt8] {
        made.withLock { made in
            if let made { return made }
            let bytes = make()
            made = bytes
            return bytes
        }
    }
}
