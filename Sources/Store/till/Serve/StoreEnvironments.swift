import Foundation
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning

/// Both running environments of a store, and their background work.
final class StoreEnvironments: Sendable {
    private let stores: [StoreEnvironment: EnvironmentStore]
    private let receipts: [StoreEnvironment: ReceiptVerification]

    /// - Parameters:
    ///   - keys: those of each environment.
    ///   - processors: the processor of each environment.
    init(
        _ databases: StoreDatabases, keys: [StoreEnvironment: EnvironmentKeys],
        processors: StoreProcessors, policy: StorePolicy, log: Log
    ) throws {
        // Both environments share one gate for passwords: it limits the load of the machine.
        let passwords = PasswordGate()
        stores = try keys.reduce(into: [:]) { stores, entry in
            let (environment, keys) = entry
            stores[environment] = EnvironmentStore(
                environment, of: databases, processor: processors[environment], signers: try EnvironmentSigners(keys),
                clocks: StoreClocks(commerce: SystemClock.now, wall: SystemClock.now), passwords: passwords,
                policy: policy, log: log)
        }
        receipts = try keys.reduce(into: [:]) { receipts, entry in
            let (environment, own) = entry
            // Receipts of the other environment are recognized, and answered with its status.
            let other = keys.first { $0.key != environment }?.value
            receipts[environment] = try ReceiptVerification(own, other: other, databases)
        }
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
            for store in stores.values {
                group.addTask { await Self.tell(StoreNews(store, namesCustomers: namesCustomers), store) }
                group.addTask { await Self.follow(.customerEvents, store) }
                group.addTask { await Self.follow(.purchases, store) }
                group.addTask { await Self.follow(.work, store) }
                group.addTask { await Self.follow(.clocks, store) }
                group.addTask { await Self.followClock(of: store) }
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
    }

    /// Ends the requests that wait for events, and lets none wait any more.
    func endWaits() {
        for store in stores.values { store.waiters.end() }
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
        } catch {
            // The loop of due work reads the clocks too, a few seconds later.
            store.log.error(
                "signals.failed", "Signals of the database do not arrive; changes of clocks are seen late.",
                ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
        }
    }

    private static func follow(_ topic: SignalTopic, _ store: EnvironmentStore) async {
        do {
            try await store.waiters.follow(topic, of: store.database)
        } catch {
            store.log.error(
                "signals.failed", "Signals of the database do not arrive; waiting devices receive events late.",
                ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
        }
    }
}
