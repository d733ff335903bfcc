import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("The changes of the catalogue, filtered", .bounded)
struct AuditFilterTests {
    private static let now = CatalogueSample.now

    private static func editing(_ store: StoreDatabases, at time: Instant = now) -> CatalogueEditing {
        CatalogueEditing(store.catalogue, by: .owner, request: "r1", now: { time })
    }

    /// Two apps with a product each; the one is shelved and priced a day later.
    private static func scene(_ store: StoreDatabases) async throws -> (ProductPath, ProductPath) {
        var paths: [ProductPath] = []
        for (index, bundle) in [CatalogueSample.bundleID, "com.example.other"].enumerated() {
            let sample = try await CatalogueSample.make(in: store.catalogue, bundleID: bundle, id: Int64(index + 1))
            try await sample.put(CatalogueSample.draft("p"), item: Int64(index + 10), in: store.catalogue)
            paths.append(ProductPath(sample.app.bundleID, try ProductID(parsing: "p")))
        }
        let later = editing(store, at: now + .seconds(86_400))
        _ = try await later.setBasePrice(Money(minorUnits: 199, currency: .usd), of: paths[0])
        _ = try await later.setClearedForSale(false, paths[1])
        return (paths[0], paths[1])
    }

    @Test("App, product, kind, actor and time narrow it", arguments: StoreEngine.allCases)
    func filters(_ engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let (one, other) = try await Self.scene(store)
            let editing = Self.editing(store)
            func actions(_ filter: AuditFilter) async throws -> [String] {
                try await editing.changes(filter, limit: 20).map(\.entry.action)
            }
            #expect(try await actions(AuditFilter(kind: .prices)) == ["price"])
            #expect(try await actions(AuditFilter(kind: .shelves)) == ["withheld"])
            #expect(try await actions(AuditFilter(app: one.app)) == ["price", "entered", "entered"])
            #expect(try await actions(AuditFilter(app: other.app, product: other.product)) == ["withheld", "entered"])
            #expect(try await actions(AuditFilter(actor: "OWNER")) == ["withheld", "price"])
            // What a pattern means elsewhere is a letter here.
            #expect(try await actions(AuditFilter(actor: "own%r")).isEmpty)
            #expect(try await actions(AuditFilter(actor: "o_ner")).isEmpty)
            let day = Self.now + .seconds(86_400)
            #expect(try await actions(AuditFilter(from: day)) == ["withheld", "price"])
            #expect(try await actions(AuditFilter(until: day)).allSatisfy { !["price", "withheld"].contains($0) })
            let error = await #expect(throws: CatalogueError.self) {
                try await editing.changes(AuditFilter(product: one.product), limit: 1)
            }
            #expect(error?.parameter == "bundleId")
        }
    }

    @Test("A change says what its subject is called, and field by field what differs")
    func differences() async throws {
        try await StoreEngine.memory.withStore { store in
            let (one, _) = try await Self.scene(store)
            let found = try #require(
                try await Self.editing(store).changes(AuditFilter(app: one.app, kind: .prices), limit: 1).first)
            #expect(found.name == "Reference p" && found.app == one.app && found.product == one.product)
            let base = try #require(found.differences.first { $0.field == "basePrice" })
            #expect(base.before == nil && base.after == "1.99 USD")
            let file = AuditFile.text(of: [found])
            #expect(file.contains(",basePrice,,1.99 USD,r1\r\n"), "\(file)")
        }
    }
}
