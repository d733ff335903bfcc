import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// What a change of a purchase or a charge returns is worked out and not read again, so it has to be what was kept.
@Suite(.bounded) struct KeptPurchaseTests {
    private static let answers: [Charge.Event] = [
        .authorised(reference: "money"), .authorisedInVain(reference: "money", .accountGone), .declined(code: "poor"),
        .actionNeeded(reference: "money", url: "https://bank.example"),
        .authorisationRefused(code: "closed", mayArriveLate: true), .captured(reference: "taken"),
        .captureRefused(code: "late"), .voided, .cancelled, .expired,
    ]
    private static let words: [Purchase.Event] = [
        .signedIn, .confirmed(.toBePaid), .confirmed(.free), .confirmed(.beingPaid), .confirmedButInterrupted,
        .interruptionSettled(.toBePaid), .cancelled, .expired, .prevented(.notAllowed),
    ]

    /// What a charge usually comes through, and after it whatever chance wants.
    private static let usual: [[Charge.Event]] = [
        [.authorised(reference: "money"), .captured(reference: "taken")],
        [
            .actionNeeded(reference: "money", url: "u"), .authorised(reference: "money"),
            .captureRefused(code: "late"), .voided,
        ],
        [.authorisedInVain(reference: "money", .accountGone), .voided],
    ]

    @Test("A purchase and its charge after any events are as they are kept", arguments: StoreEngine.allCases)
    func kept(_ engine: StoreEngine) async throws {
        var random = RandomizedRun.generator(named: "kept purchases \(engine)")
        let seeds = (0..<RandomizedRun.cases(30)).map { _ in random.next() }
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let devices = [try await scene.device(customer), try await scene.device(nil)]
            var (reached, charged): (Set<Purchase.State>, Set<Charge.State>) = ([], [])
            for (number, seed) in zip(Int64(1)..., seeds) {
                var random = SplitMix64(seed: seed)
                // Each of its own: of what is owned once, one is paid at a time.
                let item = try SoldItem.sample(number % 2 == 0 ? .consumable : .nonConsumable, number)
                let opened = try await scene.open(
                    scene.order(item, quantity: item.kind == .consumable ? 3 : 1), on: devices[number % 7 == 0 ? 1 : 0])
                #expect(try await scene.purchase(opened.id) == opened)
                reached.insert(try await ask(opened.stored, first: number < 4, &random, scene))
                let usual = number < 4 ? Self.usual[Int(number) - 1] : []
                let others = (0..<40).compactMap { _ in Self.answers.randomElement(using: &random) }
                charged.formUnion(try await charge(opened.id, usual + others, scene))
            }
            #expect(reached.isSuperset(of: [.charging, .failed]))
            #expect(charged.isSuperset(of: [.action, .capturing, .voiding, .captured, .released]))
        }
    }

    /// Lets words fall about a purchase until it is charged or over; returns its state then.
    private func ask(
        _ opened: StoredPurchase, first isConfirmed: Bool, _ random: inout SplitMix64, _ scene: SaleScene
    ) async throws -> Purchase.State {
        var known = opened
        for round in 0..<30 where known.state.canBeConfirmed {
            let event =
                isConfirmed && round == 0
                ? .confirmed(.toBePaid) : Self.words.randomElement(using: &random) ?? .cancelled
            // On a device where nobody is signed in, no customer can go on.
            if known.customer == nil, event == .signedIn { continue }
            scene.time.pass(.seconds(1))
            let (drawn, before, cause) = (try await scene.store.draw(), known, scene.cause)
            let found = try await scene.store.database.write { transaction in
                let change = try cause.change(of: before.customer, in: transaction)
                let changed = try Self.handle(event, of: before, drawn, change)
                let hash = try transaction.value(
                    "SELECT confirmation_hash FROM purchase WHERE id = $1", before.id, as: [UInt8]?.self)
                return (changed, kept: try Purchases.require(before.id, in: transaction), hash: hash)
            }
            known = found.0 ?? before
            #expect(found.kept == known, "after \(event)")
            #expect((found.hash == nil) == (known.code == nil), "after \(event)")
        }
        return known.state
    }

    /// The purchase after an event; nil if that has no place in it.
    private static func handle(
        _ event: Purchase.Event, of purchase: StoredPurchase, _ drawn: Drawn, _ change: Change
    ) throws -> StoredPurchase? {
        let method = try purchase.customer.flatMap {
            try Customers.paymentMethods(of: $0, in: change.transaction).last
        }
        do {
            return try Purchases.handle(event, of: purchase, paidWith: method, with: drawn, change)
        } catch is PurchaseError {
            return nil
        }
    }

    /// Lets things happen to the charge of a purchase, if it has one; returns the states that it came to.
    private func charge(_ id: PurchaseID, _ events: [Charge.Event], _ scene: SaleScene) async throws -> Set<
        Charge.State
    > {
        var reached: Set<Charge.State> = []
        guard var known = try await scene.store.database.read({ try Charges.find(id.sale.charge, in: $0) }) else {
            return reached
        }
        for event in events where known.rules.pendingAction != nil {
            scene.time.pass(.seconds(1))
            let (drawn, before, cause) = (try await scene.store.draw(), known, scene.cause)
            let (changed, kept) = try await scene.store.database.write { transaction in
                let change = try cause.change(of: before.customer, in: transaction)
                let changed: StoredCharge?
                do {
                    changed = try Charges.handle(event, of: before, with: drawn, change).charge
                } catch is ChargeError {
                    changed = nil
                }
                return (changed, try Charges.require(before.id, in: transaction))
            }
            known = changed ?? before
            if changed != nil { reached.insert(known.state) }
            #expect(kept == known, "after \(event)")
        }
        return reached
    }

    @Test("A purchase or a charge that is not as it was read is not changed", arguments: StoreEngine.allCases)
    func outdated(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer(pays: "action"))
            let opened = try await scene.open(scene.order(.sample(.consumable)), on: device)
            let cancelled = try await scene.cancel(opened.id)
            let stale = try #require(try await scene.buy(.sample(.consumable, 2), on: device).charge)
            _ = try await scene.cancel(stale.id.sale.purchase)
            let cause = scene.cause
            let purchaseError = await #expect(throws: DatabaseError.self) {
                try await scene.store.database.write { transaction in
                    let change = try cause.change(of: opened.customer, in: transaction)
                    try Purchases.handle(.confirmed(.beingPaid), of: opened.stored, change)
                }
            }
            #expect(purchaseError?.code == .serialization)
            let chargeError = await #expect(throws: DatabaseError.self) {
                try await scene.store.database.write { transaction in
                    let change = try cause.change(of: opened.customer, in: transaction)
                    _ = try Charges.handle(.cancelled, of: stale, change)
                }
            }
            #expect(chargeError?.code == .serialization)
            #expect(try await scene.purchase(opened.id) == cancelled)
            let lines = try await scene.count(
                "SELECT count(*) FROM purchase_history WHERE purchase_id = (SELECT min(id) FROM purchase)")
            #expect(lines == cancelled.historyCount)
        }
    }
}
