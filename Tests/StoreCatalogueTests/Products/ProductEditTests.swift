import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// What developers enter and change of apps, products and groups, one use case at a time.
@Suite("What developers enter and change")
struct ProductEditTests {
    private static let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    /// A catalogue with an app, as its owner edits it.
    private struct Scene {
        let editing: CatalogueEditing
        let catalogue: any Database
        let app: BundleID

        init() async throws {
            catalogue = try await StoreDatabases.inMemory(.current()).catalogue
            let app = try BundleID(parsing: "com.acme.lumen")
            self.app = app
            editing = CatalogueEditing(catalogue, by: .owner, request: nil, now: { ProductEditTests.now })
            _ = try await editing.addApp(app, name: "Lumen", primaryLanguage: nil, team: nil)
        }

        func path(_ name: String) throws -> ProductPath { ProductPath(app, try ProductID(parsing: name)) }

        @discardableResult
        func enter(_ name: String, _ kind: ProductKind = .consumable, price: Money? = nil) async throws
            -> ProductDetails
        {
            var entry = ProductEntry(
                try ProductID(parsing: name), kind, text: ProductText(title: "Title", description: "Text"), price: price
            )
            if kind == .autoRenewable {
                (entry.period, entry.groupID) = (.oneMonth, try SubscriptionGroupID(parsing: "club"))
            }
            return try await editing.enter(entry, of: app)
        }
    }

    private static let dollar = Money(minorUnits: 100, currency: .usd)

    private static func refusal(_ body: () async throws -> Void) async -> CatalogueError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? CatalogueError
        }
    }

    @Test("R1.2: A product is entered once; its id belongs to it for ever")
    func entered() async throws {
        let scene = try await Scene()
        let details = try await scene.enter("a", price: Self.dollar)
        #expect(details.product.state == .readyToSubmit && details.product.referenceName == "Title")
        #expect(details.texts.keys.sorted() == ["en-US"])
        #expect(await Self.refusal { try await scene.enter("a") }?.code == .nameTaken)
        try await scene.editing.remove(scene.path("a"))
        let gone = await Self.refusal { try await scene.enter("a") }
        #expect(gone?.code == .productRemoved && gone?.parameter == "productId")
    }

    @Test("An app is entered with its first product, or neither is")
    func both() async throws {
        let scene = try await Scene()
        let id = try BundleID(parsing: "com.acme.other")
        let bad = ProductEntry(
            try ProductID(parsing: "b"), .consumable, text: ProductText(title: "", description: ""))
        let refused = await Self.refusal {
            _ = try await scene.editing.addApp(id, name: "Other", primaryLanguage: nil, team: nil, with: bad)
        }
        #expect(refused?.parameter == "title")
        #expect(await Self.refusal { _ = try await scene.editing.app(id) }?.code == .appUnknown)
        let good = ProductEntry(
            try ProductID(parsing: "b"), .consumable, text: ProductText(title: "B", description: ""))
        let made = try await scene.editing.addApp(
            id, name: "Other", primaryLanguage: "de-DE", team: nil, with: good)
        #expect(made.texts.keys.sorted() == ["de-DE"])
    }

    @Test("A change of words is one change of the audit, and a refused one is none")
    func edited() async throws {
        let scene = try await Scene()
        try await scene.enter("a", price: Self.dollar)
        let path = try scene.path("a")
        let before = try await scene.catalogue.read { try CatalogueAudit.last(in: $0) }
        var edit = ProductEdit()
        edit.referenceName = "Lamp"
        edit.texts = [
            "en-US": ProductText(title: "Lamp", description: "It shines."),
            "de-DE": ProductText(title: "Lampe", description: ""),
        ]
        edit.taxCategory = .games
        edit.facts = ReviewFacts(category: .content, delivers: "Light", note: "")
        let details = try await scene.editing.change(edit, of: path)
        #expect(details.texts["de-DE"]?.title == "Lampe" && details.product.taxCategory == .games)
        #expect(details.product.category == .content && details.product.delivers == "Light")
        #expect(details.product.basePrice == Self.dollar, "what is not said stays")
        let after = try await scene.catalogue.read { try CatalogueAudit.last(in: $0) }
        #expect(after == before + 1)
        edit.texts["de-DE"] = ProductText(title: "", description: "")
        let empty = await Self.refusal { _ = try await scene.editing.change(edit, of: path) }
        #expect(empty?.parameter == "texts.de-DE.title")
        edit.texts = [:]
        edit.facts.category = .subscription
        #expect(await Self.refusal { _ = try await scene.editing.change(edit, of: path) }?.parameter == "category")
        #expect(try await scene.catalogue.read { try CatalogueAudit.last(in: $0) } == after)
    }

    @Test("A text is taken away; production keeps its last one, and a draft goes before what is shown")
    func languages() async throws {
        let scene = try await Scene()
        try await scene.enter("a", price: Self.dollar)
        let (path, editing) = (try scene.path("a"), scene.editing)
        #expect(await Self.refusal { _ = try await editing.removeText("fr-FR", of: path) }?.code == .nameUnknown)
        let bare = try await editing.removeText("en-US", of: path)
        #expect(bare.product.state == .missingMetadata && bare.texts.isEmpty)
        var edit = ProductEdit()
        edit.texts = ["en-US": ProductText(title: "Lamp", description: "")]
        _ = try await editing.change(edit, of: path)
        _ = try await editing.approve(path)
        #expect(await Self.refusal { _ = try await editing.removeText("en-US", of: path) }?.code == .stateWrong)
        edit.texts = ["en-US": ProductText(title: "Light", description: "")]
        let draft = try await editing.change(edit, of: path)
        #expect(draft.texts["en-US"]?.title == "Lamp" && draft.newestTexts["en-US"]?.title == "Light")
        let back = try await editing.removeText("en-US", of: path)
        #expect(back.newestTexts["en-US"]?.title == "Lamp")
    }

    @Test("R1.3: What a submission lacks is listed until nothing is missing")
    func checklist() async throws {
        let scene = try await Scene()
        try await scene.enter("a")
        let (path, editing) = (try scene.path("a"), scene.editing)
        func missing() async throws -> [String] {
            try await editing.checklist(of: path).missing.map(\.need.rawValue)
        }
        #expect(try await missing() == ["price", "category", "delivers", "version"])
        let early = await Self.refusal {
            _ = try await editing.submit(path, .init(category: .content, delivers: "Light"))
        }
        #expect(early?.message.contains("because it lacks a price") == true)
        _ = try await editing.setBasePrice(Self.dollar, of: path)
        _ = try await editing.keep(ReviewFacts(category: .content, delivers: "Light"), of: path)
        #expect(try await missing() == ["version"])
        let alone = await Self.refusal {
            _ = try await editing.submit(path, .init(category: .content, delivers: "Light"))
        }
        #expect(alone?.parameter == "version" && alone?.message.contains("enter one for the app") == true)
        _ = try await editing.addVersion("1.0", of: scene.app)
        let list = try await editing.checklist(of: path)
        #expect(list.missing.isEmpty && list.canBeSubmitted && list.openVersion == "1.0")
        #expect(list.entries.contains { $0.isOptional && !$0.isDone })
        _ = try await editing.submit(path, .init(category: .content, delivers: "Light", version: "1.0"))
        let late = await Self.refusal { _ = try await editing.keep(ReviewFacts(delivers: "Dark"), of: path) }
        #expect(late?.code == .stateWrong)
        // The same said again is no change.
        _ = try await editing.keep(ReviewFacts(delivers: "Light"), of: path)
        let used = await Self.refusal { try await editing.removeVersion("1.0", of: scene.app) }
        #expect(used?.code == .stateWrong)
    }

    @Test("An app is renamed by a line that is one, and a version that nobody has seen is taken back")
    func apps() async throws {
        let scene = try await Scene()
        let (app, editing) = (scene.app, scene.editing)
        let named = try await editing.change(
            AppDraft(name: "Lumen 2", primaryLanguage: nil), of: app, in: .sandbox)
        #expect(named.app.name == "Lumen 2" && named.app.primaryLanguage == "en-US")
        let empty = await Self.refusal {
            _ = try await editing.change(AppDraft(name: "", primaryLanguage: nil), of: app, in: .sandbox)
        }
        #expect(empty?.parameter == "name")
        _ = try await editing.addVersion("1.0", of: app)
        try await editing.removeVersion("1.0", of: app)
        #expect(try await editing.versions(of: app).isEmpty)
        #expect(await Self.refusal { try await editing.removeVersion("1.0", of: app) }?.code == .nameUnknown)
    }

    @Test(
        "A subscription moves past its neighbours, or out of a rank that it shares",
        arguments: [
            // levels of a, b, c; who moves where; levels after.
            ([1, 2, 3], "c", LevelMove.up, [1, 3, 2]), ([1, 2, 3], "a", .up, [1, 2, 3]),
            ([1, 2, 3], "a", .down, [2, 1, 3]), ([1, 2, 3], "c", .down, [1, 2, 3]),
            ([1, 1, 2], "b", .down, [1, 2, 3]),
            ([1, 1, 2], "b", .up, [2, 1, 3]), ([1, 1, 2], "c", .up, [2, 2, 1]), ([5, nil, nil], "c", .up, [1, 3, 2]),
        ] as [([Int?], String, LevelMove, [Int])])
    func moves(_ levels: [Int?], _ product: String, _ move: LevelMove, _ expected: [Int]) async throws {
        let scene = try await Scene()
        let group = try SubscriptionGroupID(parsing: "club")
        for name in ["a", "b", "c"] { try await scene.enter(name, .autoRenewable, price: Self.dollar) }
        let typed = zip(["a", "b", "c"], levels).compactMap { name, level in level.map { (name, $0) } }
        _ = try await scene.editing.put(
            SubscriptionGroupDraft(name: nil, texts: [:], levels: Dictionary(uniqueKeysWithValues: typed)), as: group,
            of: scene.app)
        let moved = try await scene.editing.move(ProductID(parsing: product), move, in: group, of: scene.app)
        let found = try #require(moved.first?.members).sorted { $0.productId < $1.productId }
        #expect(found.map(\.level) == expected.map { Optional($0) })
    }
}
