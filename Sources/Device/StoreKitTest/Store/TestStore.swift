import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// A whole store in the process of the test, with the app, its products and one customer.
struct TestStore: Sendable {
    /// What a store keeps of a price, of which no test hears.
    private static let commission: (part: Int64, whole: Int64) = (30, 100)
    private static let address = "http://127.0.0.1:1"

    let bundle: BundleID
    let customer: CustomerID
    let store: EnvironmentStore
    /// What apps talk to.
    let service: HTTPService
    /// What whoever looks after the store talks to.
    let control: HTTPService
    private let databases: StoreDatabases

    init(_ configuration: TestConfiguration, for bundle: BundleID, _ clocks: StoreClocks) async throws {
        self.bundle = bundle
        let keys = try TestKeys.sandbox.get()
        let now = clocks.commerce()
        databases = try await StoreDatabases.inMemory(.current())
        try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
        let log = Log(time: clocks.wall) { _ in }
        store = EnvironmentStore(
            .sandbox, database: databases.sandbox, catalogue: databases.catalogue, processor: WillingProcessor(),
            signers: try EnvironmentSigners(keys), clocks: clocks, passwords: PasswordGate(),
            commission: try Proportion(Self.commission.part, outOf: Self.commission.whole), wakes: Wakes(), log: log)
        let listener = ListenerService(
            log: log, metrics: RequestMetrics(), nanoseconds: { 0 }, random: { UInt64.random(in: .min ... .max) })
        service = listener.service(DeviceRoutes(store).routes, hiding: [])
        control = listener.service(SaleRoutes(store).routes, hiding: [])
        customer = try CustomerID(number: await store.numbers.next(.customers))
        try await enter(configuration.file, at: now)
        try await addCustomer(configuration.file.storefront, at: now)
    }

    /// Brings the catalogue up to a file.
    func enter(_ file: StoreKitFile, at now: Instant) async throws {
        _ = try await ProductImport(file, into: bundle, isApproved: true).run(
            in: databases.catalogue, numbers: Numbers(databases.catalogue), at: now)
    }

    private func addCustomer(_ storefront: StorefrontRecord, at now: Instant) async throws {
        let new = try NewCustomer(
            email: EmailAddress("tester@example.com"), firstName: "Test", lastName: "Customer", storefront: storefront)
        let (id, method) = (customer, try await store.numbers.next(.paymentMethods))
        try await store.database.write { transaction in
            _ = try Customers.create(new, as: id, of: .tester, at: now, in: transaction)
            try Customers.add(
                method, processor: "test", token: "test", label: "Test card", to: id, at: now, in: transaction)
        }
    }

    /// The provisioning profile of the app, as it is issued.
    func profile() async throws -> String {
        let address = try StoreAddress(parsing: Self.address)
        let issuer = ProfileIssuer(.sandbox, at: { address }, keys: { try TestKeys.sandbox.get() })
        return try await issuer.profile(
            for: BundlePattern(parsing: bundle.text), in: databases.catalogue, now: store.clocks.wall())
    }

    /// Signs the customer in on the device of the app.
    func signIn(on device: DeviceID) async throws {
        let id = customer
        try await store.database.write { transaction in
            guard let scope = try DeviceScope.of(device, in: transaction) else { return }
            _ = try Devices.signIn(Customers.require(id, in: transaction), on: scope, in: transaction)
        }
    }

    func transport(_ service: HTTPService) -> InMemoryTransport {
        let wall = store.clocks.wall
        return InMemoryTransport(service, clock: { wall().millisecondsSinceEpoch * 1_000_000 })
    }

    /// Hands on what is signalled, until the store is closed.
    func follow(_ topic: SignalTopic) async {
        try? await store.wakes.follow(topic, of: store.database)
    }

    func close() async { await databases.close() }
}
