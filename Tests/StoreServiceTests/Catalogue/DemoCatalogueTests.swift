import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import TestSupport
import Testing

@Suite("The products of the demo (R9.1)", .bounded)
struct DemoCatalogueTests {
    private static func enter(_ store: StoreDatabases) async throws -> [ProductID] {
        try await DemoCatalogue.enter(
            into: store.catalogue, numbers: Numbers(store.catalogue), at: CatalogueSample.now)
    }

    private static func app(_ store: StoreDatabases) async throws -> CatalogueApp {
        try #require(
            try await store.catalogue.read { try Catalogue.app(BundleID(parsing: DemoCatalogue.bundleID), in: $0) })
    }

    @Test("There is a product of each kind, and both environments sell them", arguments: StoreEngine.allCases)
    func kinds(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let entered = try await Self.enter(store)
            #expect(entered.map(\.text).contains("com.example.monkeycredits.credits5"))
            #expect(entered.map(\.text).contains("com.example.monkeycredits.credits10"))
            let sample = CatalogueSample(app: try await Self.app(store))
            for environment in StoreEnvironment.allCases {
                let found = try await sample.offers(entered.map(\.text), environment, of: store.catalogue)
                #expect(found.invalid.isEmpty)
                #expect(Set(found.offers.map(\.product.kind)) == ProductKind.known.subtracting([.freeSubscription]))
            }
        }
    }

    @Test(
        "Each of the six countries is offered its language and its currency, and so are others",
        arguments: [
            ("USA", "en-US", "5 Credits", "0.99 USD"), ("JPN", "ja", "クレジット5", "160 JPY"),
            ("TUR", "tr", "5 Kredi", "39.99 TRY"), ("CHN", "zh-Hans", "5 个点数", "8.00 CNY"),
            ("DEU", "de-DE", "5 Guthaben", "1.19 EUR"), ("FRA", "fr-FR", "5 crédits", "1.19 EUR"),
            ("GBR", "en-US", "5 Credits", "0.99 GBP"), ("CHE", "fr-FR", "5 crédits", "1.00 CHF"),
        ])
    func countries(storefront: String, language: String, title: String, price: String) async throws {
        try await StoreEngine.memory.withStore { store in
            _ = try await Self.enter(store)
            let sample = CatalogueSample(app: try await Self.app(store))
            let found = try await sample.offers(
                ["com.example.monkeycredits.credits5"], in: storefront, languages: [language], of: store.catalogue)
            let offer = try #require(found.offers.first)
            #expect(offer.title == title && offer.language == language && offer.price.description == price)
        }
    }

    @Test("What is there stays as it is")
    func idempotent() async throws {
        try await StoreEngine.memory.withStore { store in
            _ = try await Self.enter(store)
            let sample = CatalogueSample(app: try await Self.app(store))
            let id = "com.example.monkeycredits.jungle"
            let product = try #require(try await sample.product(id, in: store.catalogue))
            try await store.catalogue.write { transaction in
                try Catalogue.setClearedForSale(false, product, at: CatalogueSample.now, in: transaction)
            }
            #expect(try await Self.enter(store).isEmpty)
            #expect(try await sample.product(id, in: store.catalogue)?.isClearedForSale == false)
        }
    }
}
