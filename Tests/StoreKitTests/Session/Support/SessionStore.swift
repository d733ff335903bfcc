import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreServer
import StoreService
import StoreSigning
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// A whole store for sessions: the demo's products, the tester Ada, and a processor that counts.
struct SessionStore: Sendable {
    /// Tests sign in often.
    private static var cheap: Scrypt { get throws { try Scrypt(logarithmicCost: 4, blockSize: 8, parallelism: 1) } }
    private static let token = OperatorTokens.token(of: Array(0..<32))
    static let email = "ada@example.com"
    static let password = "correct horse"
    static let credits = "com.example.monkeycredits.credits5"
    static let jungle = "com.example.monkeycredits.jungle"
    static let club = "com.example.monkeycredits.club"

    let databases: StoreDatabases
    let store: EnvironmentStore
    let service: HTTPService
    let processor = CountingProcessor()
    let time = SessionTime()
    let environment: StoreEnvironment
    /// The time of the environment, if it is not that of the wall.
    let commerce = Shared<Duration>(.zero)
    /// Where hosted content is.
    let blobs: (any BlobStore)?
    private let blobFolder: TemporaryBlobs
    /// Wakes requests that wait for news, as a store does that is served.
    private let followers: SignalFollowers

    init(_ environment: StoreEnvironment = .sandbox) async throws {
        self.environment = environment
        let (databases, time, commerce) = (try await StoreDatabases.inMemory(.current()), time, commerce)
        try await databases[environment].write { try StoreProperty.beginFirstEpoch("first", in: $0) }
        try await DemoCatalogue.enter(
            [.monkeyCredits], into: databases.catalogue, numbers: Numbers(databases.catalogue), at: SessionTime.start)
        let log = Log(time: time.reading) { _ in }
        store = try .sample(
            environment, of: databases, processor: processor, commerce: { time.current + commerce.value },
            wall: time.reading)
        self.databases = databases
        blobFolder = TemporaryBlobs()
        let blobs = try FolderBlobStore(folder: blobFolder.path)
        self.blobs = blobs
        followers = SignalFollowers(store)
        try await databases.catalogue.write {
            _ = try OperatorTokens.add(
                Self.token, name: "bench", for: environment, CatalogueChange(.owner, at: SessionTime.start, in: $0))
        }
        let profiles = ProfileIssuer(
            environment, at: { StoreAddress("http://127.0.0.1:1") }, keys: { try SampleKeys.of(environment) })
        let control = ControlStore(
            environment,
            CatalogueStore(databases.catalogue, Numbers(databases.catalogue), now: time.reading),
            proceeds: ProceedsReports(databases[environment]), sales: store, profiles: profiles)
        service = ListenerService(
            log: log, metrics: RequestMetrics(), nanoseconds: { 0 }, random: { UInt64.random(in: .min ... .max) }
        ).service(
            (DeviceRoutes(store, blobs: BlobSource { blobs }).routes + ControlRoutes(control).owned)
                .holdingToDescriptions(),
            hiding: .none)
        try await addCustomer(Self.email)
    }

    func addCustomer(_ email: String, storefront: String = "USA") async throws {
        let id = try CustomerID(number: await store.numbers.next(.customers))
        let customer = try NewCustomer(
            email: EmailAddress(email), firstName: "Ada", lastName: "Monkey",
            storefront: try #require(StorefrontRecord.storefront(alpha3: storefront)),
            passwordHash: try PasswordHash(Self.password, scrypt: Self.cheap).text)
        let method = try PaymentMethodID(number: await store.numbers.next(.paymentMethods))
        _ = try await store.database.write { transaction in
            _ = try Customers.create(customer, as: id, of: .tester, at: SessionTime.start, in: transaction)
            try Customers.add(
                method, processor: "test", token: "test_approved", label: "Test card", to: id, at: SessionTime.start,
                in: transaction)
        }
    }

    var transport: InMemoryTransport {
        let time = time
        return InMemoryTransport(service, clock: { time.current.millisecondsSinceEpoch * 1_000_000 })
    }

    /// Asks as whoever looks after the store.
    func control(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> [String: Any] {
        var fields: HTTPFields = [:]
        var content = RequestBody.empty
        if let body {
            fields["Content-Type"] = "application/json"
            content = .collected(Array(try JSONSerialization.data(withJSONObject: body)))
        }
        let response = try await transport.send(
            TransportRequest(method, "/\(store.environment)/control/v1" + path, fields: fields, body: content))
        let bytes = Data(try await response.body.collect())
        #expect((200..<300).contains(response.status.rawValue), "\(String(decoding: bytes, as: UTF8.self))")
        return try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
    }

    /// Does what is due.
    func work() async throws {
        let scheduler = WorkScheduler(
            store.database, handlers: Recovery(store).handlers, name: UUID().uuidString, wallTime: time.reading)
        for clock in [ClockID.environment, .wall] {
            while try await !scheduler.runRound(clock: clock, at: time.current).isEmpty {}
        }
    }

    /// Sells something to the customer for no device.
    func sell(_ product: String = SessionStore.credits) async throws {
        _ = try await control(
            "POST", "/purchases",
            ["customer": Self.email, "bundleId": DemoCatalogue.bundleID, "productId": product])
    }

    /// Says yes to a purchase elsewhere.
    func approve(_ code: String) async throws {
        _ = try await control("POST", "/approvals", ["code": code, "isApproved": true])
    }

    /// A profile of the demo's app.
    func profile(at address: String = "http://127.0.0.1:1") async throws -> SessionProfile {
        let text = try await profileText("com.example.monkeycredits", at: address)
        return try SessionProfile(text, bundle: nil)
    }

    func profileText(_ pattern: String, at address: String = "http://127.0.0.1:1") async throws -> String {
        let address = try StoreAddress(parsing: address)
        let environment = environment
        let issuer = ProfileIssuer(environment, at: { address }, keys: { try SampleKeys.of(environment) })
        return try await issuer.profile(
            for: BundlePattern(parsing: pattern), in: databases.catalogue, now: SessionTime.start)
    }

    /// How much has happened that the customers' devices are told.
    func eventCount() async throws -> Int64 {
        try await store.database.read { try $0.value("SELECT count(*) FROM customer_event", as: Int64.self) }
    }

    /// How many transactions there are, restored ones left out, and how many of all nobody has finished.
    func counts() async throws -> (sold: Int, unfinished: Int) {
        try await store.database.read { transaction in
            let sold = try transaction.value(
                "SELECT count(*) FROM store_transaction WHERE restored_id IS NULL", as: Int.self)
            let all = try transaction.value("SELECT count(*) FROM store_transaction", as: Int.self)
            let finished = try transaction.value("SELECT count(*) FROM transaction_finish", as: Int.self)
            return (sold, all - finished)
        }
    }
}

/// A folder for blobs, as long as somebody holds it.
private final class TemporaryBlobs: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/till-blobs-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Hands on what the database signals, as long as somebody holds it.
private final class SignalFollowers: Sendable {
    private let tasks: [Task<Void, any Error>]

    init(_ store: EnvironmentStore) {
        let (waiters, database) = (store.waiters, store.database)
        tasks = [SignalTopic.customerEvents, .purchases, .visits, .clocks].map { topic in
            Task { try await waiters.follow(topic, of: database) }
        }
    }

    deinit {
        for task in tasks { task.cancel() }
    }
}

/// A value behind a lock, in a class.
final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock { $0 } }

    func set(_ value: Value) { state.withLock { $0 = value } }
}

/// A time that stands until it is moved.
final class SessionTime: Sendable {
    static let start = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private let instant = Mutex(start)

    var current: Instant { instant.withLock { $0 } }
    var reading: @Sendable () -> Instant { { self.current } }

    func pass(_ duration: Duration) { instant.withLock { $0 = $0 + duration } }
}

/// A processor that takes every payment and counts what it took. As with any, a key has one effect, and a repeated question
/// gets the first answer.
final class CountingProcessor: PaymentProcessor {
    private let captured = Mutex<[String: Set<String>]>([:])

    /// How often each payment that was authorised was charged.
    var charges: [Int] { captured.withLock { $0.values.map(\.count) } }

    func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome {
        order.method == "test_declined" ? .declined(.cardDeclined) : .approved(reference: order.key)
    }

    func capture(key: String, reference: String, amount: Money) async throws(ProcessorError) -> CaptureOutcome {
        captured.withLock { _ = $0[reference, default: []].insert(key) }
        return .captured(reference: key)
    }

    func void(key: String, reference: String) async throws(ProcessorError) {}

    func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
        .refunded(reference: key)
    }

    func lookup(key: String) async throws(ProcessorError) -> LookupOutcome { .nothing }

    func news(
        field: (String) -> String?, body: [UInt8], at time: Instant
    ) throws(ProcessorError) -> ProcessorNews {
        throw ProcessorError(.newsRefused, "It has no news.")
    }
}
