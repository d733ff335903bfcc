import Foundation
import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import StoreSigning

/// Both environments of a store at work, and what they do without being asked.
final class StoreEnvironments: Sendable {
    private let stores: [StoreEnvironment: EnvironmentStore]
    private let receipts: [StoreEnvironment: ReceiptVerification]

    /// - Parameters:
    ///   - keys: those of each environment.
    ///   - processors: who moves the money of each environment.
    init(
        _ databases: StoreDatabases, keys: [StoreEnvironment: EnvironmentKeys],
        processors: StoreProcessors, commission: Proportion, log: Log
    ) throws {
        // Passwords of both environments have one gate: it is there for the sake of the machine.
        let passwords = PasswordGate()
        stores = try keys.reduce(into: [:]) { stores, entry in
            let (environment, keys) = entry
            stores[environment] = EnvironmentStore(
                environment, database: databases[environment], catalogue: databases.catalogue,
                processor: processors[environment], signers: try EnvironmentSigners(keys),
                clocks: StoreClocks(commerce: SystemClock.now, wall: SystemClock.now), passwords: passwords,
                commission: commission, wakes: Wakes(), log: log)
        }
        receipts = try keys.reduce(into: [:]) { receipts, entry in
            let (environment, own) = entry
            // Receipts of the other environment are known as such, and sent on there.
            let other = keys.first { $0.key != environment }?.value
            receipts[environment] = try ReceiptVerification(own, other: other, databases)
        }
    }

    subscript(environment: StoreEnvironment) -> EnvironmentStore? { stores[environment] }

    func receipts(of environment: StoreEnvironment) -> ReceiptVerification? { receipts[environment] }

    /// Looks after what was under way, hands on signals and does what is due, until the task is cancelled.
    func work() async {
        await withTaskGroup { group in
            for store in stores.values {
                group.addTask { await Self.follow(.customerEvents, store) }
                group.addTask { await Self.follow(.purchases, store) }
                group.addTask {
                    do {
                        try await Recovery(store).run()
                    } catch  where !Task.isCancelled {
                        store.log.error(
                            "recovery.failed", "What was under way could not all be looked after.",
                            ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
                    } catch {
                        // The store is being stopped; the next start looks again.
                        return
                    }
                    await WorkLoop(store, name: "\(getpid())/\(UUID().uuidString)").run()
                }
            }
        }
    }

    /// Answers whoever waits for news, and lets nobody wait any more.
    func endWaits() {
        for store in stores.values { store.wakes.end() }
    }

    private static func follow(_ topic: SignalTopic, _ store: EnvironmentStore) async {
        do {
            try await store.wakes.follow(topic, of: store.database)
        } catch {
            store.log.error(
                "signals.failed", "Signals of the database do not arrive; devices that wait hear late of what happens.",
                ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
        }
    }
}
