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
import Synchronization
import TestProcessor

/// A store of its own for one scenario: databases in memory, a clock that stands still, random numbers from a seed.
///
/// It has a sandbox that sells, and no production: its catalogue is there, nothing else. Subscriptions go by the calendar, so
/// that a month of the clock is a month.
struct ScenarioWorld: Sendable {
    let connection: AdminConnection
    private let databases: StoreDatabases
    private let store: EnvironmentStore
    private let bank: ScenarioBank
    private let work: Task<Void, Never>

    /// What the clock shows in the beginning, so that dates are the same in every run.
    // Safe: it has the form of a date.
    static let beginning = try! Instant(rfc3339: "2030-01-01T00:00:00Z")

    /// - Parameters:
    ///   - folder: a folder that is there, for what has to be in files.
    ///   - seed: what is drawn at random follows from it.
    init(in folder: String, keys: EnvironmentKeys, seed: UInt64, log: Log) async throws {
        let directory = DataDirectory(folder)
        let databases = try await StoreDatabases.inMemory(.current())
        self.databases = databases
        do {
            for database in [databases.catalogue, databases.production, databases.sandbox] {
                try await database.write { try StoreProperty.beginFirstEpoch("scenario", in: $0) }
            }
            let bank = try await ScenarioBank(in: directory)
            var policy = StorePolicy.byTheCalendar
            // Servers of developers are on this machine.
            policy.hasLocalSandbox = true
            let store = EnvironmentStore(
                .sandbox, of: databases, processor: bank.client, signers: try EnvironmentSigners(keys),
                clocks: StoreClocks(commerce: SystemClock.now, wall: SystemClock.now),
                passwords: PasswordGate(scrypt: .quick), policy: policy, log: log, random: .seeded(by: seed))
            (self.bank, self.store) = (bank, store)
            connection = Self.connection(store, databases, keys, directory, log)
        } catch {
            await databases.close()
            throw error
        }
        work = Task { [store] in await StoreEnvironments.work(store, namesCustomers: false) }
        do {
            for change in [ClockChange(rate: 0), ClockChange(time: Self.beginning, confirmed: true)] {
                _ = try await connection.ask("PATCH", "/sandbox/control/v1/clock", change, as: ClockReport.self)
            }
        } catch {
            await close()
            throw error
        }
    }

    /// The routes that the operator's commands have, over memory.
    private static func connection(
        _ store: EnvironmentStore, _ databases: StoreDatabases, _ keys: EnvironmentKeys, _ directory: DataDirectory,
        _ log: Log
    ) -> AdminConnection {
        let catalogue = CatalogueStore(databases.catalogue, Numbers(databases.catalogue), now: SystemClock.now)
        let blobs = OpenBlobs(directory, .folder, environment: [:])
        let source = BlobSource { try blobs.open() }
        let signers = { @Sendable in [StoreEnvironment.sandbox: store.signers] }
        let sandbox = ControlStore(
            .sandbox, catalogue, proceeds: ProceedsReports(databases.sandbox), sales: store,
            profiles: ProfileIssuer(.sandbox, at: { nil }, keys: { keys }), blobs: source, signers: signers)
        let production = ControlStore(
            .production, catalogue, proceeds: ProceedsReports(databases.production), profiles: nil, blobs: source,
            signers: signers)
        let service = HTTPService(
            [sandbox, production].flatMap { ControlRoutes($0).owned }, errors: JSONErrorForm(),
            explain: APIError.explaining,
            report: { error, _ in log.error("request.failed", "A command failed.", ["reason": "\(error)"]) })
        return AdminConnection(
            isRunning: true, transport: InMemoryTransport(service, clock: SystemClock.nanoseconds1970), end: {})
    }

    func close() async {
        store.waiters.end()
        work.cancel()
        await bank.close()
        await databases.close()
        await work.value
    }

    /// The keys of all worlds of a process, made in a folder: making them takes longer than everything else.
    static func keys(in folder: String) throws -> EnvironmentKeys {
        try DataDirectory.makeFolder(folder)
        let store = KeyStore(dataDirectory: folder)
        _ = try store.create(.sandbox, organization: "Scenario", at: SystemClock.now())
        return try store.load(.sandbox)
    }
}

/// The test processor of a world, in this process.
private struct ScenarioBank: Sendable {
    let client: TestProcessorClient
    private let processor: DurableTestProcessor
    private let listener: HTTPListener
    private let folder: SocketFolder

    init(in directory: DataDirectory) async throws {
        let place = ProcessorFolder(directory, .sandbox)
        try place.directory.make()
        processor = try DurableTestProcessor(
            try await place.open(waiting: 0), actionURL: "http://127.0.0.1:1/actions/")
        folder = try SocketFolder(place.directory)
        let path = folder.path(of: ProcessorFolder.socketName)
        let routes = TestProcessorRoutes(processor, late: .seconds(1), crash: {}, acted: {})
        listener = try HTTPListener(
            ListenerConfiguration(.unix(path), threads: 1),
            serving: HTTPService(routes.routes, errors: JSONErrorForm(), report: { _, _ in }))
        client = try TestProcessorClient(
            socketPath: path, secret: Hexadecimal.encode(try RandomBytes()(32)))
    }

    func close() async {
        await client.shutDown()
        await listener.stop(within: .zero)
        processor.close()
        withExtendedLifetime(folder) {}
    }
}

extension RandomBytes {
    /// Bytes that follow from a seed: the same in every run. Only for stores that are gone with their process.
    fileprivate static func seeded(by seed: UInt64) -> RandomBytes {
        let state = Mutex(seed)
        return RandomBytes { count in
            state.withLock { state in
                (0..<count).map { _ in
                    // SplitMix64, a byte of each step.
                    state &+= 0x9E37_79B9_7F4A_7C15
                    var mixed = state
                    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
                    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
                    return UInt8(truncatingIfNeeded: mixed >> 56)
                }
            }
        }
    }
}
