import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import Testing

/// A shop with a group of two subscriptions, all of their kinds of offers, and a key that signs.
struct OfferScene: Sendable {
    static let bundle = "com.example.app42"
    static let silver = "com.example.silver"
    static let gold = "com.example.gold"

    let scene: SaleScene
    let key: PrivateKey
    let sample: CatalogueSample

    var store: EnvironmentStore { scene.store }

    static func on(_ engine: StoreEngine, _ body: (OfferScene) async throws -> Void) async throws {
        try await SaleScene.on(engine) { try await body(OfferScene($0)) }
    }

    init(_ scene: SaleScene) async throws {
        let sample = try await CatalogueSample.make(in: scene.store.catalogue, bundleID: Self.bundle, id: 42)
        let key = try PrivateKey.p256()
        (self.scene, self.key, self.sample) = (scene, key, sample)
        for (number, id) in [Self.silver, Self.gold].enumerated() {
            let draft = try CatalogueSample.draft(
                id, kind: .autoRenewable, dollars: 999, period: .oneMonth, group: "club")
            try await sample.put(draft, item: Int64(70 + number), in: scene.store.catalogue)
            for offer in try Self.offers() { try await put(offer, of: id) }
        }
        let cause = CatalogueCause(.store, at: scene.time.current)
        try await scene.store.catalogue.write { transaction in
            _ = try OfferKeys.add(
                key.publicKey.pemRepresentation, as: "ABCDE12345", name: "key", of: sample.app.id,
                cause.change(in: transaction))
        }
    }

    private static func offers() throws -> [SubscriptionOffer] {
        let (one, two) = (Money(minorUnits: 100, currency: .usd), Money(minorUnits: 200, currency: .usd))
        return try [
            SubscriptionOffer(id: "trial", kind: .introductory, paymentMode: .free, period: .oneWeek),
            SubscriptionOffer(
                id: "spring", kind: .promotional, paymentMode: .payAsYouGo, period: .oneMonth, periodCount: 3,
                basePrice: one),
            SubscriptionOffer(
                id: "dear", kind: .promotional, paymentMode: .payUpFront, period: .threeMonths,
                prices: [StorefrontCode(rawValue: "JPN"): Money(minorUnits: 300, currency: .jpy)]),
            SubscriptionOffer(
                id: "gift", kind: .code, paymentMode: .payUpFront, period: .threeMonths, basePrice: two),
            SubscriptionOffer(
                id: "stacked", kind: .code, paymentMode: .payUpFront, period: .threeMonths, basePrice: two,
                audience: .init(eligibility: [.new], isStackable: true)),
            SubscriptionOffer(
                id: "back", kind: .winBack, paymentMode: .payUpFront, period: .threeMonths, basePrice: two,
                audience: .init(lapsedMonths: 1)),
        ]
    }

    func put(_ offer: SubscriptionOffer, of id: String) async throws {
        let (app, cause) = (sample.app.id, CatalogueCause(.store, at: scene.time.current))
        try await store.catalogue.write { transaction in
            let product = try #require(try Catalogue.product(ProductID(parsing: id), of: app, in: transaction))
            try SubscriptionOffers.put(offer, of: product, cause.change(in: transaction))
        }
    }

    // MARK: What devices do

    func device(_ customer: CustomerID?) async throws -> DeviceToken {
        try await scene.registered(customer, profileRevision: sample.app.capabilitiesRevision).token
    }

    func open(
        _ product: String = silver, _ offer: RequestedOffer? = nil, on token: DeviceToken, key: PurchaseKey? = nil
    ) async throws -> Checkout.Answer {
        try await scene.checkout.open(
            Checkout.Selection(product: product, quantity: nil, accountToken: nil, offer: offer),
            key: key ?? PurchaseKey(UUID()), as: token, request: nil)
    }

    func confirm(_ answer: Checkout.Answer) async throws -> BoughtPurchase {
        try await scene.confirm(answer.purchase.id)
    }

    @discardableResult
    func buy(_ product: String = silver, _ offer: RequestedOffer? = nil, on token: DeviceToken) async throws
        -> BoughtPurchase
    {
        try await confirm(open(product, offer, on: token))
    }

    func subscription(of customer: CustomerID) async throws -> StoredSubscription {
        let scope = CustomerScope(
            customer: customer, app: sample.app.id, bundle: sample.app.bundleID,
            storefront: StorefrontCode(rawValue: "USA"))
        return try #require(try await store.database.read { try Subscriptions.all(of: scope, in: $0) }.first)
    }

    /// Lets time go by, with everything that becomes due.
    func pass(days: Int) async throws {
        let start = scene.time.current
        let end = start + .seconds(days * 24 * 60 * 60)
        let scheduler = WorkScheduler(
            store.database, handlers: Recovery(store).handlers, name: UUID().uuidString, wallTime: scene.time.reading)
        let report = try await scheduler.drain(from: start, until: end)
        #expect(report.keptBusyBy == nil)
        scene.time.pass(.seconds(days * 24 * 60 * 60))
    }

    /// What the periods of a customer cost, the oldest first.
    func prices(of customer: CustomerID) async throws -> [Int64] {
        let original = try await subscription(of: customer).original
        return try await store.database.read { try Subscriptions.transactions(of: original, in: $0) }.map(
            \.price.minorUnits)
    }

    // MARK: Signatures and codes

    func discount(
        _ offer: String = "spring", nonce: UUID = UUID(), at instant: Instant? = nil, by signer: PrivateKey? = nil
    ) throws -> SignedDiscount {
        let instant = instant ?? scene.time.current
        let signed = PromotionalOffer(
            bundleID: Self.bundle, keyID: "ABCDE12345", productID: Self.silver, offerID: offer, accountToken: "Ada",
            nonce: nonce, timestamp: instant)
        return SignedDiscount(
            offerID: offer, keyID: "ABCDE12345", nonce: nonce.uuidString,
            signature: try signed.signature(by: signer ?? key),
            timestamp: instant.millisecondsSinceEpoch, username: "Ada")
    }

    func codes(
        _ offer: String = "gift", custom: String? = nil, count: Int = 1
    ) async throws -> (batch: OfferCodes.Batch, codes: [String]) {
        let batches = OfferCodeBatches(store)
        let made = try await batches.makeCodes(
            .init(product: ProductID(parsing: Self.silver), offer: offer, custom: custom, count: count, expiresAt: nil),
            app: sample.app.bundleID, store.cause(.owner))
        let all = try await batches.codes(of: made.id, app: sample.app.bundleID)
        return (all.batch, all.codes.map(\.code))
    }

    func used(_ batch: OfferCodes.Batch) async throws -> Int {
        try await OfferCodeBatches(store).codes(of: batch.id, app: sample.app.bundleID).batch.used
    }
}
