import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("What receipts tell of subscriptions (R4.2)", .bounded)
struct SubscriptionReceiptTests {
    private static let end = SceneTime.start.adding(.oneMonth)

    // MARK: Periods

    @Test(
        "R4.2: every period is told, the newest first, with its own id and one original",
        arguments: StoreEngine.allCases)
    func periods(_ engine: StoreEngine) async throws {
        try await ReceiptScene.on(engine) { scene in
            let first = try await scene.buy(ReceiptScene.plan())
            try await scene.pass(days: 70)
            let (receipt, latest) = try await scene.verify()
            let periods = latest.transactions
            #expect(periods.count == 3 && receipt.purchases.count == 3)
            #expect(Set(periods.map(\.originalID)) == Set([first].compactMap(\.self)))
            #expect(Set(periods.compactMap(\.webOrderLineItemID)).count == 3 && Set(periods.map(\.id)).count == 3)
            #expect(periods.map(\.purchaseDate) == periods.map(\.purchaseDate).sorted(by: >))
            #expect(periods.dropFirst().map(\.expiresDate) == periods.dropLast().map(\.purchaseDate))
            #expect(Set(periods.map(\.originalPurchaseDate)) == [SceneTime.start])
            #expect(try await scene.verify(excludingOld: true).latest.transactions.map(\.id) == [periods[0].id])
            let old = try await scene.verify(first)
            #expect(old.receipt.transactionID == periods[0].id.description && !old.isExpired)
            #expect(old.receipt.expirationDate == periods[0].expiresDate)
            #expect(try await scene.renewal() == old.renewal)
        }
    }

    @Test("R4.2: a free trial, an introductory price and the offers of both kinds are told of their periods alone")
    func offers() async throws {
        let (trial, intro) = (ReceiptScene.offer(.introductory, nil, .free), ReceiptScene.offer(.introductory))
        let cases: [(StoreRules.OfferTerms, trial: Bool, intro: Bool, id: String?, code: String?)] = [
            (trial, true, false, nil, nil), (intro, false, true, nil, nil),
            (ReceiptScene.offer(.introductory, nil, .payUpFront), false, true, nil, nil),
            (ReceiptScene.offer(.promotional, "welcome"), false, false, "welcome", nil),
            // A free one is no trial: it does not use up the introductory offer of the group.
            (ReceiptScene.offer(.promotional, "gift", .free), false, false, "gift", nil),
            (ReceiptScene.offer(.code, "Summer"), false, false, nil, "Summer"),
            (ReceiptScene.offer(.winBack, "return"), false, false, nil, nil),
        ]
        for (offer, isTrial, isIntro, id, code) in cases {
            try await ReceiptScene.on(.memory) { scene in
                let first = try await scene.buy(ReceiptScene.plan(offer))
                let (receipt, latest) = try await scene.verify()
                let told = try #require(latest.transactions.first?.standing.offer)
                #expect(told.isTrial == isTrial && told.isIntroductory == isIntro, "\(offer)")
                #expect(told.promotionalID == id && told.codeName == code)
                #expect(receipt.purchases[0].isTrialPeriod == isTrial)
                #expect(receipt.purchases[0].isInIntroductoryPeriod == isIntro)
                #expect(receipt.purchases[0].promotionalOfferID == id)
                #expect(try await scene.verify(first).receipt.isTrialPeriod == isTrial)
                // Of three periods that are cheaper two are to come.
                let next = try await scene.renewal().offer
                #expect(next?.promotionalID == (offer.mode == .payAsYouGo ? id : nil))
                #expect(next?.codeName == (offer.mode == .payAsYouGo ? code : nil))
                try await scene.pass(days: 31 * 3 + 2)
                let later = try #require(try await scene.verify().latest.transactions.first)
                #expect(later.standing.offer == nil)
                #expect(try await scene.renewal().offer == nil)
            }
        }
    }

    @Test("R4.2: what an upgrade ended is told so, without a cancellation, and the new period is the latest")
    func upgraded() async throws {
        try await ReceiptScene.on(.memory) { scene in
            let first = try await scene.buy(ReceiptScene.plan(level: 2))
            // The next period is paid a day ahead; an upgrade takes the place of both.
            try await scene.pass(days: 30, hours: 6)
            let better = try await scene.buy(ReceiptScene.plan(level: 1, cents: 999))
            try await scene.sale.work()
            let (_, latest) = try await scene.verify()
            #expect(latest.transactions.count == 3)
            for period in latest.transactions {
                #expect(period.isUpgraded == (period.id != better) && period.standing.revocation == nil)
                #expect(period.originalID == first)
            }
            #expect(try await scene.verify(excludingOld: true).latest.transactions.map(\.id) == [better])
            let renewal = try await scene.renewal()
            #expect(
                try renewal.product == ReceiptScene.plan(level: 1).product && renewal.nextProduct == renewal.product)
            let old = try await scene.verify(first)
            #expect(old.receipt.transactionID == better?.description && !old.isExpired)
        }
    }

    @Test("R4.2: a refund of the period charged ahead leaves the one that runs, which does not renew, in both forms")
    func refundedAhead() async throws {
        try await ReceiptScene.on(.memory) { scene in
            let first = try await scene.buy(ReceiptScene.plan())
            try await scene.pass(days: 30, hours: 12)
            let periods = try await scene.sale.periods()
            #expect(periods.count == 2)
            _ = try await scene.sale.refund(periods.last?.id)
            let old = try await scene.verify(first)
            #expect(old.receipt.transactionID == first?.description && !old.isExpired)
            #expect(old.renewal?.status == .off && old.renewal?.intent == nil)
            #expect(try await scene.renewal() == old.renewal)
            try await scene.pass(days: 1)
            let over = try await scene.verify(first)
            #expect(over.isExpired && over.renewal?.intent == .cancelled)
        }
    }

    @Test("R4.2: a refunded period has its cancellation and is over at once, also in the form of iOS 6")
    func refunded() async throws {
        try await ReceiptScene.on(.memory) { scene in
            let first = try await scene.buy(ReceiptScene.plan())
            try await scene.pass(days: 3)
            _ = try await scene.sale.refund(first)
            let (receipt, latest) = try await scene.verify()
            #expect(latest.transactions[0].standing.revocation?.revokedAt == scene.sale.time.current)
            #expect(receipt.purchases[0].cancellationDate == scene.sale.time.current)
            #expect(receipt.purchases[0].cancellationReason == 0)
            let old = try await scene.verify(first)
            #expect(old.isExpired && old.standing.revocation != nil)
            let renewal = try await scene.renewal()
            #expect(renewal.status == .off && renewal.intent == .cancelled && renewal.isRetried == false)
        }
    }

    // MARK: What becomes of it

    @Test("R4.2: while a subscription runs, its renewal has a status and the product, and no reason of an end")
    func running() async throws {
        try await ReceiptScene.on(.memory) { scene in
            let first = try await scene.buy(ReceiptScene.plan(level: 1))
            var renewal = try await scene.renewal()
            #expect(renewal.original == first && renewal.status == .on && renewal.isRetried == nil)
            #expect(renewal.intent == nil && renewal.graceEndsAt == nil && renewal.increase == nil)
            // A downgrade waits for the end of the period.
            try await scene.buy(ReceiptScene.plan(level: 2))
            renewal = try await scene.renewal()
            #expect(try renewal.product == ReceiptScene.plan(level: 1).product)
            #expect(try renewal.nextProduct == ReceiptScene.plan(level: 2).product)
            try await scene.sale.handle(.turnedOff)
            renewal = try await scene.renewal()
            #expect(renewal.status == .off && renewal.intent == nil && renewal.isRetried == nil)
            #expect(try await !scene.verify(first).isExpired)
            try await scene.pass(days: 32)
            renewal = try await scene.renewal()
            #expect(renewal.status == .off && renewal.intent == .cancelled && renewal.isRetried == false)
            #expect(try await scene.verify(first).isExpired)
        }
    }

    @Test("R4.2: what cannot be paid is tried again for 60 days, in a grace period first, and is over then")
    func unpaid() async throws {
        for grace in [nil, 3] {
            try await ReceiptScene.on(.memory) { scene in
                if let grace { try await scene.setGrace(days: grace) }
                let first = try await scene.buy(ReceiptScene.plan())
                try await scene.sale.addMethod("decline", to: scene.customer)
                try await scene.pass(days: 32)
                var renewal = try await scene.renewal()
                #expect(renewal.status == .on && renewal.intent == .billingError && renewal.isRetried == true)
                #expect(renewal.graceEndsAt == grace.map { Self.end + .seconds($0 * 86_400) })
                #expect(try await scene.verify(first).isExpired == (grace == nil))
                try await scene.pass(days: 5)
                renewal = try await scene.renewal()
                #expect(renewal.isRetried == true && renewal.graceEndsAt == nil)
                #expect(try await scene.verify(first).isExpired)
                try await scene.pass(days: 60)
                renewal = try await scene.renewal()
                #expect(renewal.status == .off && renewal.intent == .billingError && renewal.isRetried == false)
            }
        }
    }

    @Test(
        "R4.2: a higher price waits for consent, is agreed to, or needs none; without consent it ends for that reason")
    func price() async throws {
        let higher = Money(minorUnits: 999, currency: .usd)
        for needsConsent in [true, false] {
            try await ReceiptScene.on(.memory) { scene in
                let increase = PriceIncrease(price: higher, needsConsent: needsConsent, askedAt: SceneTime.start)
                try await scene.buy(ReceiptScene.plan())
                try await scene.sale.handle(.raised(increase))
                var renewal = try await scene.renewal()
                #expect(renewal.increase == (needsConsent ? .pending : .consented))
                #expect(renewal.consent == (needsConsent ? .pending : nil))
                if needsConsent {
                    try await scene.sale.handle(.agreedToPrice)
                    renewal = try await scene.renewal()
                    #expect(renewal.increase == .consented && renewal.consent == .consented)
                }
                try await scene.pass(days: 32)
                renewal = try await scene.renewal()
                #expect(renewal.status == .on && renewal.increase == nil)
            }
        }
        try await ReceiptScene.on(.memory) { scene in
            try await scene.buy(ReceiptScene.plan())
            try await scene.sale.handle(
                .raised(PriceIncrease(price: higher, needsConsent: true, askedAt: SceneTime.start)))
            try await scene.pass(days: 32)
            let renewal = try await scene.renewal()
            #expect(renewal.intent == .priceIncreaseNotConsented && renewal.status == .off && renewal.consent == nil)
        }
    }

    @Test("R4.2: what is no longer sold ends for that reason, and what was taken back as if it were cancelled")
    func unavailable() async throws {
        try await ReceiptScene.on(.memory) { scene in
            try await scene.buy(ReceiptScene.plan())
            try await scene.takeFromSale()
            try await scene.pass(days: 32)
            let renewal = try await scene.renewal()
            #expect(renewal.intent == .productUnavailable && renewal.isRetried == false && renewal.status == .off)
        }
        try await ReceiptScene.on(.memory) { scene in
            let first = try await scene.buy(ReceiptScene.plan())
            _ = try await scene.sale.revoke(#require(first))
            let renewal = try await scene.renewal()
            #expect(renewal.intent == .cancelled && renewal.isRetried == false && renewal.status == .off)
            #expect(try await scene.verify(first).isExpired)
        }
    }

    @Test("R4.2: the periods of thousands are found by indexes alone")
    func plans() async throws {
        try await ReceiptScene.on(.memory) { scene in
            let plans = try await scene.databases.sandbox.read { transaction in
                let row: (Row) throws -> String = { try $0.value(3) }
                return [
                    try transaction.query(
                        "EXPLAIN QUERY PLAN \(ReceiptTransactions.selection)", 1, 42, row: row),
                    try transaction.query("EXPLAIN QUERY PLAN \(ReceiptTransactions.newest)", 1, row: row),
                    try transaction.query("EXPLAIN QUERY PLAN \(PendingRenewal.selection)", 1, 42, row: row),
                ]
            }
            for plan in plans {
                let isIndexed = plan.allSatisfy { !$0.hasPrefix("SCAN") && !$0.contains("TEMP B-TREE") }
                #expect(!plan.isEmpty && isIndexed, "\(plan)")
            }
        }
    }
}
