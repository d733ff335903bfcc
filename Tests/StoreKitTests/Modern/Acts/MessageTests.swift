import StoreCatalogue
import StoreDatabase
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What the store tells the customer while the app is open, and the pages that it opens for subscriptions.
@Suite("X1: Messages, and pages of subscriptions", .bounded)
struct MessageTests {
    @Test("X7: Who may come back by an offer gets a message, in each run of the app once")
    func winBack() async throws {
        let bench = try await SessionBench(SessionStore())
        let offer = try SubscriptionOffer(
            id: "back", kind: .winBack, paymentMode: .payUpFront, period: .threeMonths,
            basePrice: Money(minorUnits: 100, currency: .usd))
        try await bench.store.databases.catalogue.write { transaction in
            let app = try #require(try Catalogue.app(BundleID(parsing: DemoCatalogue.bundleID), in: transaction))
            let club = try #require(
                try Catalogue.product(ProductID(parsing: SessionStore.club), of: app.id, in: transaction))
            let cause = CatalogueCause(.store, at: SessionTime.start)
            try SubscriptionOffers.put(offer, of: club, cause.change(in: transaction))
        }
        try await bench.withApp { client in
            let bought = try await bench.product(SessionStore.club).purchase().bought()
            await bought.finish()
            var messages = Message.messages.makeAsyncIterator()
            try await bench.expire(bought)
            #expect(await messages.next()?.reason == .winBackOffer)
            let status = try #require(try await Product.SubscriptionInfo.status(transactionID: bought.id))
            #expect(status.renewalInfo.unsafePayloadValue.eligibleWinBackOfferIDs == ["back"])
            // What is told next is about something else.
            try await bench.store.sell(SessionStore.jungle)
            try await client.session.catchUp()
            TransactionDelivery.current.messages.send(Message(reason: .generic))
            #expect(await messages.next()?.reason == .generic)
        }
        try await bench.withApp { _ in
            var messages = Message.messages.makeAsyncIterator()
            #expect(await messages.next()?.reason == .winBackOffer)
        }
    }

    @Test(
        "The page of a group is where the customer's own subscription is, else that of the app; without a group it is all they have"
    )
    func manage() async throws {
        let bench = try await SessionBench(SessionStore())
        let prompt = PlacedPrompt()
        try await bench.withApp(prompt: prompt) { _ in
            let club = try await bench.product(SessionStore.club)
            let group = try #require(club.subscription?.subscriptionGroupID)
            try await AppStore.showManageSubscriptions(subscriptionGroupID: group)
            let bought = try await club.purchase().bought()
            await bought.finish()
            try await AppStore.showManageSubscriptions(subscriptionGroupID: group)
            try await AppStore.showManageSubscriptions(subscriptionGroupID: "other")
            try await AppStore.showManageSubscriptions()
            #expect(prompt.places.lines[1].hasSuffix("/us/library#subscription\(bought.originalID)"))
        }
        let app = try #require(bench.profile.content.appId)
        let addresses = prompt.places.lines
        #expect(addresses.map { $0.contains("/id\(app.number)?") } == [true, false, true, false])
        #expect([addresses[0], addresses[2]].allSatisfy { $0.hasSuffix("#in-app") })
        #expect(addresses.last?.hasSuffix("/us/library#subscriptions") == true)
    }
}

extension SessionBench {
    /// Ends the subscription of a transaction at the store.
    fileprivate func expire(_ transaction: Transaction) async throws {
        _ = try await store.control("POST", "/subscriptions/\(transaction.originalID)/expiry")
    }
}

/// Says yes as the tester, and notes the addresses that it is told.
private struct PlacedPrompt: PurchasePrompt {
    let places = Transcript()

    var asksPerson: Bool { false }

    func ask(_ question: PromptQuestion) async -> PromptReply { await SessionBench.account.ask(question) }

    func tell(_ notice: PromptNotice) async { if let address = notice.address { places.write(address) } }
}
