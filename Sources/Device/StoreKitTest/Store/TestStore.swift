import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// A whole store in the process of the test, with the app, its products and one customer.
struct TestStore: Sendable {
    private static let address = "http://127.0.0.1:1"

    let bundle: BundleID
    let customer: CustomerID
    let store: EnvironmentStore
    /// What apps talk to, and where faults strike.
    let service: HTTPService
    /// The same without faults.
    let quietService: HTTPService
    let processor: WillingProcessor
    let databases: StoreDatabases
    let notifications = TestNotificationReceiver()

    /// - Parameter snapshot: what the store goes on from; nil for a new one.
    init(
        _ configuration: TestConfiguration, _ values: TestValues, for bundle: BundleID, _ clocks: StoreClocks,
        from snapshot: SKTestSession.Snapshot?
    ) async throws {
        self.bundle = bundle
        processor = WillingProcessor(values)
        let keys = try TestKeys.sandbox.get()
        let now = clocks.commerce()
        if let snapshot {
            databases = try await StoreDatabases.inMemory(.current(), contents: snapshot.databases)
        } else {
            databases = try await StoreDatabases.inMemory(.current())
            try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
        }
        let log = Log(time: clocks.wall) { _ in }
        store = EnvironmentStore(
            .sandbox, of: databases, processor: processor, signers: try EnvironmentSigners(keys), clocks: clocks,
            passwords: PasswordGate(scrypt: .quick), policy: .byTheCalendar, log: log)
        let listener = ListenerService(
            log: log, metrics: RequestMetrics(), nanoseconds: { 0 }, random: { UInt64.random(in: .min ... .max) })
        let routes = DeviceRoutes(store).routes
        service = listener.service(routes, hiding: .none, faults: FaultMiddleware(store))
        quietService = listener.service(routes, hiding: .none)
        if let snapshot {
            customer = snapshot.customer
            // What the databases say of the clock and of faults is known to the process that reads it.
            try await store.faults?.load()
            try await doWhatIsDue()
            return
        }
        customer = try await Accounts(store).create(
            .init(
                email: "tester@example.com", firstName: "Test", lastName: "Customer",
                storefront: StorefrontCode(configuration.file.storefront)), store.cause(.owner)
        ).customer.id
        try await enter(configuration.file, at: now)
    }

    /// Brings the catalogue up to a file.
    func enter(_ file: StoreKitFile, at now: Instant) async throws {
        _ = try await CatalogueImport(CatalogueFile(file), into: bundle, isApproved: true).run(
            in: databases.catalogue, numbers: Numbers(databases.catalogue), at: now)
        guard let key = file.offerKey else { return }
        let bundle = bundle
        try await databases.catalogue.write { transaction in
            guard let app = try Catalogue.app(bundle, in: transaction) else { return }
            guard try !OfferKeys.list(of: app.id, in: transaction).contains(where: { $0.id == key.id }) else { return }
            _ = try OfferKeys.add(
                key.publicKey, as: key.id, isOfTestFile: true, name: "configuration", of: app.id,
                CatalogueChange(.store, at: now, in: transaction))
        }
    }

    /// The provisioning profile of the app, as it is issued.
    func profile() async throws -> String {
        let address = try StoreAddress(parsing: Self.address)
        let issuer = ProfileIssuer(.sandbox, at: { address }, keys: { try TestKeys.sandbox.get() })
        return try await issuer.profile(
            for: BundlePattern(parsing: bundle.text), in: databases.catalogue, now: store.clocks.wall())
    }

    /// The account with an e-mail address, in the storefront of the customer; made if there is none.
    func account(_ email: String) async throws -> CustomerID {
        let (name, own) = (email, customer)
        let (known, storefront) = try await store.database.read { transaction in
            (try? Customers.named(name, in: transaction).id, try Customers.require(own, in: transaction).storefront)
        }
        if let known { return known }
        do {
            return try await Accounts(store).create(
                .init(email: email, firstName: "Another", lastName: "Customer", storefront: storefront),
                store.cause(.owner)
            ).customer.id
        } catch let error as ServiceError {
            throw SKTestError(.invalidAction, "There can be no account \(email): \(error.message)")
        }
    }

    /// Signs an account in on a device of the app; the customer's own if none is given.
    func signIn(_ account: CustomerID? = nil, on device: DeviceID) async throws {
        let id = account ?? customer
        let found = try await store.database.read { transaction in
            try DeviceScope.of(device, in: transaction).map { ($0, try Customers.require(id, in: transaction)) }
        }
        guard let (scope, customer) = found else { return }
        _ = try await Accounts(store).signIn(customer, on: scope, store.cause(.owner))
    }

    func transport(_ service: HTTPService) -> InMemoryTransport {
        let wall = store.clocks.wall
        return InMemoryTransport(service, clock: { wall().millisecondsSinceEpoch * 1_000_000 })
    }

    /// Hands on what is signalled, until the store is closed.
    func follow(on thread: SessionThread) {
        let store = store
        for topic in [SignalTopic.customerEvents, .purchases, .visits, .work, .clocks] {
            thread.start { try? await store.waiters.follow(topic, of: store.database) }
        }
    }

    func close() async {
        await notifications.end()
        await databases.close()
    }
}
