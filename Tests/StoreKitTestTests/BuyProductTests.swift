import Foundation
import StoreKit
import StoreModel
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("Purchases with options outside the app", .bounded)
struct BuyProductTests {
    private static let club = "monkeys.club"

    @Test("X2: The transaction says what was bought, how many and for whom, and reaches the app")
    func options() async throws {
        let bench = try Bench()
        let token = UUID()
        let bought = try await bench.session.buyProduct(
            identifier: "monkeys.credits5", options: [.quantity(3), .appAccountToken(token)])
        #expect(bought.productID == "monkeys.credits5")
        #expect(bought.purchasedQuantity == 3)
        #expect(bought.appAccountToken == token)
        #expect(bought.purchaseDate == Bench.start.date)
        #expect(bench.session.allTransactions().map(\.identifier) == [UInt(bought.id)])
        try await bench.run { observer in try await observer.until("purchased credits5") }
    }

    @Test("What is owned once is the same transaction when it is bought again")
    func again() async throws {
        let session = try Bench().session
        let first = try await session.buyProduct(identifier: "monkeys.jungle")
        let second = try await session.buyProduct(identifier: "monkeys.jungle")
        #expect(first.id == second.id)
    }

    @Test("X7: A promotional offer of the configuration needs no signature, and one that is not there is refused")
    func offer() async throws {
        let offer = #"{"offerID":"spring","paymentMode":"free","subscriptionPeriod":"P1W","internalID":"9"}"#
        let text = try Bench.text().replacing(/"adHocOffers" : \[\s*\]/, with: "\"adHocOffers\" : [\(offer)]")
        let session = try Bench(text: text).session
        try session.buyProduct(productIdentifier: Self.club)
        try session.expireSubscription(productIdentifier: Self.club)
        let bought = try await session.buyProduct(identifier: Self.club, options: [.promotionalOffer(id: "spring")])
        #expect(bought.expirationDate == Bench.start.date.addingTimeInterval(7 * 86_400))
        let error = await #expect(throws: SKTestError.self) {
            try await session.buyProduct(identifier: Self.club, options: [.promotionalOffer(id: "winter")])
        }
        #expect(error?.code == .invalidProductIdentifier)
    }

    static let behaviors: [(Product.PurchaseOption.SubscriptionRenewalBehavior, [Bool])] = [
        (.renewUntilNow, [true, true, true]), (.cancelImmediately, [false]),
    ]

    @Test(
        "X4: A subscription of the past has renewed until now, or has ended with its first period",
        arguments: behaviors)
    func past(behavior: Product.PurchaseOption.SubscriptionRenewalBehavior, renews: [Bool]) async throws {
        let session = try Bench().session
        let date = Bench.start.date.addingTimeInterval(-70 * 86_400)
        let bought = try await session.buyProduct(
            identifier: Self.club, options: [.purchaseDate(date, renewalBehavior: behavior)])
        #expect(bought.purchaseDate == date)
        #expect(session.allTransactions().map(\.autoRenewingEnabled) == renews)
        let future = Bench.start.date.addingTimeInterval(60)
        let error = await #expect(throws: SKTestError.self) {
            try await session.buyProduct(identifier: "monkeys.jungle", options: [.purchaseDate(future)])
        }
        #expect(error?.code == .invalidAction)
    }

    @Test("X2: A purchase that another person has to allow waits for that, and comes to the app after a yes")
    func askToBuy() async throws {
        let session = try Bench().session
        session.askToBuyEnabled = true
        let error = await #expect(throws: SKTestError.self) {
            try await session.buyProduct(identifier: "monkeys.jungle", options: [.simulatesAskToBuyInSandbox(false)])
        }
        #expect(error?.code == .invalidAction)
        let waiting = try #require(session.allTransactions().first)
        #expect(waiting.pendingAskToBuyConfirmation)
        try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        try await session.asCurrent {
            let latest = try #require(await Transaction.latest(for: "monkeys.jungle")).payloadValue
            #expect(latest.productID == "monkeys.jungle")
        }
        session.askToBuyEnabled = false
        try await session.buyProduct(identifier: "monkeys.credits5", options: [.simulatesAskToBuyInSandbox(true)])
        #expect(session.allTransactions().count { !$0.pendingAskToBuyConfirmation } == 2)
    }

    @Test("What somebody has to settle first waits, and is no transaction yet")
    func interrupted() async throws {
        let session = try Bench().session
        session.interruptedPurchasesEnabled = true
        let error = await #expect(throws: SKTestError.self) {
            try await session.buyProduct(identifier: "monkeys.jungle")
        }
        #expect(error?.code == .invalidAction)
        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [true])
    }
}
