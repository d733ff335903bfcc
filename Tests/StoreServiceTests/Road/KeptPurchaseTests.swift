import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import TestSupport
import Testing

/// What a change of a purchase gives back is worked out and not read again, so it has to be what was kept.
@Suite struct KeptPurchaseTests {
    private static let events: [Purchase.Event] = [
        .signedIn, .confirmed(.toBePaid), .confirmed(.free), .confirmedButInterrupted, .interruptionSettled(.toBePaid),
        .cancelled, .expired, .prevented(.notAllowed), .authorised(reference: "money"), .declined(code: "poor"),
        .actionNeeded(reference: "money", url: "https://bank.example"), .authorisationRefused(code: "closed"),
        .captured(reference: "taken"), .captureRefused(code: "late"), .voided,
    ]

    @Test("A purchase after any events is as it is kept, its code and its secrets too", arguments: StoreEngine.allCases)
    func kept(_ engine: StoreEngine) async throws {
        var random = RandomizedRun.generator(named: "kept purchases \(engine)")
        let seeds = (0..<RandomizedRun.cases(20)).map { _ in random.next() }
        try await RoadScene.on(engine) { scene in
            let customer = try await scene.customer()
            let devices = [try await scene.device(customer), try await scene.device(nil)]
            for seed in seeds {
                var random = SplitMix64(seed: seed)
                let item = try SoldItem.sample(random.next() % 2 == 0 ? .consumable : .autoRenewable)
                let opened = try await scene.open(
                    scene.order(item, quantity: item.kind == .consumable ? 3 : 1),
                    on: devices[Int(random.next() % 2)])
                #expect(try await scene.purchase(opened.id) == opened)
                try await run(opened, scene, &random)
            }
        }
    }

    private func run(_ opened: StoredPurchase, _ scene: RoadScene, _ random: inout SplitMix64) async throws {
        var known = opened
        for _ in 0..<40 where !known.state.isFinal {
            guard let event = Self.events.randomElement(using: &random) else { return }
            // Nobody is signed in on a device whose purchase goes on without a customer.
            if known.customer == nil, event == .signedIn { continue }
            scene.time.pass(.seconds(1))
            let (times, drawn, before) = (scene.store.clocks.now, try await scene.store.draw(), known)
            let found = try await scene.store.database.write { transaction in
                let changed = try? transaction.attempt {
                    var noted = before
                    if case .confirmed(.toBePaid) = event {
                        _ = try Purchases.confirmation(of: &noted, at: times, in: transaction)
                    }
                    return try Purchases.handle(event, of: noted, drawn, at: times, request: nil, in: transaction)
                        .purchase
                }
                let hash = try transaction.value(
                    "SELECT confirmation_hash FROM purchase WHERE id = $1", before.id, as: [UInt8]?.self)
                return (changed, kept: try Purchases.require(before.id, in: transaction), hash: hash)
            }
            known = found.0 ?? before
            #expect(found.kept == known, "after \(event)")
            #expect((found.hash == nil) == (known.code == nil), "after \(event)")
        }
    }

    @Test("A purchase that stands otherwise than it was read is not changed", arguments: StoreEngine.allCases)
    func outdated(_ engine: StoreEngine) async throws {
        try await RoadScene.on(engine) { scene in
            let opened = try await scene.open(
                scene.order(.sample(.consumable)), on: scene.device(scene.customer()))
            let cancelled = try await scene.say(.cancelled, of: opened.id)
            let times = scene.store.clocks.now
            let error = await #expect(throws: DatabaseError.self) {
                try await scene.store.database.write { transaction in
                    try Purchases.handle(.confirmed(.toBePaid), of: opened, at: times, request: nil, in: transaction)
                        .purchase
                }
            }
            #expect(error?.code == .unexpectedValue)
            #expect(try await scene.purchase(opened.id) == cancelled)
            #expect(try await scene.count("SELECT count(*) FROM purchase_history") == cancelled.historyCount)
        }
    }
}
