import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// What is sold holds by the clock of the customer, whatever the clock on the wall shows.
@Suite(.bounded) struct CommerceTimeTests {
    private static let day = Duration.seconds(24 * 60 * 60)

    /// Sets a price for the 30th day, and lets the trial be over then.
    private func change(_ shop: OfferScene) async throws {
        let (app, start) = (shop.sample.app.id, shop.scene.time.current)
        let change = start + Self.day * 30
        try await shop.store.catalogue.write { transaction in
            let product = try #require(
                try Catalogue.product(ProductID(parsing: OfferScene.silver), of: app, in: transaction))
            try PriceChanges.set(
                Money(minorUnits: 1299, currency: .usd), of: product, in: CatalogueSample.storefront("USA"),
                from: change, CatalogueChange(.store, at: start, in: transaction))
        }
        try await shop.put(
            SubscriptionOffer(
                id: "trial", kind: .introductory, paymentMode: .free, period: .oneWeek, endsAt: change),
            of: OfferScene.silver)
    }

    /// What a device is shown, and what it is asked for: price and price of an introductory offer.
    private func shown(_ shop: OfferScene, on token: DeviceToken) async throws -> [Int64?] {
        let scope = try await shop.store.scope(of: token)
        let listing = try #require(
            try await ProductLookup(shop.store).listings([OfferScene.silver], for: scope).listings.first)
        let asked = try await shop.open(on: token)
        _ = try await shop.scene.cancel(asked.purchase.id)
        let trial = listing.offers.first { $0.offer.kind == .introductory }
        #expect((trial?.price ?? listing.price) == asked.purchase.total)
        return [listing.price.minorUnits, trial?.price.minorUnits]
    }

    @Test("X4: A price and an offer hold by the clock that is set, for who is shown them and who is charged")
    func setClock() async throws {
        try await OfferScene.on(.memory) { shop in
            try await change(shop)
            let (clocks, cause) = (Clocks(shop.store), shop.store.cause(.owner))
            let token = try await shop.device(shop.scene.customer())
            #expect(try await shown(shop, on: token) == [999, 0])
            _ = try await clocks.set(nil, to: SceneTime.start + Self.day * 30, cause)
            #expect(try await shown(shop, on: token) == [1299, nil])
            // Of a customer whom no device asks for too.
            let eve = try await shop.scene.customer()
            let selection = try Checkout.Selection(product: OfferScene.silver, quantity: nil, accountToken: nil)
            let sold = try await shop.scene.checkout.sell(
                selection, to: eve.description, app: shop.sample.app.bundleID, key: nil, cause)
            #expect(sold.status.charge?.amount.minorUnits == 1299)
            // What is asked for by its name is not there any more either.
            try await shop.put(
                SubscriptionOffer(
                    id: "spring", kind: .promotional, paymentMode: .payAsYouGo, period: .oneMonth,
                    basePrice: Money(minorUnits: 100, currency: .usd), endsAt: SceneTime.start + Self.day),
                of: OfferScene.silver)
            let refusal = await #expect(throws: ServiceError.self) {
                try await shop.open(OfferScene.silver, .named("spring"), on: token)
            }
            #expect(refusal?.message.contains("is over") == true)
        }
    }

    @Test("X4: A clock that stands still keeps prices and offers, however much time passes on the wall")
    func frozenClock() async throws {
        try await OfferScene.on(.memory) { shop in
            try await change(shop)
            _ = try await Clocks(shop.store).freeze(nil, shop.store.cause(.owner))
            shop.scene.time.pass(Self.day * 60)
            #expect(try await shown(shop, on: shop.device(shop.scene.customer())) == [999, 0])
        }
    }

    @Test("X4: A tester with a clock of its own pays what holds by that, also where it signs in for a purchase")
    func testers() async throws {
        try await OfferScene.on(.memory) { shop in
            try await change(shop)
            let (ada, eve) = (try await shop.scene.customer(), try await shop.scene.customer())
            let cause = shop.store.cause(.owner)
            _ = try await Clocks(shop.store).set(ada.description, to: SceneTime.start + Self.day * 30, cause)
            #expect(try await shown(shop, on: shop.device(ada)) == [1299, nil])
            #expect(try await shown(shop, on: shop.device(eve)) == [999, 0])
            let token = try await shop.device(nil)
            let asked = try await shop.open(on: token)
            // What the code was shown with is another price.
            let code = try #require(asked.purchase.code)
            let refusal = await #expect(throws: ServiceError.self) {
                try await Approvals(shop.store).answer(code: code, for: ada.description, isApproved: true, cause)
            }
            #expect(refusal?.code == .priceChanged)
            #expect(try await shop.scene.purchase(asked.purchase.id).total.minorUnits == 1299)
        }
    }

    @Test("X7: A day to approve and twelve hours to say what was consumed pass by the clock of the customer")
    func deadlines() async throws {
        try await FamilyScene.on(.memory) { family in
            let (scene, cause) = (family.scene, family.cause)
            let (clocks, decisions) = (Clocks(scene.store), RefundDecisions(scene.store))
            let device = try await scene.device(family.organiser)
            let bought = try #require(try await scene.buy(.sample(.consumable), on: device).transaction)
            _ = try await clocks.freeze(nil, cause)
            let asked = try await family.ask(family.own, on: scene.device(family.child))
            let refund = try await decisions.request(
                bought, for: family.organiser.description, because: .unsatisfied, note: nil, cause
            ).request.id
            let told = try Consumption(
                customerConsented: true, sampleContentProvided: false, deliveryStatus: .delivered,
                consumptionPercentage: nil, refundPreference: nil)
            scene.time.pass(Self.day * 3)
            _ = try await clocks.goOn()
            #expect(try await scene.purchase(asked.id).state == .approval)
            _ = try await decisions.answer(refund, with: told, cause)

            // A tester takes the deadline along.
            _ = try await clocks.freeze(family.child.description, cause)
            _ = try await clocks.advance(nil, by: ClockStep(.seconds(12 * 60 * 60)), cause)
            let refusal = await #expect(throws: ServiceError.self) {
                try await decisions.answer(refund, with: told, cause)
            }
            #expect(refusal?.code == .tooLate)
            _ = try await clocks.advance(nil, by: ClockStep(Self.day), cause)
            #expect(try await scene.purchase(asked.id).state == .approval)
            _ = try await clocks.advance(family.child.description, by: ClockStep(Self.day), cause)
            #expect(try await scene.purchase(asked.id).failure == .expired)
            #expect(try await scene.count("SELECT count(*) FROM work WHERE kind = 'purchase'") == 0)
        }
    }

    @Test("X7: A higher price is brought to those in its storefront who pay less by their own clocks")
    func raised() async throws {
        try await OfferScene.on(.memory) { shop in
            let (ada, eve) = (try await shop.scene.customer(), try await shop.scene.customer())
            let cause = shop.store.cause(.owner)
            for customer in [ada, eve] { try await shop.buy(on: shop.device(customer)) }
            try await change(shop)
            _ = try await Clocks(shop.store).set(eve.description, to: SceneTime.start + Self.day * 30, cause)
            // Another storefront that is paid in dollars.
            let (app, now) = (shop.sample.app.id, SceneTime.start)
            try await shop.store.catalogue.write { transaction in
                let product = try #require(
                    try Catalogue.product(ProductID(parsing: OfferScene.silver), of: app, in: transaction))
                try Catalogue.setPrice(
                    .own(Money(minorUnits: 1999, currency: .usd)), of: product, in: CatalogueSample.storefront("ECU"),
                    CatalogueChange(.store, at: now, in: transaction))
            }
            let changes = SubscriptionChanges(shop.store)
            for (storefront, count) in [("ECU", 0), ("USA", 1)] {
                let raised = try await changes.raise(
                    ProductID(parsing: OfferScene.silver), of: shop.sample.app.bundleID,
                    in: CatalogueSample.storefront(storefront), consent: nil, cause)
                #expect(raised.count == count, "\(storefront)")
            }
            #expect(try await shop.subscription(of: eve).rules.increase?.price.minorUnits == 1299)
            #expect(try await shop.subscription(of: ada).rules.increase == nil)
        }
    }
}
