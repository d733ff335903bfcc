import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import TestProcessor

/// A store on disk with a processor of its own and many monthly subscriptions, whose clock is advanced.
final class SubscribedStore: Contestant {
    private let folder: StoreFolder
    private let processor: ServerProcess
    private let databases: StoreDatabases
    private let store: EnvironmentStore
    private let subscribers: Int
    private static let plan = "\(StoreFolder.bundle).monthly"
    /// How many customers subscribe at a time.
    private static let together = 64

    init(subscribers: Int) throws {
        let folder = try StoreFolder(customers: subscribers)
        let processor = try ServerProcess(processorOf: folder)
        (self.folder, self.processor, self.subscribers) = (folder, processor, subscribers)
        (databases, store) = try FirstThread.wait {
            let databases = try await StoreFolder.databases(in: folder.path, nil)
            try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("bench", in: $0) }
            try await databases.catalogue.write { try Self.addPlan(in: $0) }
            let client = try TestProcessorClient(
                socketPath: ProcessorProgram.socket(in: folder.path), secret: "secret")
            let store = EnvironmentStore(
                .sandbox, of: databases, processor: client,
                signers: try EnvironmentSigners(folder.keys),
                clocks: StoreClocks(commerce: BenchClock.now, wall: BenchClock.now), passwords: PasswordGate(),
                policy: .byTheCalendar,
                log: Log(least: .warning, time: BenchClock.now) { StandardError.print(LogFormat.text.line(of: $0)) })
            try await Self.subscribe(subscribers, in: store)
            return (databases, store)
        }
    }

    private static func addPlan(in transaction: any WriteTransaction) throws {
        let draft = try ProductDraft(
            ProductID(parsing: plan), .autoRenewable, referenceName: "Monthly", period: .oneMonth,
            groupID: SubscriptionGroupID(parsing: "20001"),
            texts: ["en-US": ProductText(title: "Monthly", description: "Bananas every month.")],
            basePrice: Money(minorUnits: 499, currency: .usd))
        try Catalogue.put(
            draft, of: AppID(number: 42), number: { try ItemID(number: 1007) }, isApproved: true,
            CatalogueChange(.store, at: BenchClock.start, in: transaction))
    }

    private static func subscribe(_ count: Int, in store: EnvironmentStore) async throws {
        let (checkout, bundle) = (Checkout(store), try BundleID(parsing: StoreFolder.bundle))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in 1...together {
                group.addTask {
                    for customer in stride(from: first, through: count, by: together) {
                        let selection = try Checkout.Selection(product: plan, quantity: nil, accountToken: nil)
                        let sold = try await checkout.sell(
                            selection, to: "\(customer)", app: bundle, key: nil, store.cause(.owner))
                        guard sold.status.bought != nil else {
                            throw BenchmarkError("a customer could not subscribe: \(sold.status.state)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Lets a month go by, however long that takes.
    func run(seconds: Double) throws -> Rate { try renew(months: 1) }

    /// Lets so many months go by, and gives how many subscriptions were renewed in how long.
    func renew(months: Int) throws -> Rate {
        let (store, step) = (store, ClockStep(text: "\(months)mo"))
        guard let step else { throw BenchmarkError("\(months) months are no step of a clock") }
        return try FirstThread.wait { [subscribers] in
            let before = try await Self.renewals(store)
            let clock = ContinuousClock()
            let start = clock.now
            let report = try await Clocks(store).advance(nil, by: step, store.cause(.owner))
            let elapsed = (clock.now - start) / .seconds(1)
            let renewed = try await Self.renewals(store) - before
            guard report.keptBusyBy == nil, renewed == months * subscribers else {
                throw BenchmarkError(
                    "in \(months) months \(subscribers) subscriptions were renewed \(renewed) times, kept busy by "
                        + "\(report.keptBusyBy ?? "nothing")")
            }
            return Rate(operations: renewed, seconds: elapsed)
        }
    }

    private static func renewals(_ store: EnvironmentStore) async throws -> Int {
        try await store.database.read {
            try $0.value("SELECT count(*) FROM store_transaction WHERE reason = 'RENEWAL'", as: Int.self)
        }
    }

    /// Lets a year go by month after month, and prints how long that takes.
    static func printYear(of subscribers: Int) throws {
        let store = try SubscribedStore(subscribers: subscribers)
        var whole = Rate(operations: 0, seconds: 0)
        print("month  renewals       /s")
        for month in 1...12 {
            let rate = try store.renew(months: 1)
            whole = Rate(operations: whole.operations + rate.operations, seconds: whole.seconds + rate.seconds)
            print([month, rate.operations, Int(rate.perSecond)].map { Self.right("\($0)") }.joined())
        }
        print(
            "\(subscribers) monthly subscriptions lived for a year in \(Int(whole.seconds)) s: \(whole.operations) renewals, "
                + "\(Int(whole.perSecond)) a second")
    }

    private static func right(_ text: String) -> String {
        String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}
