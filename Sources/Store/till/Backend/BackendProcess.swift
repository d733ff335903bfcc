import CommandOptions
import Foundation
import StoreBackend
import StoreFoundation
import StoreHTTP
import StoreHTTPListener
import StoreLog
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// The developer's server as it runs: database, listener, and what is asked of the store from time to time.
final class BackendProcess: Sendable {
    private let listener: HTTPListener
    private let database: BackendDatabase
    private let folder: BackendFolder
    private let lock: StoreLock
    private let tls: TLSFiles?
    private let takesNotifications: Bool
    private let work: Task<Void, Never>
    private let log: Log

    private init(
        _ listener: HTTPListener, _ database: BackendDatabase, _ folder: BackendFolder, _ lock: StoreLock,
        _ tls: TLSFiles?, takesNotifications: Bool, _ work: Task<Void, Never>, _ log: Log
    ) {
        self.listener = listener
        self.database = database
        self.folder = folder
        self.lock = lock
        self.tls = tls
        self.takesNotifications = takesNotifications
        self.work = work
        self.log = log
    }

    /// Makes what is missing, opens everything and listens.
    static func start(_ arguments: ParsedArguments, _ log: Log) async throws -> BackendProcess {
        let folder = BackendFolder(arguments)
        let lock = try folder.lock()
        lock.describe("process \(getpid()), till backend serve\n")
        let address = arguments[BackendOptions.listen]
        let socket = try ListeningSocket(.tcp(address.host, port: address.port))
        if !folder.isThere {
            log.info("backend.begun", "A new server begins in this folder.", ["data": .text(folder.directory.path)])
        }
        let database = try folder.openDatabase()
        do {
            let verification = try BackendVerification(arguments, log)
            let backend = Backend(
                database: database, verifier: verification.verifier, settings: verification.settings,
                library: try ContentLibrary(folder: folder.contentPath), notifications: verification.notifications,
                store: verification.connection)
            try await backend.prepare(at: SystemClock.now())
            let tls = zip(arguments[BackendOptions.certificate], arguments[BackendOptions.certificateKey])
                .map { TLSFiles(certificate: $0, key: $1) }
            var configuration = ListenerConfiguration(socket.endpoint, tls: tls, threads: threads)
            configuration.limits.connections = ConnectionPlaces(openFiles: OpenFiles.raise()).total
            let listener = try HTTPListener(
                configuration, on: socket, serving: service(of: backend, database, folder, arguments, log))
            log.info("listener.started", "Listening.", ["listener": "backend", "address": "\(listener.endpoint)"])
            let work = Task {
                // Without a key the store is asked for nothing but receipts, and without roots nothing that it says is believed.
                guard verification.connection != nil, verification.notifications != nil else { return }
                await BackendCatchUp(backend, every: arguments[BackendOptions.catchUp], log).run()
            }
            return BackendProcess(
                listener, database, folder, lock, tls, takesNotifications: verification.notifications != nil, work, log)
        } catch {
            database.close()
            throw error
        }
    }

    /// One for each processor, because handlers that need not wait run on them.
    private static let threads = max(2, ProcessInfo.processInfo.activeProcessorCount)

    private static func service(
        of backend: Backend, _ database: BackendDatabase, _ folder: BackendFolder, _ arguments: ParsedArguments,
        _ log: Log
    ) -> HTTPService {
        var limits = BackendServerLimits()
        limits.requestsPerMinute = limit(arguments[BackendOptions.requestsPerMinute], limits.requestsPerMinute)
        limits.accountsPerMinute = limit(arguments[BackendOptions.accountsPerMinute], limits.accountsPerMinute)
        limits.proofsPerMinute = limit(arguments[BackendOptions.proofsPerMinute], limits.proofsPerMinute)
        limits.refusedProofsPerMinute = limit(
            arguments[BackendOptions.refusedProofsPerMinute], limits.refusedProofsPerMinute)
        limits.countsLocalRequests = arguments[BackendOptions.requestsPerMinute] != nil
        let metrics = RequestMetrics()
        let checks = [
            ReadinessCheck("database") { _ = try await database.transaction { try $0.run("SELECT 1") } },
            DiskCheck.readiness(at: folder.directory.path),
        ]
        let operators = OperatorRoutes(checks: checks, metrics: { [metrics.family] }, log: log)
        let server = BackendServer(
            backend, limits: limits, version: TillProgram.version, log: log,
            sources: BackendServer.Sources(
                now: SystemClock.now, nanoseconds: SystemClock.nanoseconds, random: RandomNumbers().next))
        let proxies = arguments[ServeOptions.proxies] ?? []
        let readers = arguments[BackendOptions.metricsFor] ?? []
        return server.service(
            adding: operators.routes.map { guarded($0, for: readers) },
            proxies: proxies.isEmpty ? nil : ForwardedPeer(proxies: proxies),
            counting: { entry in
                metrics.record(
                    method: entry.method, route: entry.route, status: entry.status, nanoseconds: entry.nanoseconds)
            })
    }

    /// Keeps the figures of the server, which apps reach too, for those who run it.
    private static func guarded(_ route: Route, for readers: [String]) -> Route {
        guard route.pattern.text == "/metrics" else { return route }
        var guarded = route
        guarded.gate = { request in
            let peer = request.peer
            guard peer.isOfThisMachine || readers.contains(peer.host) || readers.contains(peer.network) else {
                throw APIError(.notFound, code: "path_unknown", "There is nothing at this path.", parameter: "path")
            }
        }
        return guarded
    }

    /// A limit that was set, where 0 is none; else the one that holds anyway.
    private static func limit(_ given: Int?, _ standard: Int?) -> Int? {
        given.map { $0 == 0 ? nil : $0 } ?? standard
    }

    private static func zip(_ first: String?, _ second: String?) -> (String, String)? {
        guard let first, let second else { return nil }
        return (first, second)
    }

    private var url: String { "\(tls == nil ? "http" : "https")://\(listener.endpoint)" }

    /// The line that scripts wait for; its members and their order do not change.
    var ready: String { #"{"event":"ready","url":"\#(url)","pid":\#(getpid())}"# }

    /// A few lines for the person who started it.
    var banner: String {
        """
        Your server is ready.

          Apps           \(url)/v1
          Notifications  \(takesNotifications ? "\(url)/notifications" : "refused: there is no --root")
          Description    \(url)/openapi.json
          Data           \(folder.directory.path) (\(folder.engine))

        Stop it with Ctrl-C.
        """
    }

    /// Reads the certificate again. If it cannot be used, the old one stays.
    func reload() async {
        guard let tls else {
            log.info("certificate.none", "There is no TLS certificate to read again.")
            return
        }
        do {
            try await listener.reload(tls)
            log.info("certificate.reloaded", "Took the TLS certificate anew.", ["listener": "backend"])
        } catch {
            log.error(
                "certificate.refused", "The TLS certificate is no good; the former one stays.",
                ["listener": "backend", "reason": "\(error)"])
        }
    }

    /// Lets requests end, at most for this long or until a second signal; then closes everything.
    func stop(within time: Duration, unless impatient: Task<Void, Never>) async {
        work.cancel()
        let hurry = Task {
            await impatient.value
            if !Task.isCancelled { await listener.stop(within: .zero) }
        }
        if await !listener.stop(within: time) { log.warning("backend.cut", "Some requests had to be cut off.") }
        hurry.cancel()
        impatient.cancel()
        await work.value
        database.close()
        withExtendedLifetime(lock) {}
    }
}
