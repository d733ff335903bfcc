import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// What the catalogue and the standing of a developer say of renewals.
@Suite(.bounded) struct RenewalMarketTests {
    /// A customer who subscribes to a plan.
    private static func subscribe(_ scene: SaleScene) async throws {
        try await scene.enterPlans()
        _ = try await scene.buy(SaleScene.plan(), on: scene.device(scene.customer()))
    }

    private static func prices(_ scene: SaleScene) async throws -> [Int64] {
        try await scene.periods().map(\.price.minorUnits)
    }

    @Test(
        "X7: A lower price is charged from the next renewal on, and a higher one is not",
        arguments: StoreEngine.allCases)
    func lowered(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await Self.subscribe(scene)
            try await scene.setPrice(399)
            let details = try await SubscriptionChanges(scene.store).details(of: scene.subscription().id)
            #expect(SubscriptionSummary(details).sentence.contains(" for 3.99 USD, charged from "))
            try await scene.pass(days: 32)
            try await scene.setPrice(599)
            try await scene.pass(days: 31)
            #expect(try await Self.prices(scene) == [499, 399, 399])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X7: A lower price that begins between the charge and its period is charged, one that is over by then is not")
    func scheduled() async throws {
        try await SaleScene.on(.memory) { scene in
            try await Self.subscribe(scene)
            let end = try #require(try await scene.periods().first?.expiresDate)
            try await scene.setPrice(399, from: end - .seconds(3600))
            try await scene.setPrice(299, from: end.adding(milliseconds: 3_600_000))
            try await scene.setPrice(9999, from: end.adding(.oneMonth) - .seconds(3600))
            try await scene.pass(days: 62)
            #expect(try await Self.prices(scene) == [499, 399, 399])
        }
    }

    /// What keeps a product from being sold.
    enum Obstacle: CaseIterable {
        case suspended, noAgreement, removedFromSale

        /// Puts it in the way, or mends it.
        func set(_ stands: Bool, _ scene: SaleScene) async throws {
            let now = scene.time.current
            try await scene.store.catalogue.write { transaction in
                let change = CatalogueChange(.store, at: now, in: transaction)
                switch self {
                case .suspended: _ = try Teams.setSuspended(because: stands ? "unpaid" : nil, Teams.first, change)
                case .noAgreement where stands:
                    _ = try Agreements.end(.paid, of: Teams.first, because: "cancelled", change)
                case .noAgreement: _ = try Agreements.accept(.paid, of: Teams.first, by: "Ada", change)
                case .removedFromSale:
                    let product = try #require(
                        try Catalogue.product(
                            ProductID(parsing: "com.example.item1001"), of: AppID(number: 42), in: transaction))
                    try ProductReviews.setRemovedFromSale(because: stands ? "complaints" : nil, product, change)
                }
            }
        }
    }

    @Test(
        "R1.8: What was paid runs to its end, and nothing is charged for who may not sell", arguments: Obstacle.allCases
    )
    func mayNotSell(_ obstacle: Obstacle) async throws {
        try await SaleScene.on(.memory) { scene in
            try await Self.subscribe(scene)
            try await scene.pass(days: 3)
            try await obstacle.set(true, scene)
            let details = try await SubscriptionChanges(scene.store).details(of: scene.subscription().id)
            #expect(SubscriptionSummary(details).sentence.contains("if com.example.item1001 is not sold again by then"))
            try await scene.pass(days: 27)
            #expect(try await scene.subscription().state == .active)
            try await scene.pass(days: 3)
            let ended = try await scene.subscription()
            #expect(ended.state == .expired && ended.rules.intent == .productUnavailable)
            #expect(try await Self.prices(scene) == [499])
            #expect(await scene.processor.count("authorise") == 1)
        }
    }

    @Test(
        "R1.8: Who may sell again before the end of a period is paid for the next one", arguments: Obstacle.allCases)
    func maySellAgain(_ obstacle: Obstacle) async throws {
        try await SaleScene.on(.memory) { scene in
            try await Self.subscribe(scene)
            try await obstacle.set(true, scene)
            try await scene.pass(days: 30)
            let looked = try await SubscriptionChanges(scene.store).details(of: scene.subscription().id).history.last
            #expect(looked.map { SubscriptionSummary.sentence($0, after: nil) } == "Nothing was charged")
            try await obstacle.set(false, scene)
            try await scene.pass(days: 3)
            #expect(try await Self.prices(scene) == [499, 499])
        }
    }

    @Test("R1.8: A payment that is tried again is not tried at once while nobody may sell, and costs no more than now")
    func resolved() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            let customer = try await scene.customer()
            _ = try await scene.buy(SaleScene.plan(), on: scene.device(customer))
            let changes = SubscriptionChanges(scene.store)
            // No charge was opened: there was nothing to pay with.
            _ = try await scene.store.database.write { try $0.execute("UPDATE payment_method SET removed_at = 1") }
            try await scene.pass(days: 33)
            let unpaid = try await scene.subscription()
            #expect(unpaid.state == .retry && unpaid.charge == nil)
            try await scene.addMethod("approve", to: customer)
            try await Obstacle.suspended.set(true, scene)
            let error = await #expect(throws: ServiceError.self) {
                try await changes.resolve(unpaid.id, scene.store.cause(.owner))
            }
            #expect(error?.code == .productUnavailable)
            #expect(try await scene.subscription() == unpaid)
            try await Obstacle.suspended.set(false, scene)
            try await scene.setPrice(399)
            _ = try await changes.resolve(unpaid.id, scene.store.cause(.owner))
            #expect(try await Self.prices(scene) == [499, 399])
        }
    }

    @Test("X7: What would end instead is not renewed at once, and stays as it is")
    func forced() async throws {
        try await SaleScene.on(.memory) { scene in
            try await Self.subscribe(scene)
            let changes = SubscriptionChanges(scene.store)
            func refusal() async throws -> RefusalCode? {
                let before = try await scene.subscription()
                let error = await #expect(throws: ServiceError.self) {
                    try await changes.forceRenewal(before.id, scene.store.cause(.owner))
                }
                #expect(try await scene.subscription() == before)
                #expect(try await scene.periods().first?.expiresDate == SceneTime.start.adding(.oneMonth))
                return error?.code
            }
            try await scene.handle(.turnedOff)
            #expect(try await refusal() == .tooLate)
            try await scene.handle(.turnedOn)
            try await Obstacle.suspended.set(true, scene)
            #expect(try await refusal() == .productUnavailable)
            try await Obstacle.suspended.set(false, scene)
            let price = Money(minorUnits: 999, currency: .usd)
            try await scene.handle(
                .raised(PriceIncrease(price: price, needsConsent: true, askedAt: SceneTime.start)))
            #expect(try await refusal() == .tooLate)
            try await scene.handle(.agreedToPrice)
            _ = try await changes.forceRenewal(scene.subscription().id, scene.store.cause(.owner))
            #expect(try await Self.prices(scene) == [499, 999])
        }
    }

    @Test("R4.2: A plan that was paid ahead is told from its beginning on, by receipts and by lists")
    func ahead() async throws {
        try await ReceiptScene.on(.memory) { scene in
            let first = try await scene.buy(ReceiptScene.plan(level: 1))
            try await scene.buy(ReceiptScene.plan(level: 2))
            try await scene.pass(days: 30, hours: 12)
            let (better, less) = (try ReceiptScene.plan(level: 1).product, try ReceiptScene.plan(level: 2).product)
            #expect(try await scene.sale.periods().map(\.productID) == [better, less])
            for (hours, product) in [(0, better), (24, less)] as [(Int64, ProductID)] {
                if hours > 0 { try await scene.pass(days: 0, hours: hours) }
                let renewal = try await scene.renewal()
                #expect(renewal.product == product && renewal.nextProduct == less)
                let old = try await scene.verify(first)
                #expect(old.renewal == renewal && old.receipt.productID == product.text && !old.isExpired)
                let listed = try await SubscriptionChanges(scene.sale.store).list(.init(limit: 1), ofCustomer: nil)
                #expect(listed.map(\.plan.product) == [product])
            }
        }
    }
}
