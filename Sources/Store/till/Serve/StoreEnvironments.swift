import Foundation
import StoreDatabase
import StoreFoundation
import StoreLog
import StoreModel
import StoreRules
import StoreServer
import StoreService
import StoreSigning
import Synchronization

/// Both running environments of a store, and their background work.
final class StoreEnvironments: Sendable {
    private let stores: [StoreEnvironment: EnvironmentStore]
    private let receipts: [StoreEnvironment: ReceiptVerification]
    /// What keeps the keys of each environment as they are in their folder.
    let keyWatches: [StoreEnvironment: KeyWatch]

    /// - Parameters:
    ///   - keys: those of each environment.
    ///   - folder: where they are read anew.
    ///   - processors: the processor of each environment.
    init(
        _ databases: StoreDatabases, keys: [StoreEnvironment: EnvironmentKeys], from folder: KeySource,
        processors: StoreProcessors, policy: StorePolicy, log: Log
    ) throws {
        // Both environments share one gate for passwords: it limits the load of the machine.
        let passwords = PasswordGate()
        let stores = try keys.reduce(into: [StoreEnvironment: EnvironmentStore]()) { stores, entry in
            let (environment, keys) = entry
            stores[environment] = EnvironmentStore(
                environment, of: databases, processor: processors[environment], signers: try EnvironmentSigners(keys),
                clocks: StoreClocks(commerce: SystemClock.now, wall: SystemClock.now), passwords: passwords,
                policy: policy, log: log)
        }
        let receipts = try keys.reduce(into: [StoreEnvironment: ReceiptVerification]()) { receipts, entry in
            let (environment, own) = entry
            // Receipts of the other environment are recognized, and answered with its status.
            let other = keys.first { $0.key != environment }?.value
            receipts[environment] = try ReceiptVerification(own, other: other, databases)
        }
        (self.stores, self.receipts) = (stores, receipts)
        let current = CurrentKeys(keys)
        keyWatches = keys.reduce(into: [:]) { watches, entry in
            let (environment, own) = entry
            guard let store = stores[environment] else { return }
            watches[environment] = KeyWatch(
                store, own, as: folder.server, load: { try folder.load(environment) },
                take: { keys in
                    store.take(try EnvironmentSigners(keys))
                    // Receipts of one environment are told from those of the other by both.
                    for (one, own, other) in current.taking(keys) { try receipts[one]?.take(own, other: other) }
                })
        }
    }

    /// Takes the keys as they are in their folder, without what any server has revoked.
    func refreshKeys() async throws {
        for watch in keyWatches.values { try await watch.refresh() }
    }

    /// Says that this server is there no more.
    func leave() async {
        for watch in keyWatches.values { await watch.leave() }
    }

    subscript(environment: StoreEnvironment) -> EnvironmentStore? { stores[environment] }

    func receipts(of environment: StoreEnvironment) -> ReceiptVerification? { receipts[environment] }

    /// Lets what processes had in hand that were killed go on at once. Only where no other process has the databases open.
    func takeOver() async throws {
        for store in stores.values { try await Recovery(store).takeOver() }
    }

    /// Recovers what was under way, forwards signals and does due work, until the task is cancelled.
    ///
    /// - Parameter namesCustomers: whether the log calls customers by their addresses.
    func work(namesCustomers: Bool) async {
        await withTaskGroup { group in
            for watch in keyWatches.values { group.addTask { await watch.run() } }
            for store in stores.values {
                group.addTask { await Self.work(store, namesCustomers: namesCustomers) }
            }
        }
    }

    /// Does the work of one environment until the task is cancelled.
    static func work(_ store: EnvironmentStore, namesCustomers: Bool) async {
        await withTaskGroup { group in
            group.addTask { await Self.follow(.keys, store) }
            group.addTask { await Self.tell(StoreNews(store, namesCustomers: namesCustomers), store) }
            group.addTask { await Self.follow(.customerEvents, store) }
            group.addTask { await Self.follow(.purchases, store) }
            group.addTask { await Self.follow(.visits, store) }
            group.addTask { await Self.follow(.heardNotifications, store) }
            group.addTask { await Self.follow(.work, store) }
            group.addTask { await Self.follow(.clocks, store) }
            group.addTask { await Self.followClock(of: store) }
            group.addTask { await Self.send(store) }
            group.addTask { await Self.followFaults(of: store) }
            group.addTask {
                do {
                    try await Recovery(store).run()
                    try await Removal.begin(at: store.clocks.wall(), in: store.database)
                } catch  where !Task.isCancelled {
                    store.log.error(
                        "recovery.failed", "What was under way could not all be looked after.",
                        ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
                } catch {
                    // The store is being stopped; the next start recovers the rest.
                    return
                }
                await WorkLoop(store, name: "\(getpid())/\(UUID().uuidString)").run()
            }
        }
    }

    /// Ends the requests that wait for events, and lets none wait any more.
    func endWaits() {
        for store in stores.values { store.waiters.end() }
    }

    /// Returns when nobody sends notifications any more, which is soon after ``endWaits()``.
    func finishSending() async {
        for store in stores.values { await store.notifying.ended(within: .seconds(5)) }
    }

    /// Sends notifications to servers of developers until the store is being stopped.
    private static func send(_ store: EnvironmentStore) async {
        let client = NotificationClient(
            reachingPrivateAddresses: store.policy.reachesPrivateAddresses(in: store.environment))
        let forms = NotificationForms(store, receipt: VerifyReceiptAnswer.unified)
        await NotificationSender(
            store, name: "\(getpid())/\(UUID().uuidString)",
            limits: OpenFiles.limit < LimitsCheck.enough ? NotificationLimits.fewAttempts : NotificationLimits.attempts,
            body: { try await forms.body(of: $0) }, post: { try await client.post($0) }
        ).run()
        await client.shutDown()
    }

    /// Figures of the notifications to servers of developers.
    func families(at wall: Instant) -> [MetricFamily] {
        let all = stores.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, $0.value.notifying) }
        let attempts = all.flatMap { environment, activity in
            activity.results.sorted { $0.key.rawValue < $1.key.rawValue }.map { result, count in
                MetricFamily.Sample(
                    Double(count), labels: [("environment", environment), ("result", result.rawValue)])
            }
        }
        return [
            MetricFamily(
                "till_notification_attempts_total", .counter,
                help: "Attempts to send notifications to servers of developers.", attempts),
            MetricFamily(
                "till_notifications_waiting", .gauge, help: "Notifications to be sent, as this server last saw.",
                all.map { .init(Double($0.1.backlog.count), labels: [("environment", $0.0)]) }),
            MetricFamily(
                "till_notifications_oldest_seconds", .gauge, help: "How long the oldest of them has waited.",
                all.map { environment, activity in
                    let age = activity.backlog.oldest.map {
                        wall.millisecondsSinceEpoch - $0.millisecondsSinceEpoch
                    }
                    return .init(Double(max(0, age ?? 0)) / 1000, labels: [("environment", environment)])
                }),
        ]
    }

    private static func tell(_ news: StoreNews, _ store: EnvironmentStore) async {
        do {
            try await news.follow()
        } catch  where !Task.isCancelled {
            store.log.warning(
                "news.failed", "What customers do is not told here any more.",
                ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
        } catch {}
    }

    private static func followClock(of store: EnvironmentStore) async {
        do {
            try await store.followClock()
        } catch  where !Task.isCancelled {
            // The loop of due work reads the clocks too, a few seconds later.
            store.log.error(
                "signals.failed", "Signals of the database do not arrive; changes of clocks are seen late.",
                ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
        } catch {}
    }

    private static func followFaults(of store: EnvironmentStore) async {
        do {
            try await store.faults?.follow()
        } catch  where !Task.isCancelled {
            store.log.error(
                "signals.failed", "Signals of the database do not arrive; faults of other servers are not seen.",
                ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
        } catch {}
    }

    private static func follow(_ topic: SignalTopic, _ store: EnvironmentStore) async {
        do {
            try await store.waiters.follow(topic, of: store.database)
        } catch  where !Task.isCancelled {
            store.log.error(
                "signals.failed", "Signals of the database do not arrive; waiting devices receive events late.",
                ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
        } catch {}
    }
}

/// Where the keys of a store are read, and by which server.
struct KeySource: Sendable {
    let keys: KeyStore
    let passphrase: [UInt8]?
    /// How this server is called among those of its databases; nil where there are no others.
    let server: String?

    /// - Parameter isServing: whether this process serves, and is waited for by commands that revoke keys.
    init(_ directory: DataDirectory, passphrase: [UInt8]?, _ database: DatabaseAddress, isServing: Bool) {
        keys = KeyStore(dataDirectory: directory.path)
        self.passphrase = passphrase
        server = isServing && database != .sqlite ? Self.server : nil
    }

    /// How this process is called among the servers of its databases.
    static var server: String { "\(host)/\(getpid())" }

    func load(_ environment: StoreEnvironment) throws -> EnvironmentKeys {
        try keys.load(environment, passphrase: passphrase)
    }

    private static var host: String {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count - 1) == 0 else { return "host" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The keys of both environments as they are used now.
private final class CurrentKeys: Sendable {
    private let keys: Mutex<[StoreEnvironment: EnvironmentKeys]>

    init(_ keys: [StoreEnvironment: EnvironmentKeys]) { self.keys = Mutex(keys) }

    /// Takes those of one environment; gives for each its own and those of the other one.
    func taking(
        _ new: EnvironmentKeys
    ) -> [(environment: StoreEnvironment, own: EnvironmentKeys, other: EnvironmentKeys?)] {
        keys.withLock { keys in
            keys[new.environment] = new
            return keys.map { environment, own in
                (environment, own, keys.first { $0.key != environment }?.value)
            }
        }
    }
}
