import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

/// A way of changing a product that production sells.
struct DraftedChange: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let product: String
    /// The fields of the draft that it makes.
    let fields: [String]
    let body: @Sendable (CatalogueEditing, ProductPath) async throws -> Void

    static let all = [
        DraftedChange("a base price", "coins", ["price", "prices.USA"]) {
            _ = try await $0.setBasePrice(DraftScene.dollars(299), of: $1)
        },
        DraftedChange("a price in a storefront", "coins", ["prices.USA"]) {
            _ = try await $0.setPrice(.own(DraftScene.dollars(399)), of: $1, in: CatalogueSample.storefront("USA"))
        },
        DraftedChange("no price in a storefront", "coins", ["prices.JPN"]) {
            _ = try await $0.setPrice(.notSold, of: $1, in: CatalogueSample.storefront("JPN"))
        },
        DraftedChange(
            "a price beforehand", "coins", ["priceChanges.2023-11-14T22:43:20Z USA"]
        ) {
            _ = try await $0.schedulePrice(
                DraftScene.dollars(199), of: $1, in: StorefrontCode(rawValue: "USA"),
                from: DraftScene.now + .seconds(1800))
        },
        DraftedChange("off the shelves", "coins", ["isClearedForSale"]) {
            _ = try await $0.setClearedForSale(false, $1)
        },
        DraftedChange("an offer", "club", ["offers.welcome"]) {
            _ = try await $0.put(
                SubscriptionOffer(id: "welcome", kind: .introductory, paymentMode: .free, period: .oneWeek), of: $1)
        },
        DraftedChange("tax", "coins", ["taxCategory"]) { _ = try await $0.setTaxCategory(.books, of: $1) },
        DraftedChange("a removal", "coins", ["removal"]) { try await $0.remove($1) },
        DraftedChange("a level", "club", ["level"]) { editing, path in
            _ = try await editing.put(
                SubscriptionGroupDraft(name: nil, texts: [:], levels: ["club": 2]),
                as: SubscriptionGroupID(parsing: "club"), of: path.app)
        },
    ]

    private init(
        _ name: String, _ product: String, _ fields: [String],
        _ body: @escaping @Sendable (CatalogueEditing, ProductPath) async throws -> Void
    ) {
        (testDescription, self.product, self.fields, self.body) = (name, product, fields, body)
    }
}

@Suite("Drafts of what production sells", .bounded)
struct DraftTests {
    // Writing any facet to what production reads, or leaving one out of the edition, makes one of these fail.
    @Test(
        "A change by the sandbox holds there at once, in production not, and after its publication in both",
        arguments: DraftedChange.all)
    func life(change: DraftedChange) async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            let path = try scene.path(change.product)
            let (before, sandbox) = (
                try await scene.text(change.product, .production), try await scene.actor(.sandbox)
            )
            try await change.body(scene.editing(by: sandbox), path)
            let tried = try await scene.text(change.product, .sandbox)
            #expect(tried != before)
            #expect(try await scene.text(change.product, .production) == before)
            let draft = try #require(try await scene.editing().draft(of: path))
            #expect(draft.differences.map(\.field.text) == change.fields)
            #expect(draft.author == "operator/sandbox")

            let refused = await #expect(throws: CatalogueError.self) {
                try await scene.editing(by: sandbox).publish(scene.choice(change.product))
            }
            #expect(refused?.code == .productionRequired)
            #expect(try await scene.text(change.product, .production) == before)

            let made = try await scene.editing().publish(scene.choice(change.product))
            #expect(made.count == change.fields.count)
            #expect(try await scene.text(change.product, .production) == tried)
            #expect(try await scene.text(change.product, .sandbox) == tried)
            #expect(try await scene.editing().drafts().products.isEmpty)
        }
    }

    @Test("A draft that is discarded leaves the sandbox what production sells", arguments: DraftedChange.all)
    func discard(change: DraftedChange) async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            let path = try scene.path(change.product)
            let (before, sandbox) = (
                try await scene.text(change.product, .sandbox), try await scene.actor(.sandbox)
            )
            try await change.body(scene.editing(by: sandbox), path)
            #expect(try await scene.editing(by: sandbox).discard(scene.choice(change.product)) == 1)
            #expect(try await scene.text(change.product, .sandbox) == before)
            #expect(try await scene.text(change.product, .production) == before)
            #expect(try await scene.editing().drafts().products.isEmpty)
            let product = try #require(try await scene.sample.product(change.product, in: databases.catalogue))
            #expect(product.state == .approved && product.draftedAt == nil)
        }
    }

    @Test("What production does not sell is changed without a draft", arguments: DraftedChange.all)
    func direct(change: DraftedChange) async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases, isApproved: false)
            try await change.body(scene.editing(by: scene.actor(.sandbox)), scene.path(change.product))
            #expect(try await scene.editing().drafts().products.isEmpty)
        }
    }

    @Test("A change that is published with it needs an actor of production and leaves no draft")
    func atOnce() async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            let path = try scene.path("coins")
            let sandbox = try await scene.actor(.sandbox)
            let refused = await #expect(throws: CatalogueError.self) {
                try await scene.editing(by: sandbox).publishing().setBasePrice(DraftScene.dollars(299), of: path)
            }
            #expect(refused?.code == .productionRequired)
            #expect(try await scene.cents("coins", .sandbox) == 99)
            _ = try await scene.editing().publishing().setBasePrice(DraftScene.dollars(299), of: path)
            #expect(try await scene.cents("coins", .production) == 299)
            #expect(try await scene.editing().drafts().products.isEmpty)
        }
    }

    // It would publish by the way what somebody else only tries.
    @Test("A change is not published past the draft of another")
    func conflict() async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            let path = try scene.path("coins")
            _ = try await scene.editing(by: scene.actor(.sandbox)).setTaxCategory(.books, of: path)
            let refused = await #expect(throws: CatalogueError.self) {
                try await scene.editing().publishing().setBasePrice(DraftScene.dollars(299), of: path)
            }
            #expect(refused?.code == .stateWrong && refused?.parameter == "publish")
            #expect(try await scene.cents("coins", .production) == 99)
            #expect(try await scene.cents("coins", .sandbox) == 99)
        }
    }

    @Test("A publication of what was looked at is refused once it was changed again")
    func seen() async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            let (editing, path) = (scene.editing(), try scene.path("coins"))
            _ = try await editing.setBasePrice(DraftScene.dollars(299), of: path)
            let page = try await editing.drafts()
            _ = try await editing.setBasePrice(DraftScene.dollars(999), of: path)
            let choice = CatalogueDrafts.Choice(app: path.app, products: [path.product], seen: page.seen)
            let refused = await #expect(throws: CatalogueError.self) { try await editing.publish(choice) }
            #expect(refused?.code == .stateWrong && refused?.parameter == "seen")
            #expect(try await scene.cents("coins", .production) == 99)
            let newer = CatalogueDrafts.Choice(seen: try await editing.drafts().seen)
            #expect(try await editing.publish(newer).products.count == 1)
            #expect(try await scene.cents("coins", .production) == 999)
        }
    }

    @Test("A draft that comes back to what is published is none any more")
    func undone() async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            let (editing, path) = (scene.editing(), try scene.path("coins"))
            _ = try await editing.setClearedForSale(false, path)
            #expect(try await editing.drafts().count == 1)
            _ = try await editing.setClearedForSale(true, path)
            #expect(try await editing.drafts().count == 0)
            #expect(try await scene.cents("coins", .production) == 99)
        }
    }

    @Test("One field of a draft is taken back, and the others stay")
    func field() async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            let (editing, path) = (scene.editing(), try scene.path("coins"))
            _ = try await editing.setPrice(
                .own(DraftScene.dollars(499)), of: path, in: CatalogueSample.storefront("USA"))
            _ = try await editing.setTaxCategory(.books, of: path)
            try await editing.discard("prices.USA", of: path)
            #expect(try await scene.cents("coins", .sandbox) == 99)
            #expect(try await editing.draft(of: path)?.differences.map(\.field.text) == ["taxCategory"])
            for (wrong, code) in [("prices.FRA", RefusalCode.nameUnknown), ("colour", .valueInvalid)] {
                let refused = await #expect(throws: CatalogueError.self) { try await editing.discard(wrong, of: path) }
                #expect(refused?.code == code, "\(wrong)")
            }
        }
    }

    @Test("A removal that was not published is taken back, and one that was is for good")
    func removal() async throws {
        try await StoreEngine.memory.withStore { databases in
            let scene = try await DraftScene(databases)
            let (editing, path) = (scene.editing(), try scene.path("coins"))
            try await editing.remove(path)
            // It is still shown and found, because production sells it; nothing but its draft is changed.
            #expect(try await editing.details(of: path).product.awaitsRemoval)
            let listed = try await editing.products(of: path.app, after: nil, limit: 10)
            #expect(listed.map(\.product.productID.text) == ["club", "coins"])
            #expect(try await editing.item("coins").productID == path.product)
            let refused = await #expect(throws: CatalogueError.self) {
                try await editing.setTaxCategory(.books, of: path)
            }
            #expect(refused?.message.contains("till catalogue discard") == true)
            _ = try await editing.discard(scene.choice("coins"))
            #expect(try await editing.details(of: path).product.removedAt == nil)
            try await editing.remove(path)
            let made = try await scene.editing(at: DraftScene.later).publish(scene.choice("coins"))
            #expect(made.at == DraftScene.later)
            let product = try #require(try await scene.sample.product("coins", in: databases.catalogue))
            #expect(product.removedAt == DraftScene.later && !Catalogue.isLive(product))
            let again = await #expect(throws: CatalogueError.self) {
                try await editing.put(CatalogueSample.draft("coins"), of: path.app)
            }
            #expect(again?.code == .productRemoved)
        }
    }
}
