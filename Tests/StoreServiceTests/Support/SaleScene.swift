import Foundation
import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import Synchronization
import Testing

/// A sandbox with a processor that can be told to fail, and clocks that stand until they are moved.
struct SaleScene: Sendable {
    let store: EnvironmentStore
    let processor: ScriptedProcessor
    let time: SceneTime

    var charges: ChargeDriver { ChargeDriver(store) }
    var checkout: Checkout { Checkout(store) }
    var cause: ChangeCause { store.cause(.customer) }

    init(
        _ databases: StoreDatabases, database: (any Database)? = nil, environment: StoreEnvironment = .sandbox,
        subscriptions: SubscriptionTerms = SubscriptionTerms(scale: .calendar),
        waiters: SignalWaiters = SignalWaiters(), log: @escaping @Sendable (LogEntry) -> Void = { _ in }
    ) throws {
        try self.init(
            databases, database: database, environment: environment, subscriptions: subscriptions,
            processor: ScriptedProcessor(), time: SceneTime(), waiters: waiters, log: log)
    }

    init(
        _ databases: StoreDatabases, database: (any Database)?, environment: StoreEnvironment = .sandbox,
        subscriptions: SubscriptionTerms = SubscriptionTerms(scale: .calendar),
        processor: ScriptedProcessor, time: SceneTime, waiters: SignalWaiters = SignalWaiters(),
        log: @escaping @Sendable (LogEntry) -> Void = { _ in }
    ) throws {
        self.processor = processor
        self.time = time
        var policy = StorePolicy()
        policy.sandboxSubscriptions = subscriptions
        store = try .sample(
            environment, of: databases, database: database, processor: processor, signers: Self.signers.get(),
            wall: time.reading, policy: policy, waiters: waiters, log: log)
    }

    /// Runs a test on an engine.
    static func on<Result>(_ engine: StoreEngine, _ body: (SaleScene) async throws -> Result) async throws -> Result {
        try await engine.withStore { databases in
            try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
            return try await body(SaleScene(databases))
        }
    }

    /// Keys take long to make, so all scenes have the same.
    private static let signers = Result<EnvironmentSigners, any Error> {
        let folder = FileManager.default.temporaryDirectory.path + "/till-road-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keys = KeyStore(dataDirectory: folder)
        _ = try keys.create(.sandbox, organization: "Corner Shop", at: SceneTime.start)
        return try EnvironmentSigners(keys.load(.sandbox))
    }
}

/// A time that stands until it is moved, for both clocks.
final class SceneTime: Sendable {
    static let start = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private let instant = Mutex(start)

    var current: Instant { instant.withLock { $0 } }
    var reading: @Sendable () -> Instant { { self.current } }

    func pass(_ duration: Duration) { instant.withLock { $0 = $0 + duration } }
}

// MARK: What people and devices do

extension SaleScene {
    /// A customer with a means of payment.
    func customer(pays method: String? = "approve", in storefront: String = "USA") async throws -> CustomerID {
        let id = try CustomerID(number: await store.numbers.next(.customers))
        let methodID = try PaymentMethodID(number: await store.numbers.next(.paymentMethods))
        let record = try #require(StorefrontRecord.storefront(alpha3: storefront))
        let now = time.current
        try await store.database.write { transaction in
            let new = try NewCustomer(
                email: EmailAddress("customer\(id)@example.com"), firstName: "Ada", lastName: "Byron",
                storefront: record)
            _ = try Customers.create(new, as: id, of: .tester, at: now, in: transaction)
            guard let method else { return }
            try Customers.add(
                methodID, processor: "test", token: method, label: method, to: id, at: now, in: transaction)
        }
        return id
    }

    /// Lets a customer pay with something else from now on.
    func addMethod(_ method: String, to customer: CustomerID) async throws {
        _ = try await Accounts(store).addPaymentMethod(
            method, label: nil, to: customer.description, store.cause(.owner))
    }

    /// An app with a consumable, for what looks into the catalogue.
    func enterShop() async throws {
        let (now, numbers) = (time.current, Numbers(store.catalogue))
        let ids = try await numbers.next(2, of: .items)
        try await store.catalogue.write { transaction in
            let app = try Catalogue.addApp(
                AppID(number: ids[0]), BundleID(parsing: "com.example.shop"), name: "Shop", primaryLanguage: "en-US",
                CatalogueChange(.store, at: now, in: transaction))
            let draft = try ProductDraft(
                ProductID(parsing: "com.example.shop.coins"), .consumable, referenceName: "Coins",
                texts: ["en-US": ProductText(title: "Coins", description: "Ten coins")],
                prices: [StorefrontCode(rawValue: "USA"): Money(minorUnits: 99, currency: .usd)])
            _ = try Catalogue.put(
                draft, of: app.id, number: { try ItemID(number: ids[1]) }, isApproved: true,
                CatalogueChange(.store, at: now, in: transaction))
        }
    }

    /// A device of an app, with somebody signed in or nobody.
    func device(_ customer: CustomerID?, app: Int64 = 42) async throws -> DeviceScope {
        try await registered(customer, app: app).scope
    }

    /// The same with the token that it asks with.
    func registered(
        _ customer: CustomerID?, app: Int64 = 42, profileRevision: Int? = nil
    ) async throws -> (scope: DeviceScope, token: DeviceToken) {
        let drawn = try Devices.Drawn(
            id: DeviceID(number: await store.numbers.next(.devices)),
            appTransaction: AppTransactionID(number: await store.numbers.next(.appTransactions(of: .sandbox))),
            token: DeviceToken(random: store.random))
        let order = try RegistrationRequest(
            bundle: BundleID(parsing: "com.example.app\(app)"), publicKey: PrivateKey.p256().publicKey, statement: "",
            signature: [],
            signedAt: time.current, identifier: [UInt8](repeating: 7, count: 16), vendorIdentifier: "vendor",
            appVersion: "1.0", language: "en-US", storefront: #require(StorefrontRecord.storefront(alpha3: "USA")),
            isSimulator: false)
        let now = time.current
        let scope = try await store.database.write { transaction in
            let scope = try Devices.register(
                order, app: AppID(number: app), profileRevision: profileRevision, drawn, at: now, in: transaction)
            guard let customer else { return scope }
            return try Devices.signIn(Customers.require(customer, in: transaction), on: scope, at: now, in: transaction)
        }
        return (scope, drawn.token)
    }

    func order(_ item: SoldItem, key: PurchaseKey = PurchaseKey(UUID()), quantity: Int = 1) throws -> CheckoutRequest {
        CheckoutRequest(
            key: key, item: item, quantity: quantity, accountToken: nil,
            confirmation: try Confirmation(random: store.random))
    }

    func open(_ order: CheckoutRequest, on scope: DeviceScope) async throws -> BoughtPurchase {
        let id = try PurchaseID(number: await store.numbers.next(.purchases))
        let cause = cause
        return try await store.database.write(isolation: .snapshot) { transaction in
            try BoughtPurchase(
                Purchases.open(order, as: id, in: scope, cause.change(in: scope, transaction)), in: transaction)
        }
    }

    /// The customer says yes.
    func confirm(_ id: PurchaseID) async throws -> BoughtPurchase {
        _ = try await checkout.confirm(id.sale, cause) { _, _ in true }
        return try await purchase(id)
    }

    /// The customer says no.
    func cancel(_ id: PurchaseID) async throws -> BoughtPurchase {
        _ = try await checkout.cancel(id.sale, cause)
        return try await purchase(id)
    }

    func settleAsVoided(_ id: PurchaseID, because reason: String, request: String?) async throws -> BoughtPurchase {
        let ended = try await charges.settleAsVoided(
            id.description, because: reason, store.cause(.owner, request: request))
        return try await purchase(ended.purchase)
    }

    /// Something happens to a purchase.
    func say(_ event: Purchase.Event, of id: PurchaseID) async throws -> BoughtPurchase {
        let cause = cause
        try await store.database.write { transaction in
            let purchase = try Purchases.require(id, in: transaction)
            try Purchases.handle(event, of: purchase, cause.change(of: purchase.customer, in: transaction))
        }
        return try await purchase(id)
    }

    /// Opens a purchase and says yes.
    func buy(_ item: SoldItem, on scope: DeviceScope, quantity: Int = 1) async throws -> BoughtPurchase {
        let opened = try await open(order(item, quantity: quantity), on: scope)
        return opened.state == .confirmation ? try await confirm(opened.id) : opened
    }

    func purchase(_ id: PurchaseID) async throws -> BoughtPurchase {
        try await store.database.read { try BoughtPurchase(Purchases.require(id, in: $0), in: $0) }
    }

    /// Looks after a charge as recovery does; gives the purchase then.
    @discardableResult
    func look(after id: PurchaseID) async throws -> BoughtPurchase {
        _ = try await charges.look(after: id.sale.charge)
        return try await purchase(id)
    }

    func history(_ id: PurchaseID) async throws -> [SaleHistoryEntry] {
        try await store.database.read { try SaleStatus.require(id.sale, in: $0).history(in: $0) }
    }

    func refund(_ id: TransactionID?, _ intent: RefundIntent = .full(.other)) async throws -> StoredRefund {
        try await RefundDriver(store).refund(intent, of: #require(id), store.cause(.owner))
    }

    /// Revokes a transaction; says whether it was not revoked before.
    func revoke(_ id: TransactionID) async throws -> Bool {
        let cause = store.cause(.owner)
        return try await store.database.write { transaction in
            let found = try Transactions.require(id, in: transaction)
            return try Refunds.revoke(found, reason: .other, cause.change(of: found.customerID, in: transaction))
        }
    }

    func transaction(_ id: TransactionID?) async throws -> StoreTransaction {
        try #require(
            try await store.database.read { transaction in
                try id.flatMap { try Transactions.find($0, in: transaction) }
            })
    }

    func finish(_ id: TransactionID?, on scope: DeviceScope) async throws {
        let (id, cause) = (try #require(id), cause)
        try await store.database.write {
            try Transactions.finish(
                id, of: scope.requireCustomerScope(), on: scope.device, cause.change(in: scope, $0))
        }
    }

    /// All events of the customer of a device.
    func events(_ scope: DeviceScope, after cursor: EventCursor? = nil) async throws -> [CustomerEvent] {
        try await store.database.read { transaction in
            let start =
                try cursor
                ?? EventCursor(
                    epoch: StoreProperty.epoch(in: transaction) ?? "", customer: scope.requireCustomer(), number: 0)
            return try CustomerEvents.page(
                after: start, of: scope.requireCustomerScope(), on: scope.device, limit: 1000, in: transaction
            ).events
        }
    }

    func entitlements(_ scope: DeviceScope) async throws -> [StoreTransaction] {
        let now = time.current
        return try await store.database.read {
            try Transactions.entitlements(of: scope.requireCustomerScope(), at: now, in: $0)
        }
    }

    func restore(_ scope: DeviceScope) async throws -> [StoreTransaction] {
        let cause = cause
        let ids = try await store.numbers.next(20, of: .transactions(of: .sandbox)).map {
            try TransactionID(number: $0)
        }
        return try await store.database.write {
            try Transactions.restore(
                scope.requireCustomerScope(), on: scope.device, as: ids, cause.change(in: scope, $0)
            ).map(\.copy)
        }
    }

    /// Does what is due by a clock, until nothing is.
    func work(by clock: ClockID = .wall) async throws {
        let scheduler = WorkScheduler(
            store.database, handlers: Recovery(store).handlers, name: UUID().uuidString, wallTime: time.reading)
        while try await !scheduler.runRound(clock: clock, at: time.current).isEmpty {}
    }

    func check(withProcessor: Bool = true, page: Int = 1000) async throws -> LedgerReport {
        try await LedgerCheck(store.database, page: page).run(comparedWith: withProcessor ? processor : nil)
    }

    func count(_ statement: SQL) async throws -> Int {
        try await store.database.read { try $0.value(statement, as: Int.self) }
    }
}

/// A purchase with its charge, as tests look at it.
struct BoughtPurchase: Equatable {
    let stored: StoredPurchase
    let charge: StoredCharge?

    init(_ stored: StoredPurchase, in transaction: any ReadTransaction) throws {
        self.stored = stored
        charge = try Charges.find(stored.id.sale.charge, in: transaction)
    }

    var id: PurchaseID { stored.id }
    var state: Purchase.State { stored.state }
    var failure: PurchaseFailure? { stored.rules.failure }
    var transaction: TransactionID? { stored.transaction }
    var code: String? { stored.code }
    var customer: CustomerID? { stored.customer }
    var total: Money { stored.total }
    var historyCount: Int { stored.historyCount }
    var authorisation: String? { charge?.rules.authorisation }
}

extension SoldItem {
    static func sample(
        _ kind: ProductKind, _ number: Int64 = 1001, cents: Int64 = 199, currency: Currency = .usd,
        period: String? = nil, storefront: String = "USA"
    ) throws -> SoldItem {
        SoldItem(
            id: try ItemID(number: number), product: try ProductID(parsing: "com.example.item\(number)"), kind: kind,
            period: try (period ?? (kind == .autoRenewable ? "P1M" : nil)).map { try BillingPeriod(parsing: $0) },
            group: kind == .autoRenewable ? try SubscriptionGroupID(parsing: "20001") : nil,
            unitPrice: Money(minorUnits: cents, currency: currency),
            storefront: StorefrontCode(rawValue: storefront))
    }
}
