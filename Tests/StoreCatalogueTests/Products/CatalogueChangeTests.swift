import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("How products come into the catalogue and change", .bounded)
struct CatalogueChangeTests {
    private static let later = Instant(millisecondsSinceEpoch: 1_700_000_999_000)

    @Test("What is put in is there with everything", arguments: StoreEngine.allCases)
    func put(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let draft = try ProductDraft(
                ProductID(parsing: "gold"), .autoRenewable, referenceName: "Gold", isFamilyShareable: true,
                period: .oneMonth, groupID: SubscriptionGroupID(parsing: "A1"),
                texts: ["en_US": ProductText(title: "Gold", description: "")],
                prices: [StorefrontCode(rawValue: "USA"): Money(minorUnits: 999, currency: .usd)])
            #expect(try await sample.put(draft, item: 5, in: store.catalogue).isNew)
            let product = try #require(try await sample.product("gold", in: store.catalogue))
            #expect(product.kind == .autoRenewable)
            #expect(product.period == .oneMonth)
            #expect(product.groupID?.text == "A1")
            #expect(product.isFamilyShareable && product.isClearedForSale)
            #expect(product.state == .readyToSubmit)
            #expect(product.createdAt == CatalogueSample.now)
            let details = try await store.catalogue.read { try Catalogue.details(of: product, in: $0) }
            #expect(details.texts == ["en-US": ProductText(title: "Gold", description: "")])
            #expect(details.ownPrices == [StorefrontCode(rawValue: "USA"): Money(minorUnits: 999, currency: .usd)])
            let byNumber = try await store.catalogue.read { try Catalogue.product(product.itemID, in: $0) }
            #expect(byNumber == product)
        }
    }

    @Test("The same again changes nothing; something else changes what differs and leaves the rest")
    func again() async throws {
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let texts = [
                "en-US": ProductText(title: "A", description: "a"), "ja": ProductText(title: "B", description: "b"),
            ]
            try await sample.put(CatalogueSample.draft("p", texts: texts), item: 1, in: store.catalogue)
            let first = try await sample.product("p", in: store.catalogue)
            let same = try await sample.put(
                CatalogueSample.draft("p", texts: texts), item: 2, at: Self.later, in: store.catalogue)
            #expect(same.changedNothing && !same.isNew)
            #expect(try await sample.product("p", in: store.catalogue) == first)
            let other = try await sample.put(
                CatalogueSample.draft("p", texts: ["ja": ProductText(title: "C", description: "c")], dollars: 199),
                item: 2, at: Self.later, in: store.catalogue)
            #expect(!other.changedNothing && !other.isNew)
            let product = try #require(try await sample.product("p", in: store.catalogue))
            #expect(product.changedAt == Self.later && product.createdAt == CatalogueSample.now)
            let details = try await store.catalogue.read { try Catalogue.details(of: product, in: $0) }
            #expect(details.texts["en-US"]?.title == "A" && details.texts["ja"]?.title == "C")
            #expect(details.prices[StorefrontCode(rawValue: "USA")]?.minorUnits == 199)
        }
    }

    @Test("An approval is given and never taken back by putting the product in again")
    func approval() async throws {
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let draft = try CatalogueSample.draft("p")
            try await sample.put(draft, item: 1, in: store.catalogue)
            #expect(try await sample.put(draft, item: 1, isApproved: true, in: store.catalogue).changedNothing == false)
            #expect(try await sample.product("p", in: store.catalogue)?.state == .approved)
            #expect(try await sample.put(draft, item: 1, in: store.catalogue).changedNothing)
            #expect(try await sample.product("p", in: store.catalogue)?.state == .approved)
        }
    }

    @Test("R1.1: A product never becomes one of another kind", arguments: StoreEngine.allCases)
    func kind(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            try await sample.put(CatalogueSample.draft("p"), item: 1, in: store.catalogue)
            await #expect(throws: CatalogueError.self) {
                try await sample.put(CatalogueSample.draft("p", kind: .nonConsumable), item: 1, in: store.catalogue)
            }
            #expect(try await sample.product("p", in: store.catalogue)?.kind == .consumable)
        }
    }

    @Test("R1.2: The id of a product that was removed is never used again")
    func removed() async throws {
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            try await sample.put(CatalogueSample.draft("p"), item: 1, in: store.catalogue)
            let product = try #require(try await sample.product("p", in: store.catalogue))
            try await store.catalogue.write {
                try Catalogue.remove(product, CatalogueChange(.store, at: Self.later, in: $0))
            }
            do {
                try await sample.put(CatalogueSample.draft("p"), item: 2, in: store.catalogue)
                Issue.record("a removed id was used again")
            } catch let error as CatalogueError {
                #expect(error.code == .productRemoved)
            }
            let id = sample.app.id
            #expect(try await store.catalogue.read { try Catalogue.products(of: id, limit: 9, in: $0) }.isEmpty)
        }
    }

    @Test("There is one app of a bundle id", arguments: StoreEngine.allCases)
    func oneApp(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let found = try await store.catalogue.read { try Catalogue.app(sample.app.bundleID, in: $0) }
            #expect(found == sample.app)
            #expect(try await store.catalogue.read { try Catalogue.app(sample.app.id, in: $0) } == sample.app)
            do {
                _ = try await CatalogueSample.make(in: store.catalogue, id: 2)
                Issue.record("a second app has the bundle id")
            } catch let error as CatalogueError {
                #expect(error.code == .appExists)
            }
            _ = try await CatalogueSample.make(in: store.catalogue, bundleID: "com.example.b", id: 3)
            let all = try await store.catalogue.read { try Catalogue.apps(limit: 9, in: $0) }
            #expect(all.map(\.bundleID.text) == ["com.example.app", "com.example.b"])
            let rest = try await store.catalogue.read { transaction in
                try Catalogue.apps(after: all[0].bundleID, limit: 9, in: transaction)
            }
            #expect(rest.map(\.bundleID.text) == ["com.example.b"])
        }
    }

    @Test("Prices are set and taken away by storefront")
    func prices() async throws {
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            try await sample.put(CatalogueSample.draft("p"), item: 1, in: store.catalogue)
            let product = try #require(try await sample.product("p", in: store.catalogue))
            let (france, japan) = (try CatalogueSample.storefront("FRA"), try CatalogueSample.storefront("JPN"))
            try await store.catalogue.write { transaction in
                let price = Money(minorUnits: 119, currency: .eur)
                try Catalogue.setPrice(
                    .own(price), of: product, in: france,
                    CatalogueChange(.store, at: Self.later, in: transaction))
                try Catalogue.setPrice(
                    .notSold, of: product, in: japan, CatalogueChange(.store, at: Self.later, in: transaction))
            }
            #expect(
                try await sample.listings(["p"], in: "FRA", of: store.catalogue).listings.first?.price.minorUnits == 119
            )
            #expect(try await sample.listings(["p"], in: "JPN", of: store.catalogue).listings.isEmpty)
            #expect(try await sample.listings(["p"], in: "GBR", of: store.catalogue).listings.isEmpty)
            try await store.catalogue.write { transaction in
                let price = Money(minorUnits: 199, currency: .usd)
                try Catalogue.setBasePrice(
                    price, of: product, CatalogueChange(.store, at: Self.later, in: transaction))
            }
            var prices: [String?] = []
            for storefront in ["USA", "GBR", "FRA", "JPN"] {
                let found = try await sample.listings(["p"], in: storefront, of: store.catalogue)
                prices.append(found.listings.first?.price.description)
            }
            #expect(prices == ["1.99 USD", "1.99 GBP", "1.19 EUR", nil])
            try await store.catalogue.write { transaction in
                try Catalogue.setPrice(
                    .derived, of: product, in: france, CatalogueChange(.store, at: Self.later, in: transaction))
                try Catalogue.setPrice(
                    .derived, of: product, in: japan, CatalogueChange(.store, at: Self.later, in: transaction))
            }
            #expect(
                try await sample.listings(["p"], in: "FRA", of: store.catalogue).listings.first?.price.minorUnits == 229
            )
            #expect(
                try await sample.listings(["p"], in: "JPN", of: store.catalogue).listings.first?.price.minorUnits == 320
            )
            await #expect(throws: CatalogueError.self) {
                try await store.catalogue.write { transaction in
                    let price = Money(minorUnits: 119, currency: .usd)
                    try Catalogue.setPrice(
                        .own(price), of: product, in: france,
                        CatalogueChange(.store, at: Self.later, in: transaction))
                }
            }
        }
    }
}
