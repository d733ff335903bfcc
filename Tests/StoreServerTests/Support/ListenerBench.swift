import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import StoreWeb
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

/// The listener of an environment over memory, whole as it runs: devices, operators, receipts.
struct ListenerBench: Sendable {
    static let token = OperatorTokens.token(of: Array(0..<32))
    static let bundle = DemoCatalogue.bundleID
    static let password = "correct horse"

    let databases: StoreDatabases
    let store: EnvironmentStore
    let listener: ListenerRoutes
    /// Those of its routes that are the pages of the storefront.
    let storefront: [Route]
    let time = BenchTime()
    /// What the log said.
    let log = LogOfReasons()
    let console: ConsoleRoutes
    /// Everything that it answers, pages and the owner's routes with it.
    let routes: Router
    private let transport: InMemoryTransport

    /// - Parameters:
    ///   - wrapping: puts something between the routes and the database of the environment.
    ///   - wrappingCatalogue: the same of the catalogue.
    ///   - wait: waits for so long, on pages and where a fault delays.
    init(
        _ environment: StoreEnvironment = .sandbox, processor: any PaymentProcessor = ApprovingProcessor(),
        passwords: PasswordGate = PasswordGate(scrypt: .quick), random: RandomBytes = RandomBytes(),
        waiters: SignalWaiters = SignalWaiters(), propagation: Duration = .zero,
        wrapping: (any Database) -> any Database = { $0 },
        wrappingCatalogue: (any Database) -> any Database = { $0 },
        blobs: (any BlobStore)? = nil, system: StoreSystem? = nil,
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) async throws {
        let plain = try await StoreDatabases.inMemory(.current())
        let databases = StoreDatabases(
            catalogue: wrappingCatalogue(plain.catalogue), production: plain.production, sandbox: plain.sandbox)
        try await databases[environment].write { try StoreProperty.beginFirstEpoch("first", in: $0) }
        try await DemoCatalogue.enter(
            [.monkeyCredits], into: databases.catalogue, numbers: Numbers(databases.catalogue), at: BenchTime.start)
        let (time, entries) = (time, log)
        try await databases.catalogue.write {
            _ = try OperatorTokens.add(
                Self.token, name: "bench", for: environment, CatalogueChange(.owner, at: BenchTime.start, in: $0))
        }
        let sink = { @Sendable (entry: LogEntry) in entries.entries.withLock { $0.append(entry) } }
        let log = Log(time: time.reading, sink: sink)
        var policy = StorePolicy.byTheCalendar
        policy.propagation = propagation
        let keys = try SampleKeys.of(environment)
        let database = wrapping(databases[environment])
        func made(_ environment: StoreEnvironment, _ database: any Database) throws -> EnvironmentStore {
            try .sample(
                environment, of: databases, database: database, processor: processor, wall: time.reading,
                passwords: passwords, policy: policy, waiters: waiters, random: random, log: sink)
        }
        store = try made(environment, database)
        // The console has both.
        let other: StoreEnvironment = environment == .sandbox ? .production : .sandbox
        self.databases = databases
        let profiles = ProfileIssuer(environment, at: { StoreAddress("http://127.0.0.1:1") }, keys: { keys })
        let history = RequestHistory(
            hiding: PaymentSheetRoutes.secrets, keepsBodies: environment == .sandbox, now: time.reading)
        let system = try system ?? .sample(wall: time.reading)
        console = ConsoleRoutes(
            ConsoleServices(
                [environment: store, other: try made(other, databases[other])],
                histories: [environment: history],
                catalogue: OperatorAccess(databases.catalogue, now: time.reading),
                prices: PriceText(), blobs: CatalogueBlobs { blobs },
                profile: { environment, bundle in
                    try await ProfileIssuer(
                        environment, at: { StoreAddress("http://127.0.0.1:1") },
                        keys: { try SampleKeys.of(environment) }
                    ).profile(
                        for: BundlePattern(parsing: bundle.text), in: databases.catalogue, now: time.reading())
                },
                address: { _ in StoreAddress("http://127.0.0.1:1") },
                options: "--data ./bench", version: "1", system: system, wall: time.reading))
        var control = ControlStore(
            environment,
            CatalogueStore(databases.catalogue, Numbers(databases.catalogue), now: time.reading),
            proceeds: ProceedsReports(databases[environment]), sales: store, profiles: profiles,
            blobs: BlobSource { blobs }, history: history,
            signers: { [store] in [environment: store.signers] })
        control.system = system
        let wrapped =
            environment == .sandbox
            ? StoreDatabases(catalogue: databases.catalogue, production: databases.production, sandbox: database)
            : StoreDatabases(catalogue: databases.catalogue, production: database, sandbox: databases.sandbox)
        let receipts = VerifyReceiptRoutes(
            environment, try ReceiptVerification(keys, other: nil, wrapped), log: log, steps: store.steps,
            history: history, clocks: store.clocks)
        storefront =
            StorefrontRoutes(
                store, prices: PriceText(), blobs: BlobSource { blobs },
                address: { StoreAddress("http://127.0.0.1:1") }, wait: wait
            ).routes
        listener = ListenerRoutes(
            version: "1", OperatorRoutes(checks: [], metrics: { [] }, log: log).routes,
            DeviceRoutes(store, hasPages: true).routes,
            ControlRoutes(control).guarded, receipts.routes, PaymentSheetRoutes(store, wait: wait).routes,
            ApprovalRoutes(store).routes,
            storefront,
            ServerAPIRoutes(store, log: log, history: history).routes,
            FeedRoutes(store, blobs: BlobSource { blobs }).routes)
        let front = FrontPage(
            environment, version: "1", options: "--data ./bench", address: { _ in StoreAddress("http://127.0.0.1:1") })
        let service = ListenerService(
            log: log, metrics: RequestMetrics(), nanoseconds: { 0 }, random: { UInt64.random(in: .min ... .max) }
        ).service(
            listener.routes.holdingToDescriptions() + front.routes + console.routes + PartnerPageRoutes(store).routes
                + ControlRoutes(control).owned,
            hiding: PaymentSheetRoutes.secrets.union(ConsoleRoutes.secrets).union(DeviceRoutes.secrets)
                .union(ViewRoutes.secrets),
            history: history, faults: FaultMiddleware(store, history: history, pause: wait),
            errors: front.errors(else: ErrorReference.form))
        routes = service.router
        transport = InMemoryTransport(service, clock: { 0 })
    }

    struct Answer {
        let status: Int
        let fields: HTTPFields
        let text: String
        let json: [String: Any]

        /// The code and the message of an error.
        var code: String? { (json["error"] as? [String: Any])?["code"] as? String }
        var message: String? { (json["error"] as? [String: Any])?["message"] as? String }
        var storeKitCode: Int? { (json["error"] as? [String: Any])?["storeKitCode"] as? Int }
    }

    /// Asks with a token, if there is one.
    func ask(
        _ method: String, _ path: String, _ body: [String: Any]? = nil, token: String? = nil, key: String? = nil
    ) async throws -> Answer {
        var fields = HTTPFields()
        if let token { fields["Authorization"] = "Bearer \(token)" }
        if let key { fields["Idempotency-Key"] = key }
        var content = RequestBody.empty
        if let body {
            fields["Content-Type"] = "application/json"
            content = .collected(Array(try JSONSerialization.data(withJSONObject: body)))
        }
        let response = try await transport.send(TransportRequest(method, path, fields: fields, body: content))
        let bytes = try await response.body.collect()
        let json = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        return Answer(
            status: response.status.rawValue, fields: response.fields, text: String(decoding: bytes, as: UTF8.self),
            json: json ?? [:])
    }

    /// Asks as a browser does: for a page, or with a form.
    func browse(_ path: String, _ form: [String: String]? = nil, _ more: [String: String] = [:]) async throws -> Answer
    {
        var fields = HTTPFields()
        for (name, value) in more { fields[name] = value }
        var content = RequestBody.empty
        if let form {
            fields["Content-Type"] = "application/x-www-form-urlencoded"
            var query = URLComponents()
            query.queryItems = form.map { URLQueryItem(name: $0.key, value: $0.value) }
            content = .collected(Array((query.percentEncodedQuery ?? "").replacing("+", with: "%2B").utf8))
        }
        let request = TransportRequest(form == nil ? "GET" : "POST", path, fields: fields, body: content)
        let response = try await transport.send(request)
        let bytes = try await response.body.collect()
        return Answer(
            status: response.status.rawValue, fields: response.fields, text: String(decoding: bytes, as: UTF8.self),
            json: [:])
    }

    /// Sends a form with a file, as a browser does.
    func upload(_ path: String, _ fields: [String: String], file: [UInt8], called name: String, cookie: String)
        async throws -> Answer
    {
        var body: [UInt8] = []
        for (field, value) in fields {
            body += "--frame\r\nContent-Disposition: form-data; name=\"\(field)\"\r\n\r\n\(value)\r\n".utf8
        }
        body += "--frame\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n".utf8
        body += file + Array("\r\n--frame--\r\n".utf8)
        let fields: HTTPFields = ["Content-Type": "multipart/form-data; boundary=frame", "Cookie": cookie]
        let response = try await transport.send(
            TransportRequest("POST", path, fields: fields, body: .collected(body)))
        let bytes = try await response.body.collect()
        return Answer(
            status: response.status.rawValue, fields: response.fields, text: String(decoding: bytes, as: UTF8.self),
            json: [:])
    }

    /// Asks as the owner of the store.
    func control(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> Answer {
        try await ask(method, "/\(store.environment)/control/v1" + path, body)
    }
}

/// A time that stands until it is moved.
final class BenchTime: Sendable {
    static let start = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private let instant = Mutex(start)

    var current: Instant { instant.withLock { $0 } }
    var reading: @Sendable () -> Instant { { self.current } }

    func pass(_ duration: Duration) { instant.withLock { $0 = $0 + duration } }
}
