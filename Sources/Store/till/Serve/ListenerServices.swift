import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreHTTPListener
import StoreLog
import StoreModel
import StoreServer
import StoreService
import StoreSigning
import StoreWeb
import Synchronization

/// Makes the services of a store's listeners, which share metrics and log.
final class ListenerServices: Sendable {
    private let store: OpenStore
    private let environments: StoreEnvironments
    private let prices = PriceText()
    private let log: Log
    private let lostLines: @Sendable () -> Int
    private let metrics = RequestMetrics()
    private let listeners = Mutex<[(name: String, listener: HTTPListener)]>([])
    private let budget: ListenerBudget
    private let started = SystemClock.nanoseconds()
    private let addresses: PublishedAddresses
    private let hosts: HostCheck
    private let proxies: ForwardedPeer?
    private let rates: DeviceRoutes.Rates
    private let signUps = ListenerServices.rate(nil, signUpsPerMinute)
    private let searches = ListenerServices.rate(nil, searchesPerMinute)
    private let serverAPIRate: Int?
    private let searchRate: Int?
    private let folder: String
    private let isForDevelopment: Bool
    private let control: StoreControl
    private let content: ContentIntake
    private let scrub: BlobScrub
    private let histories: [StoreEnvironment: RequestHistory]
    private let checks: ServiceChecks
    private let system: StoreSystem

    /// - Parameter onlineChecks: where verifiers ask about the certificates of each environment.
    init(
        _ store: OpenStore, _ environments: StoreEnvironments, _ settings: ServeSettings, _ blobs: OpenBlobs,
        _ scrub: BlobScrub, _ budget: ListenerBudget, _ serving: ServingLog,
        onlineChecks: [StoreEnvironment: String]
    ) throws {
        self.scrub = scrub
        self.budget = budget
        self.store = store
        self.environments = environments
        folder = settings.directory.path
        isForDevelopment = settings.isForDevelopment
        content = settings.content
        let known = [settings.publicURL, settings.sandboxPublicURL, settings.onlineChecks.url]
            .compactMap { $0?.address.host }
        hosts = HostCheck(names: known + settings.hosts)
        proxies = settings.proxies.isEmpty ? nil : ForwardedPeer(proxies: settings.proxies)
        rates = DeviceRoutes.Rates(
            registrations: Self.rate(settings.registrationsPerMinute, ServeOptions.standardRegistrations),
            purchases: Self.rate(settings.purchasesPerMinute, ServeOptions.standardPurchases))
        serverAPIRate = settings.serverAPIRate
        searchRate = settings.searchRate
        log = serving.log
        lostLines = { serving.lostLines }
        let (secrets, server) = (Self.secrets, settings.database == .sqlite ? nil : KeySource.server)
        histories = Dictionary(
            uniqueKeysWithValues: StoreEnvironment.allCases.map { environment in
                // Where there is one server, nobody else has to know.
                let shared = server.map { SharedRequests(store.databases[environment], as: $0) }
                return (
                    environment,
                    RequestHistory(
                        hiding: secrets, keepsBodies: environment == .sandbox, shared: shared, now: SystemClock.now)
                )
            })
        let addresses = PublishedAddresses()
        self.addresses = addresses
        let checks = ServiceChecks(
            databases: store.databases, alarm: store.alarm, folder: settings.directory.path, environments: environments)
        self.checks = checks
        let system = try StoreSystem(
            settings, checks,
            UpkeepSettings(database: settings.database, blobs: BlobSource { try blobs.open() }, log: serving.log),
            onlineChecks: onlineChecks)
        self.system = system
        control = StoreControl(
            store, settings.directory, passphrase: settings.passphrase, blobs: blobs, content: settings.content,
            sales: { environments[$0] }, histories: histories, system: system, address: { addresses[$0] })
    }

    /// Accounts that are made, and codes and links that are tried, in a minute from one address.
    private static let signUpsPerMinute = 20
    /// Searches on the pages of the storefront, and suggestions, in a minute from one address.
    private static let searchesPerMinute = 300

    /// A limit for each address. Unless it is set, what comes from this machine is not counted.
    private static func rate(_ perMinute: Int?, _ standard: Int) -> RateLimit? {
        guard perMinute != 0 else { return nil }
        let count = perMinute ?? standard
        return RateLimit(capacity: count, perMinute: count, clock: SystemClock.nanoseconds) { request in
            perMinute == nil && request.peer.isOfThisMachine ? nil : request.peer.network
        }
    }

    /// Sets the public addresses of the environments.
    func publish(_ production: String, _ sandbox: String) {
        addresses[.production] = StoreAddress(production)
        addresses[.sandbox] = StoreAddress(sandbox)
    }

    /// The public address of an environment; nil before it is known.
    func address(of environment: StoreEnvironment) -> StoreAddress? { addresses[environment] }

    /// Includes the metrics of a listener from now on.
    func follow(_ listener: HTTPListener, as name: String) {
        listeners.withLock { $0.append((name, listener)) }
    }

    /// Ends the requests that wait for events, which would delay the end of the store.
    func endWaits() { environments.endWaits() }

    /// Tells other servers of the database what was asked here, until the task is cancelled.
    func shareRequests() async {
        await withTaskGroup { group in
            for history in histories.values { group.addTask { await history.run() } }
        }
    }

    /// Returns when no notification is being sent any more.
    func finishSending() async { await environments.finishSending() }

    /// Says to other servers that this one is there no more.
    func leave() async { await environments.leave() }

    /// Releases the listeners, which retain the services made here.
    func releaseListeners() { listeners.withLock { $0 = [] } }

    /// The service of a listener.
    func service(of environment: StoreEnvironment) -> HTTPService {
        let operators = OperatorRoutes(
            checks: checks[environment], metrics: { self.families }, log: log)
        let pictures = CatalogueBlobs(control.blobs.callAsFunction)
        let devices =
            environments[environment].map {
                DeviceRoutes($0, prices: prices, rates: rates, hasPages: true, blobs: control.blobs).routes
                    + PaymentSheetRoutes($0, prices: prices, blobs: pictures, signUps: signUps).routes
                    + ApprovalRoutes($0, prices: prices, blobs: pictures).routes
                    + StorefrontRoutes(
                        $0, prices: prices, blobs: control.blobs, signUps: signUps, searches: searches,
                        address: { [addresses] in addresses[environment] }
                    ).routes
            } ?? []
        let routes = ListenerRoutes(
            version: TillProgram.version, operators.routes, devices, control.guarded(environment),
            verifyReceipt(of: environment), serverAPI(of: environment), search(of: environment),
            onlineChecks(of: environment), feed(of: environment)
        ).routes
        let partners = environments[environment].map { PartnerPageRoutes($0).routes } ?? []
        let pages = (environment == .production ? console : []) + partners
        let front = FrontPage(
            environment, version: TillProgram.version, options: Announcement.option(forData: folder),
            address: { [addresses] in addresses[$0] })
        return common(hosts, proxies).service(
            routes + front.routes + pages, hiding: Self.secrets, history: histories[environment],
            faults: environments[environment].flatMap { FaultMiddleware($0, history: histories[environment]) },
            errors: front.errors(else: ErrorReference.form))
    }

    /// The service of the port where certificates of both environments are asked about, which nothing else is.
    var onlineChecks: HTTPService {
        common(nil, proxies).service(StoreEnvironment.allCases.flatMap(onlineChecks), hiding: .none)
    }

    /// The partner feed of an environment.
    private func feed(of environment: StoreEnvironment) -> [Route] {
        environments[environment].map { FeedRoutes($0, blobs: control.blobs).routes } ?? []
    }

    private func onlineChecks(of environment: StoreEnvironment) -> [Route] {
        environments[environment].map { OnlineCheckRoutes($0).routes } ?? []
    }

    /// What no log may show of paths: on either listener, of what either has.
    private static let secrets = PaymentSheetRoutes.secrets.union(ConsoleRoutes.secrets).union(DeviceRoutes.secrets)
        .union(ViewRoutes.secrets)

    /// The console of both environments, which the listener of production serves.
    private var console: [Route] {
        let stores = StoreEnvironment.allCases.compactMap { environment in
            environments[environment].map { (environment, $0) }
        }
        return ConsoleRoutes(
            ConsoleServices(
                Dictionary(uniqueKeysWithValues: stores), histories: histories,
                catalogue: OperatorAccess(store.databases.catalogue, now: SystemClock.now),
                prices: prices, blobs: CatalogueBlobs(control.blobs.callAsFunction), content: content,
                unifiedReceipt: VerifyReceiptAnswer.unified,
                profile: { [control] in try await control.profile($0, of: $1) },
                address: { [addresses] in addresses[$0] },
                options: Announcement.option(forData: folder), version: TillProgram.version, system: system,
                wall: SystemClock.now)
        ).routes
    }

    private func verifyReceipt(of environment: StoreEnvironment) -> [Route] {
        guard let verification = environments.receipts(of: environment), let store = environments[environment]
        else { return [] }
        return VerifyReceiptRoutes(
            environment, verification, log: log, steps: store.steps, history: histories[environment],
            tellsReasons: environment == .sandbox || isForDevelopment, clocks: store.clocks
        ).routes
    }

    private func serverAPI(of environment: StoreEnvironment) -> [Route] {
        guard let store = environments[environment] else { return [] }
        let rate = serverAPIRate ?? (environment == .sandbox ? 0 : ServeOptions.standardServerAPIRate)
        return ServerAPIRoutes(
            store, rates: ServerAPIRates(perSecond: rate), log: log, history: histories[environment],
            tellsReasons: environment == .sandbox || isForDevelopment
        ).routes
    }

    private func search(of environment: StoreEnvironment) -> [Route] {
        guard let store = environments[environment] else { return [] }
        let rate = searchRate ?? (environment == .sandbox ? 0 : ServeOptions.standardSearchRate)
        return SearchRoutes(
            store, prices: prices,
            rate: rate == 0 ? nil : SearchRate(perMinute: rate, clock: SystemClock.nanoseconds),
            tellsReasons: environment == .sandbox || isForDevelopment,
            address: { [addresses] in addresses[environment] }
        ).routes
    }

    private func common(_ hosts: HostCheck? = nil, _ proxies: ForwardedPeer? = nil) -> ListenerService {
        ListenerService(
            log: log, metrics: metrics, nanoseconds: SystemClock.nanoseconds,
            random: RandomNumbers().next, hosts: hosts, proxies: proxies,
            unsent: { [scrub] error in Task { await scrub.look(after: error, at: SystemClock.now()) } })
    }

    private var families: [MetricFamily] {
        let uptime = Double(SystemClock.nanoseconds() - started) / 1e9
        return [
            MetricFamily(
                "till_info", .gauge, help: "The version that runs.",
                [.init(1, labels: [("version", TillProgram.version), ("database", store.engine)])]),
            MetricFamily("till_uptime_seconds", .gauge, help: "Since the store was started.", uptime),
            MetricFamily(
                "till_log_lines_lost_total", .counter, help: "Lines of the log that could not be written.",
                Double(lostLines())),
            MetricFamily(
                "till_request_body_bytes", .gauge, help: "Memory for bodies of requests, which has a limit.",
                Double(budget.bodyBytes)),
            MetricFamily(
                "process_resident_memory_bytes", .gauge, help: "Memory that the process has.",
                Double(ServingProcess.residentBytes)),
            MetricFamily(
                "till_blobs_damaged", .gauge,
                help: "Pictures and content that are damaged or missing, as this server last saw.", Double(scrub.count)),
            metrics.family,
        ] + [store.alarm?.family].compactMap(\.self) + environments.families(at: SystemClock.now()) + listenerFamilies
    }

    private var listenerFamilies: [MetricFamily] {
        let all = listeners.withLock { $0 }.map { ($0.name, $0.listener.statistics) }
        func family(
            _ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: KeyPath<ListenerStatistics, Int>
        ) -> MetricFamily {
            MetricFamily(
                name, kind, help: help,
                all.map { .init(Double($0.1[keyPath: value]), labels: [("listener", $0.0)]) })
        }
        return [
            family("till_listener_connections", .gauge, "Connections that are open.", \.connections),
            family(
                "till_listener_connections_accepted_total", .counter, "Connections that were accepted.",
                \.connectionsAccepted),
            family(
                "till_listener_connections_refused_total", .counter, "Connections that had no place.",
                \.connectionsRefused),
            family("till_listener_requests_total", .counter, "Requests whose head was read.", \.requests),
            family(
                "till_listener_refusals_total", .counter, "Requests refused for their form or a limit.", \.refusals),
            family("till_listener_timeouts_total", .counter, "Connections that a time limit ended.", \.timeouts),
            family("till_listener_suspended", .gauge, "Requests whose handlers are at work.", \.suspended),
            family("till_listener_received_bytes_total", .counter, "Bytes of bodies that arrived.", \.bytesReceived),
            family("till_listener_sent_bytes_total", .counter, "Bytes of bodies that were sent.", \.bytesSent),
        ]
    }

    /// The service of the admin socket.
    ///
    /// - Parameter onlineChecks: where verifiers ask about the certificates of each environment.
    func adminService(
        _ announcement: Announcement, _ settings: ServeSettings, onlineChecks: [StoreEnvironment: String]
    ) throws -> HTTPService {
        let status = AdminStatus(
            version: TillProgram.version, process: announcement.process, production: announcement.production,
            sandbox: announcement.sandbox, database: announcement.database,
            onlineChecks: Dictionary(uniqueKeysWithValues: onlineChecks.map { ($0.key.rawValue, $0.value) }))
        let upkeep = try UpkeepSettings(database: settings.database, blobs: control.blobs, log: log)
            .upkeep(settings.directory)
        let routes = AdminRoutes(status: status, upkeep: upkeep, now: SystemClock.now).routes
        let processors = ProcessorRoutes { [environments] in environments[$0] }
        let keys = KeyRoutes(environments.keyWatches)
        return common().service(routes + control.owned + processors.routes + keys.routes, hiding: .none)
    }
}
