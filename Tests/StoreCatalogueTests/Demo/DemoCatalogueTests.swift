import Foundation
import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("The products of the demo (R9.1)", .bounded)
struct DemoCatalogueTests {
    private static func enter(
        _ store: StoreDatabases, pictures: (any BlobStore)? = nil
    ) async throws -> [ProductID] {
        try await DemoCatalogue.enter(
            into: store.catalogue, numbers: Numbers(store.catalogue), pictures: pictures, at: CatalogueSample.now)
    }

    private static func app(_ store: StoreDatabases, _ bundleID: String = DemoCatalogue.bundleID) async throws
        -> CatalogueApp
    {
        try #require(try await store.catalogue.read { try Catalogue.app(BundleID(parsing: bundleID), in: $0) })
    }

    @Test(
        "R1.1, R1.10: There is a product of each kind and category, and both environments sell them",
        arguments: StoreEngine.allCases)
    func kinds(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let entered = try await Self.enter(store)
            var found: [CatalogueProduct] = []
            for app in DemoApp.all {
                let ids = try app.products.map { try app.id(of: $0).text }
                #expect(Set(ids).isSubset(of: entered.map(\.text)))
                let sample = CatalogueSample(app: try await Self.app(store, app.bundleID))
                for environment in StoreEnvironment.allCases {
                    let all = try await sample.listings(ids, environment, of: store.catalogue)
                    #expect(all.invalid.isEmpty)
                    found += all.listings.map(\.product)
                }
            }
            #expect(Set(found.map(\.kind)) == ProductKind.known)
            #expect(Set(found.compactMap(\.category)) == ProductCategory.known)
            #expect(found.count == 2 * entered.count && DemoApp.all.count == 5)
            let monkeys = try await Self.app(store)
            let groups = try await store.catalogue.read { try SubscriptionGroups.list(of: monkeys.id, in: $0) }
            #expect(groups.map { Set($0.texts.keys) } == [Set(DemoApp.languages)])
        }
    }

    @Test("R1.6: Each text is there in six languages, and each product has a price in all storefronts")
    func everywhere() async throws {
        #expect(StorefrontRecord.all.count == 175)
        try await StoreEngine.memory.withStore { store in
            _ = try await Self.enter(store)
            for app in DemoApp.all {
                let sample = CatalogueSample(app: try await Self.app(store, app.bundleID))
                let ids = try app.products.map { try app.id(of: $0).text }
                let homes = ["USA", "JPN", "TUR", "CHN", "DEU", "FRA"]
                for storefront in StorefrontRecord.all {
                    let home = homes.firstIndex(of: storefront.alpha3)
                    let wanted = home.map { [DemoApp.languages[$0]] } ?? DemoApp.languages
                    let found = try await sample.listings(
                        ids, .production, in: storefront.alpha3, languages: wanted, of: store.catalogue)
                    #expect(found.listings.count == ids.count, "\(storefront.alpha3)")
                    #expect(
                        found.listings.allSatisfy {
                            ($0.price.minorUnits > 0 || $0.product.kind == .freeSubscription)
                                && $0.price.currency == storefront.currency
                        }, "\(storefront.alpha3)")
                    guard let home else { continue }
                    let titles = app.products.map { $0.texts[home].0 }
                    #expect(Set(found.listings.map(\.title)) == Set(titles), "\(storefront.alpha3)")
                    #expect(Set(found.listings.map(\.language)) == [DemoApp.languages[home]])
                }
                for product in app.products {
                    #expect(product.texts.count == DemoApp.languages.count)
                    // What the App Store takes.
                    for (title, description) in product.texts {
                        #expect((1...30).contains(title.count) && (1...45).contains(description.count), "\(title)")
                    }
                    #expect(Set(product.texts.map(\.1)).count == DemoApp.languages.count, "\(product.name)")
                }
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
            let found = try await sample.listings(
                ["com.example.monkeycredits.credits5"], in: storefront, languages: [language], of: store.catalogue)
            let offer = try #require(found.listings.first)
            #expect(offer.title == title && offer.language == language && offer.price.description == price)
        }
    }

    @Test("Each product of the demo has a picture of our own, and there is no other")
    func pictures() async throws {
        let folder = NSTemporaryDirectory() + "till-demo-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await StoreEngine.memory.withStore { store in
            let blobs = try FolderBlobStore(folder: folder)
            let entered = try await Self.enter(store, pictures: blobs)
            #expect(Set(try DemoCatalogue.pictures.keys) == Set(entered))
            let content = DemoContent(
                store.catalogue, blobs: blobs, folder: folder + "/packages", wall: { CatalogueSample.now },
                log: Log(least: .error, time: { CatalogueSample.now }, sink: { _ in }))
            // The second start finds everything there.
            for _ in 0..<2 { try await content.enter() }
            for app in DemoApp.all {
                let id = try await Self.app(store, app.bundleID).id
                try await store.catalogue.read { transaction in
                    for product in try Catalogue.products(of: id, limit: 100, in: transaction) {
                        let image = try #require(try ProductImages.list(of: product.itemID, in: transaction).first)
                        #expect(image.width == 256 && image.height == 256 && image.kind == .promotional)
                        let kept = try blobs.read(image.blob, 0..<Int64(image.bytes))
                        #expect(try DemoCatalogue.pictures[product.productID] == kept)
                        #expect(product.state == .approved)
                        let contents = try HostedContent.list(of: product.itemID, in: transaction)
                        #expect(contents.map(\.state) == (product.hostsContent ? [.approved] : []))
                        #expect(product.hostsContent == (app.bundleID == DemoApp.bookChapters.bundleID))
                    }
                }
            }
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
                try Catalogue.setClearedForSale(
                    false, product, CatalogueChange(.store, at: CatalogueSample.now, in: transaction))
            }
            #expect(try await Self.enter(store).isEmpty)
            #expect(try await sample.product(id, in: store.catalogue)?.isClearedForSale == false)
        }
    }
}
