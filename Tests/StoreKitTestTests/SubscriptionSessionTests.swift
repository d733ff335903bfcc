import Foundation
import StoreCatalogue
import StoreKit
import StoreModel
import StoreRules
import StoreService
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("Subscriptions of a test session", .bounded)
struct SubscriptionSessionTests {
    private static let club = "monkeys.club"

    private static func bought(_ bench: Bench) throws -> SKTestTransaction {
        try bench.session.buyProduct(productIdentifier: club)
        return try #require(bench.session.allTransactions().last)
    }

    @Test("X7: A renewal is forced at once, and reaches the app as a purchase with the original")
    func force() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            observer.finishes(false)
            let first = try Self.bought(bench)
            #expect(first.autoRenewingEnabled && first.expirationDate != nil)
            try bench.session.forceRenewalOfSubscription(productIdentifier: Self.club)
            let all = bench.session.allTransactions()
            #expect(all.map(\.originalTransactionIdentifier) == [first.identifier, first.identifier])
            #expect(Set(all.map(\.identifier)).count == 2)
            #expect(all.first?.expirationDate == Bench.start.date)
            await mainQueueDrained()
            #expect(observer.lines == ["purchased club", "purchased club"])
            let renewed = try #require(
                SKPaymentQueue.default().transactions.first {
                    $0.transactionIdentifier == all.last.map { "\($0.identifier)" }
                })
            #expect(renewed.original?.transactionIdentifier == "\(first.identifier)")
        }
    }

    @Test("X7: An advance renews what became due, and returns when it is done")
    func advance() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            _ = try Self.bought(bench)
            try bench.session.advance(by: .seconds(95 * 86_400))
            let all = bench.session.allTransactions()
            #expect(all.count == 4)
            for (one, next) in zip(all, all.dropFirst()) { #expect(one.expirationDate == next.purchaseDate) }
            await mainQueueDrained()
            #expect(observer.lines.count { $0 == "purchased club" } == 4)
            #expect { try bench.session.advance(by: .seconds(-1)) } throws: { error in
                (error as? SKTestError)?.code == .invalidAction
            }
        }
    }

    @Test("X7: A session renews beyond the twelve times of the sandbox")
    func manyRenewals() async throws {
        let bench = try Bench()
        try await bench.run { _ in
            _ = try Self.bought(bench)
            try bench.session.advance(by: .seconds(440 * 86_400))
            #expect(bench.session.allTransactions().count > SubscriptionTerms.sandboxRenewals + 1)
            #expect(bench.session.allTransactions().last?.autoRenewingEnabled == true)
        }
    }

    @Test("X7: A subscription that is turned off ends with its period, and one that expires ends at once")
    func ends() throws {
        let bench = try Bench()
        let session = bench.session
        let first = try Self.bought(bench)
        try session.disableAutoRenewForTransaction(identifier: first.identifier)
        #expect(session.allTransactions().map(\.autoRenewingEnabled) == [false])
        try session.enableAutoRenewForTransaction(identifier: first.identifier)
        #expect(session.allTransactions().map(\.autoRenewingEnabled) == [true])
        try session.disableAutoRenewForTransaction(identifier: Int(first.identifier))
        try session.advance(by: .seconds(40 * 86_400))
        #expect(session.allTransactions().count == 1)
        #expect(Self.code { try session.enableAutoRenewForTransaction(identifier: first.identifier) } == .invalidAction)
        #expect(Self.code { try session.expireSubscription(productIdentifier: Self.club) } == .noSubscriptionFound)

        // Bought again, it goes on in the same series.
        let again = try Self.bought(bench)
        #expect(again.originalTransactionIdentifier == first.identifier)
        try session.expireSubscription(productIdentifier: Self.club)
        let ended = try #require(session.allTransactions().last)
        #expect(!ended.autoRenewingEnabled)
        #expect(try #require(ended.expirationDate) <= again.purchaseDate)
    }

    @Test(
        "X7: While renewals cannot be paid they are tried again, and count in the grace period, until the issue is resolved"
    )
    func retry() async throws {
        let bench = try Bench()
        let session = bench.session
        try await bench.run { observer in
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = true
            // A purchase is no renewal.
            let first = try Self.bought(bench)
            #expect(!first.hasPurchaseIssue)
            #expect(
                Self.code { try session.resolveIssueForTransaction(identifier: first.identifier) } == .invalidAction)
            try session.forceRenewalOfSubscription(productIdentifier: Self.club)
            #expect(session.allTransactions().map(\.hasPurchaseIssue) == [true])
            try session.resolveIssueForTransaction(identifier: first.identifier)
            #expect(session.allTransactions().map(\.hasPurchaseIssue) == [false, false])
            await mainQueueDrained()
            #expect(observer.lines.count { $0 == "purchased club" } == 2)

            // Once it is over, nothing is resolved.
            try session.advance(by: .seconds(120 * 86_400))
            #expect(session.allTransactions().count == 2)
            #expect(
                Self.code { try session.resolveIssueForTransaction(identifier: first.identifier) } == .invalidAction)
            #expect(session.allTransactions().count == 2)
        }
    }

    @Test("X7: The customer is asked about a price, and the subscription renews with a yes and ends without")
    func consent() throws {
        let bench = try Bench()
        let session = bench.session
        let first = try Self.bought(bench)
        #expect(
            Self.code { try session.consentToPriceIncreaseForTransaction(identifier: first.identifier) }
                == .invalidAction)
        try session.requestPriceIncreaseConsentForTransaction(identifier: first.identifier)
        #expect(session.allTransactions().map(\.isPendingPriceIncreaseConsent) == [true])
        #expect(
            Self.code { try session.requestPriceIncreaseConsentForTransaction(identifier: first.identifier) }
                == .invalidAction)
        try session.consentToPriceIncreaseForTransaction(identifier: first.identifier)
        #expect(session.allTransactions().map(\.isPendingPriceIncreaseConsent) == [false])
        try session.advance(by: .seconds(32 * 86_400))
        #expect(session.allTransactions().count == 2)

        try session.requestPriceIncreaseConsentForTransaction(identifier: first.identifier)
        try session.declinePriceIncreaseForTransaction(identifier: first.identifier)
        #expect(session.allTransactions().map(\.autoRenewingEnabled) == [false, false])
        try session.advance(by: .seconds(64 * 86_400))
        #expect(session.allTransactions().count == 2)
    }

    @Test("X4: A purchase that somebody else has to allow is deferred, and goes on or fails with the answer")
    func askToBuy() async throws {
        let bench = try Bench(settings: #""_storefront" : "USA", "_askToBuyEnabled" : true"#)
        let session = bench.session
        #expect(session.askToBuyEnabled)
        try await bench.run { observer in
            Bench.add("monkeys.jungle")
            try await observer.until("deferred jungle")
            let asked = try #require(session.allTransactions().last)
            #expect(asked.pendingAskToBuyConfirmation && asked.state == .deferred)
            try session.approveAskToBuyTransaction(identifier: asked.identifier)
            await mainQueueDrained()
            #expect(observer.lines.contains("purchased jungle"))
            #expect(session.allTransactions().map(\.pendingAskToBuyConfirmation) == [false])
            #expect(
                Self.code { try session.approveAskToBuyTransaction(identifier: asked.identifier) } == .invalidAction)

            Bench.add("monkeys.credits5")
            try await observer.until("deferred credits5")
            let second = try #require(session.allTransactions().last)
            try session.declineAskToBuyTransaction(identifier: Int(second.identifier))
            await mainQueueDrained()
            #expect(observer.lines.contains("failed 2 credits5"))
            #expect(session.allTransactions().count == 1)
            session.askToBuyEnabled = false
            Bench.add("monkeys.credits5")
            try await observer.until("purchased credits5")
        }
    }

    @Test("X4: Whether somebody else has to allow a purchase is for the session to say, not for the payment")
    func paymentThatAsks() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            let payment = SKMutablePayment()
            payment.productIdentifier = "monkeys.credits5"
            payment.simulatesAskToBuyInSandbox = true
            SKPaymentQueue.default().add(payment)
            try await observer.until("purchased credits5")
            let jungle = try #require(try await Product.products(for: ["monkeys.jungle"]).first)
            let result = try await jungle.purchase(options: [.simulatesAskToBuyInSandbox(true)])
            if case .success = result {} else { Issue.record("it waits: \(result)") }
        }
    }

    @Test("What is not there or of another kind is told apart")
    func errors() throws {
        let bench = try Bench()
        let session = bench.session
        try session.buyProduct(productIdentifier: "monkeys.jungle")
        let jungle = try #require(session.allTransactions().last).identifier
        let calls: [(UInt) throws -> Void] = [
            session.disableAutoRenewForTransaction, session.enableAutoRenewForTransaction,
            session.requestPriceIncreaseConsentForTransaction, session.consentToPriceIncreaseForTransaction,
            session.declinePriceIncreaseForTransaction,
        ]
        for call in calls {
            #expect(Self.code { try call(jungle) } == .invalidProductType)
            #expect(Self.code { try call(7) } == .noTransactionFound)
        }
        #expect(Self.code { try session.approveAskToBuyTransaction(identifier: jungle) } == .noTransactionFound)
        #expect(Self.code { try session.declineAskToBuyTransaction(identifier: UInt.max) } == .noTransactionFound)
        for call in [session.expireSubscription, session.forceRenewalOfSubscription] {
            #expect(Self.code { try call("monkeys.jungle") } == .invalidProductType)
            #expect(Self.code { try call("monkeys.club") } == .noSubscriptionFound)
            #expect(Self.code { try call("monkeys.nothing") } == .noSubscriptionFound)
        }
    }

    @Test("X7: Time runs by itself at the rate of the session, as tests that sleep expect")
    func timeRuns() async throws {
        let session = try SKTestSession(contentsOf: Bench.url("Monkeys"))
        session.disableDialogs = true
        session.timeRate = .oneRenewalEveryTwoSeconds
        let observer = TellingObserver()
        try await session.asCurrent {
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            Bench.add(Self.club)
            try await observer.until("purchased club", times: 2)
        }
        let all = session.allTransactions()
        #expect(all.count >= 2)
        for one in all {
            #expect(try #require(one.expirationDate).timeIntervalSince(one.purchaseDate) == 2)
        }
    }

    @Test("The rates have the raw values of Apple's platforms, and shorten periods by what they say")
    func rates() throws {
        let raw = [0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 15, 1000, 1001, 1002, 1003, 1004, 1005]
        #expect(SKTestSession.TimeRate.allCases.map(\.rawValue) == raw)
        let periods: [BillingPeriod] = [.oneWeek, .oneMonth, .oneYear]
        let lengths: [[Int64]] = SKTestSession.TimeRate.allCases.map { rate in
            periods.map { period in
                let end: Instant = rate.scale.end(of: period, from: Bench.start)
                return (end - Bench.start).components.seconds
            }
        }
        let calendar: [Int64] = [604_800, 2_678_400, 31_536_000]
        #expect(lengths[0] == calendar)
        #expect(lengths[6] == [7, 30, 360])
        #expect(lengths[10] == [70, 300, 3600])
        #expect(lengths[11] == [7, 30, 360])
        #expect(lengths[17] == [2, 2, 2])
    }

    @Test("The settings of a file are the first of the session, and what a reset goes back to")
    func settings() throws {
        let bench = try Bench(
            settings: """
                "_storefront" : "USA", "_timeRate" : 9999, "_compatibilityTimeRate" : { "3" : 6, "4" : 1004 },
                "_renewalBillingIssuesEnabled" : true, "_billingGracePeriodEnabled" : true, "_askToBuyEnabled" : true
                """)
        let session = bench.session
        for _ in 1...2 {
            #expect(session.timeRate == .oneRenewalEveryTenSeconds)
            #expect(session.shouldEnterBillingRetryOnRenewal && session.billingGracePeriodIsEnabled)
            #expect(session.askToBuyEnabled)
            session.timeRate = .realTime
            session.shouldEnterBillingRetryOnRenewal = false
            session.billingGracePeriodIsEnabled = false
            session.askToBuyEnabled = false
            session.resetToDefaultState()
        }
        session.askToBuyEnabled = false
        #expect(
            try Self.bought(bench).expirationDate == Bench.start.date.addingTimeInterval(10), "the rate holds at once")
        let plain = TestSettings(Array(#"{"settings":{"_timeRate":13,"_compatibilityTimeRate":6}}"#.utf8))
        #expect(plain.timeRate == .monthlyRenewalEveryFiveMinutes)
    }

    @Test("X1: A member of the family hears by Status.updates that what is shared does not renew any more")
    func family() async throws {
        let text = try Bench.text().replacing(
            #""3.99", "familyShareable" : false"#, with: #""3.99", "familyShareable" : true"#)
        let session = try Bench(text: text).session
        let member = try session.addDevice(signedInAs: "grace@example.com")
        let (store, owner) = (session.parts.scene.store.store, session.parts.scene.store.customer.description)
        try await session.settleAsync { _ in
            let (families, cause) = (FamilyMembership(store), store.cause(.owner))
            _ = try await families.create(by: owner, cause)
            _ = try await families.add("grace@example.com", as: .adult, toFamilyOf: owner, cause)
        }
        let bought = try await session.buyProduct(identifier: Self.club)
        try await member.asCurrent {
            let heard = Observed<[Bool]>([])
            let reading = Task {
                for await status in Product.SubscriptionInfo.Status.updates {
                    heard.update { $0.append(status.renewalInfo.unsafePayloadValue.willAutoRenew) }
                }
            }
            // What is told is told against how it stood when the reading began: a first update shows that it has.
            while heard.value.isEmpty {
                try Task.checkCancellation()
                try session.forceRenewalOfSubscription(productIdentifier: Self.club)
            }
            try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            try await heard.wait { $0.last == false }
            reading.cancel()
        }
    }

    private static func code(_ body: () throws -> Void) -> SKTestError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SKTestError)?.code
        }
    }
}
