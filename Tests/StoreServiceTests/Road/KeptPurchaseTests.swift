import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import TestSupport
import Testing

/// What a change of a purchase gives back is worked out and not read again, so it has to be what was kept.
@Suite struct KeptPurchaseTests {
    private static let events: [Purchase.Event] = [
        .signedIn, .confirmed(.toBePaid), .confirmed(.free), .confirmed(.owned), .confirmed(.beingPaid),
        .confirmedButInterrupted, .interruptionSettled(.toBePaid), .cancelled, .expired, .prevented(.notAllowed),
        .authorised(reference: "money"), .authorisedInVain(reference: "money", .accountGone), .declined(code: "poor"),
        .actionNeeded(reference: "money", url: "https://bank.example"), .authorisationRefused(code: "closed"),
        .captured(reference: "taken"), .captureRefused(code: "late"), .voided,
    ]

    /// What a purchase usually comes through, and after it whatever chance wants.
    private static let roads: [[Purchase.Event]] = [
        [.confirmed(.toBePaid), .authorised(reference: "money"), .captured(reference: "taken")],
        [
            .confirmed(.toBePaid), .actionNeeded(reference: "money", url: "u"), .authorised(reference: "money"),
            .captureRefused(code: "late"), .voided,
        ],
        [
            .confirmedButInterrupted, .interruptionSettled(.toBePaid),
            .authorisedInVain(reference: "money", .accountGone), .voided,
        ],
        [.confirmed(.owned)], [.confirmed(.beingPaid)], [.cancelled],
    ]

    @Test("A purchase after any events is as it is kept, its code and its secrets too", arguments: StoreEngine.allCases)
    func kept(_ engine: StoreEngine) async throws {
        var random = RandomizedRun.generator(named: "kept purchases \(engine)")
        let seeds = (0..<RandomizedRun.cases(30)).map { _ in random.next() }
        try await RoadScene.on(engine) { scene in
            let customer = try await scene.customer()
            let devices = [try await scene.device(customer), try await scene.device(nil)]
            var reached: Set<Purchase.State> = []
            for (number, seed) in zip(Int64(1)..., seeds) {
                var random = SplitMix64(seed: seed)
                // Each of its own, for of what is owned once one is paid at a time.
                let item = try SoldItem.sample(number % 2 == 0 ? .consumable : .autoRenewable, number)
                let opened = try await scene.open(
                    scene.order(item, quantity: item.kind == .consumable ? 3 : 1), on: devices[number % 7 == 0 ? 1 : 0])
                #expect(try await scene.purchase(opened.id) == opened)
                let usual = number <= Self.roads.count ? Self.roads[Int(number) - 1] : []
                let others = (0..<60).compactMap { _ in Self.events.randomElement(using: &random) }
                reached.formUnion(try await run(opened, usual + others, scene))
            }
            #expect(reached.isSuperset(of: [.authorising, .action, .capturing, .voiding, .purchased, .interrupted]))
        }
    }

    /// Lets things happen to a purchase; gives the states that it came to.
    private func run(
        _ opened: StoredPurchase, _ events: [Purchase.Event], _ scene: RoadScene
    ) async throws -> Set<Purchase.State> {
        var (known, reached) = (opened, Set<Purchase.State>())
        for event in events where !known.state.isFinal {
            // Nobody is signed in on a device whose purchase goes on without a customer.
            if known.customer == nil, event == .signedIn { continue }
            scene.time.pass(.seconds(1))
            let (times, drawn, before) = (scene.store.clocks.now, try await scene.store.draw(), known)
            let found = try await scene.store.database.write { transaction in
                let changed = try Self.handle(event, of: before, drawn, at: times, in: transaction)
                let hash = try transaction.value(
                    "SELECT confirmation_hash FROM purchase WHERE id = $1", before.id, as: [UInt8]?.self)
                return (changed, kept: try Purchases.require(before.id, in: transaction), hash: hash)
            }
            known = found.0 ?? before
            if found.0 != nil { reached.insert(known.state) }
            #expect(found.kept == known, "after \(event)")
            #expect((found.hash == nil) == (known.code == nil), "after \(event)")
        }
        return reached
    }

    /// The purchase after an event; nil if that has no place in it.
    private static func handle(
        _ event: Purchase.Event, of purchase: StoredPurchase, _ drawn: Purchases.Drawn, at times: StoreTimes,
        in transaction: any WriteTransaction
    ) throws -> StoredPurchase? {
        var noted = purchase
        if event == .confirmed(.toBePaid), purchase.state == .confirmation {
            _ = try Purchases.confirmation(of: &noted, at: times, in: transaction)
        }
        do {
            return try Purchases.handle(event, of: noted, drawn, at: times, request: nil, in: transaction).purchase
        } catch is PurchaseError {
            return nil
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
