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
import TestProcessor

/// The sandbox of a store as a process of its own, as `till serve` puts it together: the routes of devices and
/// `verifyReceipt`, on the real listener, with the middleware that all listeners have. It logs warnings only.
///
/// `till-bench serve-store FOLDER [POSTGRES]` prints its port, serves until its input ends, and is not meant for people.
enum StoreProgram {
    static let word = "serve-store"

    static func run(_ arguments: some Sequence<String>) -> Never {
        let arguments = Array(arguments)
        ServingProcess.prepare()
        do {
            guard let folder = arguments.first else { throw BenchmarkError("a folder is missing") }
            let listener = try FirstThread.wait { try await start(folder, arguments.dropFirst().first) }
            print(listener.endpoint.port ?? 0)
            fflush(nil)
            while readLine() != nil {}
        } catch {
            StandardError.print("till-bench \(word): \(error)")
            exit(1)
        }
        exit(0)
    }

    private static func start(_ folder: String, _ address: String?) async throws -> HTTPListener {
        let databases = try await StoreFolder.databases(in: folder, address)
        // Without one no place in the events means anything, and devices read everything each time.
        try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("bench", in: $0) }
        let keyStore = KeyStore(dataDirectory: folder)
        let keys = try keyStore.load(.sandbox)
        let log = Log(least: .warning, time: BenchClock.now) { entry in
            // A row has a thousand receivers that do not answer.
            guard entry.event != "notification.refused" else { return }
            StandardError.print(LogFormat.text.line(of: entry))
        }
        let verification = try ReceiptVerification(keys, other: keyStore.load(.production), databases)
        let processor = try TestProcessorClient(socketPath: ProcessorProgram.socket(in: folder), secret: "secret")
        let store = EnvironmentStore(
            .sandbox, of: databases, processor: processor,
            signers: try EnvironmentSigners(keys), clocks: StoreClocks(commerce: BenchClock.now, wall: BenchClock.now),
            passwords: PasswordGate(), policy: .byTheCalendar, log: log)
        for topic in [SignalTopic.customerEvents, .purchases] {
            Task { try await store.waiters.follow(topic, of: store.database) }
        }
        Task { await WorkLoop(store, name: "bench").run() }
        Task { await NotifyingStore.sender(of: store, NotificationClient(reachingPrivateAddresses: true)).run() }
        let blobs = try FolderBlobStore(folder: folder + "/blobs")
        let routes =
            DeviceRoutes(store, blobs: BlobSource { blobs }).routes
            + VerifyReceiptRoutes(.sandbox, verification, log: log, clocks: store.clocks).routes
            + ServerAPIRoutes(store, log: log).routes
            + ConsoleRoutes(
                ConsoleServices(
                    [.sandbox: store], histories: [:],
                    catalogue: OperatorAccess(databases.catalogue, now: BenchClock.now), prices: PriceText(),
                    blobs: CatalogueBlobs { blobs }, address: { _ in nil }, options: "", version: "bench",
                    wall: BenchClock.now)
            ).routes + WebAssets.routes
            + StorefrontRoutes(
                store, prices: PriceText(), blobs: BlobSource { blobs }, address: { StoreAddress("http://127.0.0.1:1") }
            ).routes
        return try HTTPListener(
            ListenerConfiguration(.tcp(port: 0), threads: BenchServer.threads), serving: service(routes, log))
    }

    private static func service(_ routes: [Route], _ log: Log) -> HTTPService {
        let clock = ContinuousClock()
        let began = clock.now
        return ListenerService(
            log: log, metrics: RequestMetrics(),
            nanoseconds: {
                let (seconds, fraction) = (clock.now - began).components
                return seconds * 1_000_000_000 + fraction / 1_000_000_000
            }, random: RandomNumbers().next
        ).service(routes, hiding: .none)
    }
}
