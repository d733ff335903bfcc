import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("Offers applied to purchases", .bounded)
struct OfferPurchaseTests {
    @Test("X7: A trial applies by itself, is free, and renews at the full price", arguments: StoreEngine.allCases)
    func trial(_ engine: StoreEngine) async throws {
        try await OfferScene.on(engine) { shop in
            let customer = try await shop.scene.customer()
            let device = try await shop.device(customer)
            let bought = try await shop.buy(on: device)
            #expect(bought.state == .purchased)
            #expect(bought.charge == nil)
            let first = try await shop.scene.transaction(bought.transaction)
            #expect(first.offer?.type == .introductory)
            #expect(first.offer?.mode == .freeTrial)
            #expect(first.expiresDate == SceneTime.start + .seconds(7 * 24 * 60 * 60))
            try await shop.pass(days: 8)
            #expect(try await shop.prices(of: customer) == [0, 999])
            let check = try await shop.scene.check()
            #expect(check.isInOrder, "\(check)")
        }
    }

    @Test("X7: Two devices at once use one trial of a group; the other is asked the full price under another code")
    func twoDevices() async throws {
        for engine in StoreEngine.allCases {
            try await OfferScene.on(engine) { shop in
                let customer = try await shop.scene.customer()
                let (one, other) = (try await shop.device(customer), try await shop.device(customer))
                // Of different products, so that one is no redelivery of the other.
                let first = try await shop.open(OfferScene.silver, on: one)
                let second = try await shop.open(OfferScene.gold, on: other)
                #expect([first, second].map(\.purchase.total.minorUnits) == [0, 0])
                async let a = shop.confirm(first)
                async let b = shop.confirm(second)
                let ended = try await [a, b]
                let waiting = try #require(ended.first { $0.state == .confirmation })
                #expect(ended.filter { $0.state == .purchased }.count == 1)
                #expect(waiting.total.minorUnits == 999)
                #expect(![first.purchase.code, second.purchase.code].contains(waiting.code))
                let paid = try await shop.scene.confirm(waiting.id)
                #expect(paid.charge?.amount.minorUnits == 999)
                let trials = try await shop.scene.count(
                    "SELECT count(*) FROM store_transaction WHERE offer_type = 1")
                #expect(trials == 1)
            }
        }
    }

    @Test("X7: Who had a subscription of the group pays the full price for another product of it, without an error")
    func notNew() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let device = try await shop.device(customer)
            try await shop.buy(on: device)
            let other = try await shop.open(OfferScene.gold, on: device)
            #expect(other.purchase.total.minorUnits == 999)
            #expect(other.purchase.item.offer == nil)
        }
    }

    @Test("X7: A customer who signs in late gets the trial, or the full price under another code")
    func lateSignIn() async throws {
        try await OfferScene.on(.memory) { shop in
            let (new, former) = (try await shop.scene.customer(), try await shop.scene.customer())
            try await shop.buy(on: try await shop.device(former))
            for (customer, total) in [(new, 0), (former, 999)] as [(CustomerID, Int64)] {
                let (scope, token) = try await shop.scene.registered(
                    nil, profileRevision: shop.sample.app.capabilitiesRevision)
                let opened = try await shop.open(OfferScene.gold, on: token)
                #expect(opened.purchase.total.minorUnits == 999)
                let account = try await shop.store.database.read { try Customers.require(customer, in: $0) }
                _ = try await Accounts(shop.store).signIn(account, on: scope, shop.scene.cause)
                let waiting = try await shop.scene.purchase(opened.purchase.id)
                #expect(waiting.state == .confirmation)
                #expect(waiting.total.minorUnits == total)
                #expect((waiting.code == opened.purchase.code) == (total == 999))
            }
        }
    }

    /// What the developer's server says of a customer, and what gold costs them then, who had a subscription of the group or not.
    static let overrides: [(word: String, wasSubscriber: Bool, total: Int64)] = [
        ("true", true, 0), ("false", true, 999), ("unknown key", true, 999), ("other product", true, 999),
        ("true", false, 0), ("false", false, 999), ("unknown key", false, 999), ("other product", false, 999),
    ]

    @Test(
        "X1, P25: The developer's server decides on the introductory offer, whether somebody is signed in or signs in later",
        arguments: overrides)
    func introductoryOverride(word: String, wasSubscriber: Bool, total: Int64) async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            if wasSubscriber {
                try await shop.buy(on: try await shop.device(customer))
                let (former, cause) = (try await shop.subscription(of: customer).id, shop.store.cause(.owner))
                try await shop.store.database.write { transaction in
                    let found = try Subscriptions.require(former, in: transaction)
                    _ = try Subscriptions.handle(.ended, of: found, cause.change(of: customer, in: transaction))
                }
            }
            let signed = try OfferToken.introductoryEligibility(
                word != "false", of: word == "other product" ? OfferScene.silver : OfferScene.gold,
                in: OfferScene.bundle, at: shop.scene.time.current,
                with: NamedKey(keyID: word == "unknown key" ? "ZZZZZZZZZZ" : "ABCDE12345", key: shop.key))
            func open(on token: DeviceToken) async throws -> Checkout.Answer {
                try await shop.scene.checkout.open(
                    Checkout.Selection(
                        product: OfferScene.gold, quantity: nil, accountToken: nil, introductoryEligibility: signed),
                    key: PurchaseKey(UUID()), as: token, request: nil)
            }
            let known = try await open(on: try await shop.device(customer))
            #expect(known.purchase.total.minorUnits == total)
            let (scope, token) = try await shop.scene.registered(
                nil, profileRevision: shop.sample.app.capabilitiesRevision)
            let opened = try await open(on: token)
            // Nobody knows yet whose purchase it is.
            #expect(opened.purchase.total.minorUnits == 999)
            let account = try await shop.store.database.read { try Customers.require(customer, in: $0) }
            _ = try await Accounts(shop.store).signIn(account, on: scope, shop.scene.cause)
            #expect(try await shop.scene.purchase(opened.purchase.id).total.minorUnits == total)
            // It is judged once more when it is confirmed.
            let bought = try await shop.scene.confirm(opened.purchase.id)
            #expect(bought.state == .purchased && bought.total.minorUnits == total)
        }
    }

    @Test("X1: A no of the developer's server also keeps a stackable code from bringing the introductory offer")
    func overrideBesideCode() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let made = try await shop.codes("stacked")
            let signed = try OfferToken.introductoryEligibility(
                false, of: OfferScene.silver, in: OfferScene.bundle, at: shop.scene.time.current,
                with: NamedKey(keyID: "ABCDE12345", key: shop.key))
            let (scope, token) = try await shop.scene.registered(
                nil, profileRevision: shop.sample.app.capabilitiesRevision)
            let opened = try await shop.scene.checkout.open(
                Checkout.Selection(
                    product: OfferScene.silver, quantity: nil, accountToken: nil,
                    offer: .code(try #require(made.codes.first)), introductoryEligibility: signed),
                key: PurchaseKey(UUID()), as: token, request: nil)
            let account = try await shop.store.database.read { try Customers.require(customer, in: $0) }
            _ = try await Accounts(shop.store).signIn(account, on: scope, shop.scene.cause)
            #expect(try await shop.scene.purchase(opened.purchase.id).total.minorUnits == 200)
        }
    }

    @Test("X7: Pay as you go counts its periods down over renewals, then the price is the full one")
    func payAsYouGo() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let device = try await shop.device(customer)
            try await shop.buy(on: device)
            try await shop.buy(OfferScene.silver, .signed(shop.discount()), on: device)
            #expect(try await shop.subscription(of: customer).rules.nextOffer?.id == "spring")
            try await shop.pass(days: 150)
            #expect(try await shop.prices(of: customer).prefix(5) == [0, 100, 100, 100, 999])
            let types = try await shop.scene.count("SELECT count(*) FROM store_transaction WHERE offer_type = 2")
            #expect(types == 3)
        }
    }

    @Test("X7: The operator sells at an offer by its name, and not to whom it is not for")
    func byOperator() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            func sell(_ offer: String) async throws -> SaleStatus {
                try await shop.scene.checkout.sell(
                    Checkout.Selection(
                        product: OfferScene.silver, quantity: nil, accountToken: nil, offer: .named(offer)),
                    to: customer.description, app: shop.sample.app.bundleID, key: nil, shop.store.cause(.owner)
                ).status
            }
            await expect(.ineligibleForOffer, "never had") { _ = try await sell("back") }
            await expect(.invalidOfferIdentifier, "has no offer none") { _ = try await sell("none") }
            try await shop.buy(on: try await shop.device(customer))
            await expect(.ineligibleForOffer, "need not be won back") { _ = try await sell("back") }
            let original = try await shop.subscription(of: customer).id
            let cause = shop.store.cause(.owner)
            try await shop.store.database.write { transaction in
                let found = try Subscriptions.require(original, in: transaction)
                _ = try Subscriptions.handle(.ended, of: found, cause.change(of: customer, in: transaction))
            }
            try await shop.put(
                SubscriptionOffer(
                    id: "return", kind: .winBack, paymentMode: .free, period: .oneMonth,
                    audience: .init(lapsedMonths: 1)), of: OfferScene.gold)
            let token = try await shop.device(customer)
            func told() async throws -> [[String]?] {
                try await DeviceSubscriptions(shop.store).list(as: token).subscriptions.map(
                    \.renewal.eligibleWinBackOfferIds)
            }
            #expect(try await told() == [nil])
            shop.scene.time.pass(.seconds(40 * 24 * 60 * 60))
            // Any product of the group leads back to it; that which the customer had comes first.
            #expect(try await told() == [["back", "return"]])
            let sold = try await sell("back")
            #expect(sold.bought?.offer?.type == .winBack)
            #expect(sold.bought?.price.minorUnits == 200)
        }
    }

    @Test("P42: The reason why a customer may have an offer, or may not, can be asked for")
    func eligibility() async throws {
        try await OfferScene.on(.memory) { shop in
            let customer = try await shop.scene.customer()
            let lookup = OfferLookup(shop.store)
            let silver = try ProductID(parsing: OfferScene.silver)
            func open() async throws -> Set<String> {
                let found = try await lookup.eligibility(
                    of: customer.description, app: shop.sample.app.bundleID, product: silver)
                #expect(found.allSatisfy { !$0.verdict.reason.isEmpty })
                return Set(found.filter(\.verdict.isEligible).map(\.offer.id))
            }
            #expect(try await open() == ["trial", "gift", "stacked"])
            try await shop.buy(on: try await shop.device(customer))
            #expect(try await open() == ["spring", "gift"])
        }
    }
}

/// Expects a refusal of a code, whose message has some words.
func expect(
    _ code: RefusalCode, _ words: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was refused", sourceLocation: sourceLocation)
    } catch let error as ServiceError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        #expect(words.isEmpty || error.message.contains(words), "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
    }
}
