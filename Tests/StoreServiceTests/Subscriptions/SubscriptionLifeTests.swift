import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// Subscriptions that live by themselves in a store, on every engine.
@Suite(.bounded) struct SubscriptionLifeTests {
    @Test(
        "X7 R1.1: A subscription renews by itself, each period a transaction of its own that continues the first",
        arguments: StoreEngine.allCases)
    func renews(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            let first = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
            try await scene.pass(days: 362)
            let periods = try await scene.periods()
            #expect(periods.count == 12)
            #expect(Set(periods.compactMap(\.webOrderLineItemID)).count == 12)
            #expect(periods.allSatisfy { $0.originalID == first.id && $0.originalPurchaseDate == first.purchaseDate })
            #expect(periods.map(\.reason) == [.purchase] + Array(repeating: .renewal, count: 11))
            for (one, next) in zip(periods, periods.dropFirst()) { #expect(one.expiresDate == next.purchaseDate) }
            #expect(periods.last?.expiresDate == first.purchaseDate.adding(.oneMonth, times: 12))
            // The last one is charged and has not begun: what is had is the one before.
            try await scene.pass(until: first.purchaseDate.adding(.oneMonth, times: 12) - .seconds(3600))
            let paid = try await scene.periods()
            #expect(paid.count == 13)
            #expect(try await scene.entitlements(device).map(\.id) == [paid[11].id])
            #expect(try await scene.events(device).filter { $0.kind == .transaction }.count == 13)
            let report = try await scene.check()
            #expect(report.isInOrder && report.entries == 13, "\(report.problems)")
        }
    }

    @Test(
        "X7: Declined, it counts through the grace period, is tried again with keys of its own, and keeps its date when paid",
        arguments: StoreEngine.allCases)
    func grace(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            try await scene.setGrace(days: 16)
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            _ = try await scene.buy(SaleScene.plan(), on: device)
            try await scene.addMethod("decline", to: customer)
            let end = try await scene.subscription().rules.endsAt
            try await scene.pass(until: end + .seconds(3600))
            let stored = try await scene.subscription()
            #expect(stored.state == .grace && stored.rules.charge == .resting)
            #expect(try await scene.entitlements(device).count == 1)
            // The bank wants the owner of the card, who is not there: that is a decline, and the customer is told.
            try await scene.addMethod("action", to: customer)
            try await scene.pass(days: 1)
            #expect(
                try await scene.events(device).map(\.kind).filter { $0 != .subscription } == [.transaction, .purchase])
            #expect(await scene.processor.held == 0)
            try await scene.addMethod("approve", to: customer)
            try await scene.pass(days: 1)
            let recovered = try await scene.subscription()
            #expect(recovered.state == .active && recovered.rules.startsAt == end)
            let charge = try await scene.store.database.read { transaction in
                try Charges.require(
                    transaction.value("SELECT max(id) FROM charge", as: ChargeID.self), in: transaction)
            }
            #expect(charge.rules.attempt == 4 && charge.state == .captured)
            #expect(await scene.processor.held == 0)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test(
        "X7: Declined to the end of 60 days, the charge is given up and the subscription is over",
        arguments: [StoreEngine.memory, .postgres])
    func lapsed(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            _ = try await scene.buy(SaleScene.plan(), on: device)
            try await scene.addMethod("decline", to: customer)
            try await scene.pass(days: 40)
            #expect(try await scene.subscription().state == .retry)
            #expect(try await scene.entitlements(device).isEmpty)
            try await scene.pass(days: 60)
            let stored = try await scene.subscription()
            #expect(stored.state == .expired && stored.rules.intent == .billingError && stored.charge == nil)
            #expect(try await scene.count("SELECT count(*) FROM charge WHERE state = 'released'") == 1)
            #expect(try await scene.count("SELECT count(*) FROM work WHERE kind = 'subscription'") == 0)
            // Bought again, it is the same subscription.
            try await scene.addMethod("approve", to: customer)
            let again = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
            #expect(again.originalID == stored.original && again.reason == .purchase)
            #expect(try await scene.subscription().state == .active)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test(
        "X7 P21: An upgrade begins at once and gives back what is left; of one group there is one",
        arguments: StoreEngine.allCases)
    func upgrade(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            let old = try await scene.transaction(
                scene.buy(SaleScene.plan(1002, level: 2, cents: 3000, period: "P1M"), on: device).transaction)
            // Half of the 31 days of the period.
            let half = try #require(old.expiresDate).millisecondsSinceEpoch - old.purchaseDate.millisecondsSinceEpoch
            try await scene.pass(until: old.purchaseDate.adding(milliseconds: half / 2))
            let new = try await scene.transaction(
                scene.buy(SaleScene.plan(1001, level: 1, cents: 5000), on: device).transaction)
            try await scene.pass(days: 0)
            #expect(new.originalID == old.id && new.price.minorUnits == 5000)
            let ended = try await scene.transaction(old.id)
            #expect(ended.upgradedAt == new.purchaseDate && ended.revocation == nil)
            #expect(try await scene.entitlements(device).map(\.id) == [new.id])
            let given = try await scene.store.database.read { try Refunds.all(of: old.id, in: $0) }
            #expect(given.map(\.amount.minorUnits) == [1500] && given.allSatisfy { $0.state == .refunded })
            #expect(given.allSatisfy { $0.kind == .proration })
            // It has a number of its own, as every refund has.
            #expect(given.allSatisfy { $0.id.number < 1000 })
            let payload = ended.payload(in: .sandbox, appTransaction: nil, signedAt: scene.time.current)
            #expect(payload.isUpgraded == true)
            let report = try await scene.check()
            #expect(report.isInOrder && report.entries == 3, "\(report.problems)")
            // A refund of what was upgraded does not end what runs.
            let rest = try await scene.refund(old.id)
            #expect(rest.id != given.first?.id && rest.amount.minorUnits == 1500)
            #expect(try await scene.subscription().state == .active)
            #expect(try await scene.entitlements(device).map(\.id) == [new.id])
        }
    }

    @Test(
        "X7 P21: A downgrade costs nothing now, delivers what runs, and renews at the end",
        arguments: [StoreEngine.memory, .postgres])
    func downgrade(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            let old = try await scene.transaction(
                scene.buy(SaleScene.plan(1001, level: 1, cents: 5000), on: device).transaction)
            try await scene.finish(old.id, on: device)
            let asked = try await scene.buy(SaleScene.plan(1002, level: 2, cents: 3000), on: device)
            #expect(asked.state == .purchased && asked.transaction == old.id && asked.charge == nil)
            #expect(try await scene.subscription().rules.next?.product.text == "com.example.item1002")
            try await scene.pass(until: try #require(old.expiresDate) - .seconds(60))
            #expect(try await scene.periods().count == 2)
            #expect(try await scene.entitlements(device).map(\.productID) == [old.productID])
            try await scene.pass(days: 1)
            let renewed = try #require(try await scene.periods().last)
            #expect(renewed.productID.text == "com.example.item1002" && renewed.price.minorUnits == 3000)
            #expect(try await scene.entitlements(device).map(\.id) == [renewed.id])
            // To want what runs takes a change back.
            _ = try await scene.buy(SaleScene.plan(1003, level: 3), on: device)
            try await scene.finish(renewed.id, on: device)
            _ = try await scene.buy(SaleScene.plan(1002, level: 2, cents: 3000), on: device)
            #expect(try await scene.subscription().rules.next == nil)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test(
        "X7: A refund of the current period ends the subscription and turns renewal off; buying again begins anew",
        arguments: [StoreEngine.memory, .postgres])
    func refund(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            let first = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
            try await scene.pass(days: 40)
            // An older period is money alone.
            _ = try await scene.refund(first.id)
            #expect(try await scene.subscription().state == .active)
            let second = try #require(try await scene.periods().last)
            _ = try await scene.refund(second.id)
            let stored = try await scene.subscription()
            #expect(stored.state == .revoked && !stored.rules.renews)
            #expect(try await scene.entitlements(device).isEmpty)
            try await scene.pass(days: 60)
            #expect(try await scene.periods().count == 2)
            let again = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
            #expect(again.originalID == first.id)
            #expect(try await scene.entitlements(device).map(\.id) == [again.id])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("A customer without a means of payment is asked again when there is one")
    func noMethod() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            let customer = try await scene.customer(pays: nil)
            let trial = OfferTerms(
                kind: .introductory, id: nil, mode: .free, period: .oneWeek, count: 1, price: .zero(.usd))
            let device = try await scene.device(customer)
            let first = try await scene.transaction(
                scene.buy(SaleScene.plan(offer: trial), on: device).transaction)
            #expect(first.offer?.mode == .freeTrial && first.expiresDate == first.purchaseDate.adding(.oneWeek))
            #expect(try await scene.count("SELECT count(*) FROM charge") == 0)
            try await scene.pass(days: 8)
            #expect(try await scene.subscription().state == .retry)
            try await scene.addMethod("approve", to: customer)
            try await scene.pass(days: 3)
            #expect(try await scene.subscription().state == .active)
            #expect(try await scene.periods().map(\.offer?.mode) == [.freeTrial, nil])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("What is bought while it runs and was turned off is on again, and nothing is charged")
    func onAgain() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            let first = try await scene.buy(SaleScene.plan(), on: device)
            try await scene.finish(first.transaction, on: device)
            try await scene.handle(.turnedOff)
            let again = try await scene.buy(SaleScene.plan(), on: device)
            #expect(again.transaction == first.transaction && again.charge == nil)
            #expect(try await scene.subscription().rules.renews)
            #expect(await scene.processor.count("capture") == 1)
        }
    }
}

extension SaleScene {
    func setGrace(days: Int) async throws {
        let now = time.current
        try await store.catalogue.write { transaction in
            _ = try GracePeriods.put(
                GracePeriodDraft(days: days, isOnlyPaid: false, isInProduction: true), of: AppID(number: 42),
                CatalogueChange(.store, at: now, in: transaction))
        }
    }
}

extension SubscriptionLifeTests {
    @Test("What a store for tests forgets of a subscription can be bought anew")
    func forgotten() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            let first = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
            _ = try await scene.store.database.write { try Transactions.forget(first.id, in: $0) }
            #expect(try await scene.count("SELECT count(*) FROM subscription") == 0)
            let again = try await scene.buy(SaleScene.plan(), on: device)
            #expect(again.transaction != nil && again.transaction != first.id && again.charge?.state == .captured)
        }
    }
}
