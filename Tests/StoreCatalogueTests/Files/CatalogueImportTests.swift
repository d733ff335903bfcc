import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Importing the products of an app", .bounded)
struct CatalogueImportTests {
    private static let bundleID = "com.example.imported"
    private static let now = CatalogueSample.now

    private static func file(_ products: [(String, String)], type: String = "Consumable") throws -> StoreKitFile {
        let items = products.map { id, price in
            #"{"productID":"\#(id)","type":"\#(type)","displayPrice":"\#(price)"}"#
        }
        let text = #"{"version":{"major":3},"products":[\#(items.joined(separator: ","))]}"#
        return try StoreKitFile(Array(text.utf8))
    }

    private static func run(
        _ file: StoreKitFile, _ store: StoreDatabases, approved: Bool = false
    ) async throws -> ImportReport {
        let order = try CatalogueImport(
            CatalogueFile(file), into: BundleID(parsing: bundleID), isApproved: approved)
        return try await order.run(in: store.catalogue, numbers: Numbers(store.catalogue), at: now).apps[0]
    }

    @Test(
        "The first import makes the app and its products, the second changes nothing", arguments: StoreEngine.allCases)
    func twice(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let file = try Self.file([("a", "0.99"), ("b", "1.99")])
            let first = try await Self.run(file, store)
            #expect(first.isNewApp && first.added.map(\.text) == ["a", "b"])
            #expect(first.changed.isEmpty && first.unchanged.isEmpty && first.kept.isEmpty)
            let before = try await Self.everything(store)
            let second = try await Self.run(file, store)
            #expect(!second.isNewApp && second.appId == first.appId)
            #expect(second.unchanged.map(\.text) == ["a", "b"])
            #expect(second.added.isEmpty && second.changed.isEmpty)
            #expect(try await Self.everything(store) == before)
        }
    }

    @Test("A changed file changes what differs, adds what is new and keeps what it does not have")
    func changed() async throws {
        try await StoreEngine.memory.withStore { store in
            _ = try await Self.run(Self.file([("a", "0.99"), ("b", "1.99")]), store)
            let report = try await Self.run(Self.file([("b", "2.99"), ("c", "3.99")]), store)
            #expect(report.added.map(\.text) == ["c"])
            #expect(report.changed.map(\.text) == ["b"])
            #expect(report.kept.map(\.text) == ["a"])
            #expect(try await Self.everything(store).map(\.product.productID.text) == ["a", "b", "c"])
        }
    }

    @Test("All of a file is imported or nothing", arguments: StoreEngine.allCases)
    func whole(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            _ = try await Self.run(Self.file([("b", "1.99")], type: "NonConsumable"), store)
            let before = try await Self.everything(store)
            await #expect(throws: CatalogueError.self) {
                try await Self.run(Self.file([("a", "0.99"), ("b", "1.99")]), store)
            }
            #expect(try await Self.everything(store) == before)
        }
    }

    @Test("Approving is part of an import only if it is asked for")
    func approved() async throws {
        try await StoreEngine.memory.withStore { store in
            let file = try Self.file([("a", "0.99")])
            _ = try await Self.run(file, store)
            #expect(try await Self.everything(store).map(\.product.state) == [.readyToSubmit])
            #expect(try await Self.run(file, store, approved: true).changed.map(\.text) == ["a"])
            #expect(try await Self.everything(store).map(\.product.state) == [.approved])
        }
    }

    @Test("R5.6: Three days of a file for tests are for the sandbox; production says why it does not sell them")
    func testPeriod() async throws {
        try await StoreEngine.memory.withStore { store in
            let text = """
                {"version":{"major":3},"subscriptionGroups":[{"id":"G1","name":"Club","subscriptions":[{
                "productID":"club","type":"RecurringSubscription","displayPrice":"4.99","groupNumber":1,
                "recurringSubscriptionPeriod":"P3D","subscriptionGroupID":"G1",
                "localizations":[{"locale":"en_US","displayName":"Club","description":"A club"}]}]}]}
                """
            _ = try await Self.run(StoreKitFile(Array(text.utf8)), store, approved: true)
            let details = try #require(try await Self.everything(store).first)
            #expect(details.product.state == .approved && details.product.period == .threeDays)
            let answer: (StoreEnvironment) async throws -> ProductListings = { environment in
                try await store.catalogue.read { transaction in
                    let app = try #require(try Catalogue.app(BundleID(parsing: Self.bundleID), in: transaction))
                    return try Catalogue.listings(
                        for: ["club"], app: app, environment: environment,
                        storefront: CatalogueSample.storefront("USA"), languages: [],
                        at: CatalogueMoment(Self.now), in: transaction)
                }
            }
            #expect(try await answer(.sandbox).listings.count == 1)
            let production = try await answer(.production)
            #expect(production.listings.isEmpty && production.invalid.map(\.obstacle) == [.periodNotAllowed])
            // The file of a whole catalogue that has it is taken, and one of our own that never was for tests is not.
            let own =
                #"{"format":"till-catalogue","version":1,"apps":[{"bundleId":"\#(Self.bundleID)","products":[%]}]}"#
            let club = #"{"productId":"%","type":"Auto-Renewable Subscription","period":"P3D","groupId":"G1"}"#
            let kept = club.replacing("%", with: "club").replacing("}", with: #","storekit":{"productID":"club"}}"#)
            _ = try CatalogueFile(Array(own.replacing("%", with: kept).utf8))
            let error = #expect(throws: CatalogueError.self) {
                try CatalogueFile(Array(own.replacing("%", with: club.replacing("%", with: "club")).utf8))
            }
            #expect(error?.parameter == "apps[0].products[0].period")
        }
    }

    @Test("Imports that come at once make one app, and each product once", arguments: StoreEngine.allCases)
    func atOnce(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let file = try Self.file((0..<5).map { ("p\($0)", "0.99") })
            let reports = try await withThrowingTaskGroup(of: ImportReport.self) { group in
                for _ in 0..<4 { group.addTask { try await Self.run(file, store) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(reports.count(where: \.isNewApp) == 1)
            #expect(reports.map(\.added.count).sorted() == [0, 0, 0, 5])
            #expect(Set(try await Self.everything(store).map(\.product.itemID)).count == 5)
        }
    }

    @Test("A file's prices hold everywhere, and a product without one is told of", arguments: StoreEngine.allCases)
    func everywhere(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let report = try await Self.run(Self.file([("a", "0.99"), ("b", "")]), store)
            let unpriced = ImportReport.Unpriced(productId: try ProductID(parsing: "b"), storefronts: 175)
            #expect(report.unpriced == [unpriced])
            let everything = try await Self.everything(store)
            #expect(everything.map(\.prices.count) == [175, 0] && everything.map(\.unpriced.count) == [0, 175])
            // What was taken out of a storefront stays out of it, and prices in the file's currency are the file's.
            let product = try #require(everything.first?.product)
            try await store.catalogue.write { transaction in
                let (usa, britain) = (try CatalogueSample.storefront("USA"), try CatalogueSample.storefront("GBR"))
                let price = Money(minorUnits: 150, currency: .usd)
                try Catalogue.setPrice(
                    .own(price), of: product, in: usa, CatalogueChange(.store, at: Self.now, in: transaction))
                try Catalogue.setPrice(
                    .notSold, of: product, in: britain, CatalogueChange(.store, at: Self.now, in: transaction))
            }
            #expect(try await Self.run(Self.file([("a", "0.99")]), store).changed.map(\.text) == ["a"])
            let after = try #require(try await Self.everything(store).first)
            #expect(after.ownPrices.isEmpty && after.prices.count == 174 && after.unpriced.isEmpty)
        }
    }

    @Test("A price that was set by hand stays where the file has no price")
    func byHand() async throws {
        try await StoreEngine.memory.withStore { store in
            let file = try Self.file([("a", "0.99")])
            _ = try await Self.run(file, store)
            let product = try #require(try await Self.everything(store).first?.product)
            let japan = try CatalogueSample.storefront("JPN")
            try await store.catalogue.write { transaction in
                let price = Money(minorUnits: 160, currency: .jpy)
                try Catalogue.setPrice(
                    .own(price), of: product, in: japan, CatalogueChange(.store, at: Self.now, in: transaction))
            }
            #expect(try await Self.run(file, store).unchanged.map(\.text) == ["a"])
            let prices = try #require(try await Self.everything(store).first?.prices)
            #expect(prices[StorefrontCode(japan)]?.minorUnits == 160)
        }
    }

    private static func everything(_ store: StoreDatabases) async throws -> [ProductDetails] {
        try await store.catalogue.read { transaction in
            guard let app = try Catalogue.app(BundleID(parsing: bundleID), in: transaction) else { return [] }
            return try Catalogue.products(of: app.id, limit: 1000, in: transaction).map {
                try Catalogue.details(of: $0, in: transaction)
            }
        }
    }
}
