import CommandOptions
import Foundation
import StoreCatalogue
import StoreDatabase
import StoreFoundation
import StoreHTTP
import StoreHTTPListener
import StoreLog
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// A running store: databases, admin socket, listeners.
final class StoreProcess: Sendable {
    let announcement: Announcement
    private let store: OpenStore
    private let production: HTTPListener
    private let sandbox: HTTPListener
    /// Those of commands, and of online checks.
    private let others: [HTTPListener]
    private let tls: TLSFiles?
    private let services: ListenerServices
    private let processors: StoreProcessors
    private let work: Task<Void, Never>
    private let log: Log

    private init(
        _ announcement: Announcement, _ store: OpenStore, production: HTTPListener, sandbox: HTTPListener,
        others: [HTTPListener], tls: TLSFiles?, services: ListenerServices, processors: StoreProcessors,
        work: Task<Void, Never>, log: Log
    ) {
        self.announcement = announcement
        self.store = store
        self.production = production
        self.sandbox = sandbox
        self.others = others
        self.tls = tls
        self.services = services
        self.processors = processors
        self.work = work
        self.log = log
    }

    /// Makes what is missing, opens everything and listens. What was opened is closed again if something fails.
    static func start(
        _ settings: ServeSettings, _ format: LogFormat, at now: Instant, _ serving: ServingLog
    ) async throws -> StoreProcess {
        let (directory, log) = (settings.directory, serving.log)
        let (lock, places) = try await begin(settings)
        let store = try await OpenStore.open(
            directory, settings.database, holding: lock, alarm: DatabaseAlarm(log))
        let processors: StoreProcessors
        let loaded: [StoreEnvironment: EnvironmentKeys]
        do {
            loaded = try await ServingKeys(settings, places, at: now, log).load(for: store)
            processors = try StoreProcessors(
                directory, production: settings.productionProcessor, shared: settings.sharedProcessors,
                logFormat: format, log: log)
        } catch {
            await store.close()
            throw error
        }
        do {
            let environments = try StoreEnvironments(
                store.databases, keys: loaded,
                from: KeySource(
                    directory, passphrase: settings.passphrase, settings.database, isServing: true),
                processors: processors, policy: settings.policy, log: log)
            try await environments.refreshKeys()
            // The lock says that no other process has these files open.
            if settings.database == .sqlite {
                try await environments.takeOver()
                try await store.databases.catalogue.write { try WorkTable.reclaimAll(in: $0) }
            }
            let blobs = OpenBlobs(directory, settings.blobs, environment: ProcessInfo.processInfo.environment)
            try await enter(settings, store, environments[.sandbox], blobs, at: now, log)
            let link = try await ConsoleLink.first(of: settings, store, at: now)
            let process = try serve(places, settings, format, store, environments, processors, blobs, link, serving)
            Task { await processors.compare(with: store.databases, log) }
            return process
        } catch {
            await processors.stop()
            await store.close()
            throw error
        }
    }

    /// Takes the right to the store, and listens. Nothing is made for a new store that could not be reached.
    private static func begin(_ settings: ServeSettings) async throws -> (StoreLock, ListeningPlaces) {
        func lock() async throws -> StoreLock {
            try settings.directory.make()
            guard let lock = try await StoreLock.taken(settings.directory, patience: commandPatience) else {
                throw StoreLock.refusal(settings.directory)
            }
            return lock
        }
        // Whoever has a store open has its ports, too, and the store is what there is to say of it.
        let known = FileManager.default.fileExists(atPath: settings.directory.path) ? try await lock() : nil
        let places = try ListeningPlaces(settings)
        if let known { return (known, places) }
        return (try await lock(), places)
    }

    /// How long a start waits for commands of the operator, which open a store that does not run.
    private static let commandPatience = Duration.seconds(20)

    /// Enters what the store is to begin with.
    private static func enter(
        _ settings: ServeSettings, _ store: OpenStore, _ sandbox: EnvironmentStore?, _ blobs: OpenBlobs,
        at now: Instant,
        _ log: Log
    ) async throws {
        let catalogue = store.databases.catalogue
        if let file = settings.catalogueFile {
            let reports = try await file.run(in: catalogue, numbers: Numbers(catalogue), at: now)
            if let sandbox { try await DemoTester.enter(sandbox) }
            log.info(
                "file.entered", "Entered the products of the file.",
                ["products": .number(Int64(reports.apps.reduce(0) { $0 + $1.added.count + $1.changed.count }))])
        }
        guard settings.isDemo else { return }
        let entered = try await DemoCatalogue.enter(
            into: catalogue, numbers: Numbers(catalogue), pictures: blobs.open(), at: now)
        try await DemoContent(
            catalogue, blobs: blobs.open(), folder: settings.directory.packagesPath, wall: SystemClock.now, log: log
        ).enter()
        try await DemoItems.enter(into: catalogue, files: blobs.open(), at: now)
        if let sandbox { try await DemoTester.enter(sandbox) }
        guard !entered.isEmpty else { return }
        log.info(
            "demo.entered", "Entered the products of the demo.",
            ["apps": .number(Int64(DemoApp.all.count)), "products": .number(Int64(entered.count))])
    }

    private static func serve(
        _ places: ListeningPlaces, _ settings: ServeSettings, _ format: LogFormat, _ store: OpenStore,
        _ environments: StoreEnvironments,
        _ processors: StoreProcessors, _ blobs: OpenBlobs, _ link: String?, _ serving: ServingLog
    ) throws -> StoreProcess {
        let log = serving.log
        let budget = ListenerBudget(
            connections: connectionPlaces(log).total, listeners: places.onlineChecks == nil ? 2 : 3)
        let content = ContentService(store.databases, environments, settings.directory, blobs, log)
        let services = try ListenerServices(
            store, environments, settings, blobs, content.scrub, budget, serving,
            onlineChecks: places.onlineChecks(settings))
        func listener(
            _ name: String, _ socket: ListeningSocket, _ part: Int, _ service: HTTPService, isPlain: Bool = false
        ) throws -> HTTPListener {
            let listener = try Self.listener(
                socket, settings, isPlain: isPlain, budget.part(part), service,
                overflow: { count in Self.report(count, name, budget, log) })
            services.follow(listener, as: name)
            log.info("listener.started", "Listening.", ["listener": .text(name), "address": "\(listener.endpoint)"])
            return listener
        }
        let addresses = (
            production: places.address(of: .production, settings), sandbox: places.address(of: .sandbox, settings)
        )
        services.publish(addresses.production, addresses.sandbox)
        let announcement = Announcement(
            production: addresses.production, sandbox: addresses.sandbox, dataDirectory: settings.directory.path,
            database: settings.database.engine, process: getpid(), isDemo: settings.isDemo,
            console: link.map { ConsoleLink.address(of: $0, at: addresses.production) }, isPassing: settings.isPassing,
            hasOtherPorts: places.areOthers,
            hasTester: settings.catalogueFile != nil, app: settings.catalogueFile?.app)
        // First, so that whoever is told by /readyz that the store is ready can send it commands.
        let admin = try HTTPListener(
            ListenerConfiguration(.unix(store.folder.path(of: settings.directory.adminSocketName)), threads: 1),
            serving: try services.adminService(announcement, settings, onlineChecks: places.onlineChecks(settings)))
        store.lock.describe("process \(getpid()), production at \(addresses.production)\n")
        let production = try listener("production", places.production, 0, services.service(of: .production))
        let sandbox = try listener("sandbox", places.sandbox, 1, services.service(of: .sandbox))
        let onlineChecks = try places.onlineChecks.map {
            try listener("ocsp", $0, 2, services.onlineChecks, isPlain: true)
        }
        return StoreProcess(
            announcement, store, production: production, sandbox: sandbox,
            others: [admin] + [onlineChecks].compactMap(\.self), tls: settings.tls,
            services: services, processors: processors,
            work: Task {
                async let hosting: Void = content.run { services.address(of: $0) }
                async let requests: Void = services.shareRequests()
                await environments.work(namesCustomers: format == .brief)
                await hosting
                await requests
            }, log: log)
    }

    /// One for each processor, because handlers that need not wait run on them.
    private static let threads = max(2, ProcessInfo.processInfo.activeProcessorCount)

    private static func listener(
        _ socket: ListeningSocket, _ settings: ServeSettings, isPlain: Bool, _ budget: ListenerBudget.Part,
        _ service: HTTPService, overflow: @escaping @Sendable (Int) -> Void
    ) throws -> HTTPListener {
        var configuration = ListenerConfiguration(
            socket.endpoint, tls: isPlain ? nil : settings.tls, threads: Self.threads)
        configuration.limits.connectionsPerAddress = settings.connectionsPerAddress
        return try HTTPListener(configuration, on: socket, budget: budget, overflow: overflow, serving: service)
    }

    /// What the descriptors of the process leave for connections, once their limit is raised as far as it goes.
    private static func connectionPlaces(_ log: Log) -> ConnectionPlaces {
        let openFiles = OpenFiles.raise()
        let places = ConnectionPlaces(openFiles: openFiles)
        if openFiles < LimitsCheck.enough {
            log.warning(
                "limits.low", "Few files may be open at once, so few connections are taken.",
                [
                    "open_files": .number(Int64(openFiles)), "connections": .number(Int64(places.total)),
                    "remedy": .text(LimitsCheck.remedy),
                ])
        }
        return places
    }

    private static func report(
        _ count: Int, _ name: String, _ budget: ListenerBudget, _ log: Log
    ) {
        log.warning(
            "connections.refused", "Too many connections are open; further ones are answered with 503.",
            [
                "listener": .text(name), "refused": .number(Int64(count)),
                "connections": .number(Int64(budget.connections)),
            ])
    }

    /// Reads the certificate again. If it cannot be used, the old one stays.
    func reload() async {
        guard let tls else {
            log.info("certificate.none", "There is no TLS certificate to read again.")
            return
        }
        for (name, listener) in [("production", production), ("sandbox", sandbox)] {
            do {
                try await listener.reload(tls)
                log.info("certificate.reloaded", "Took the TLS certificate anew.", ["listener": .text(name)])
            } catch {
                log.error(
                    "certificate.refused", "The TLS certificate is no good; the former one stays.",
                    ["listener": .text(name), "reason": "\(error)"])
            }
        }
    }

    /// Lets requests end, at most for this long or until a second signal; then closes everything.
    func stop(within time: Duration, unless impatient: Task<Void, Never>) async {
        let listeners = [production, sandbox] + others
        let drained = Task {
            await withTaskGroup(of: Bool.self) { group in
                for listener in listeners { group.addTask { await listener.stop(within: time) } }
                return await group.reduce(true) { $0 && $1 }
            }
        }
        services.endWaits()
        let hurry = Task {
            await impatient.value
            if !Task.isCancelled { for listener in listeners { await listener.stop(within: .zero) } }
        }
        if await !drained.value { log.warning("store.cut", "Some requests had to be cut off.") }
        hurry.cancel()
        impatient.cancel()
        services.releaseListeners()
        await services.finishSending()
        // Streams of signals end with the databases.
        work.cancel()
        await processors.stop()
        await services.leave()
        await store.close()
        await work.value
    }
}
