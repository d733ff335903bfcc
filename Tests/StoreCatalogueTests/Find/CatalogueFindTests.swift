import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import Testing

@testable import StoreCatalogue

/// R1.12, P31: whatever somebody has of a thing in the catalogue, its page is found by it.
@Suite("What operators find in the catalogue")
struct CatalogueFindTests {
    private static func editing(
        _ databases: StoreDatabases, by actor: Actor = .owner
    ) -> CatalogueEditing {
        CatalogueEditing(databases.catalogue, by: actor, request: nil) { CatalogueSample.now }
    }

    /// The ids that are found, by kind.
    private static func found(
        _ text: String, _ editing: CatalogueEditing, limit: Int = 50
    ) async throws -> [FoundThing.Kind: [String]] {
        let groups = try await editing.find(text, limit: limit)
        return Dictionary(uniqueKeysWithValues: groups.map { ($0.kind, $0.found.map(\.id)) })
    }

    @Test("Beginnings of words are enough, without case and accents", arguments: StoreEngine.allCases)
    func beginnings(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let editing = Self.editing(databases)
            let sample = try await CatalogueSample.make(in: databases.catalogue, bundleID: "com.acme.lumen", id: 12)
            let texts = ["fr-FR": ProductText(title: "Élan Vital", description: "hidden")]
            try await sample.put(
                CatalogueSample.draft("com.acme.lumen.glow_pack", texts: texts), item: 34_567, in: databases.catalogue)
            let product = "com.acme.lumen.glow_pack"
            #expect(try await Self.found("LUM", editing) == [.app: ["com.acme.lumen"], .product: [product]])
            for text in ["elan", "vit el", "ÉLAN", "glow", "lumen.glow", "refer", "3456", "34567"] {
                #expect(try await Self.found(text, editing)[.product] == [product], "\(text)")
            }
            #expect(try await Self.found("12", editing)[.app] == ["com.acme.lumen"])
            // Neither the middle of a word, nor a description, nor one word of two.
            for text in ["umen", "hidden", "lumen nothing", "4567", "%", ""] {
                #expect(try await Self.found(text, editing) == [:], "\(text)")
            }
        }
    }

    @Test("The store's own people are found by name and address, and not by the middle of a word")
    func people() async throws {
        let databases = try await StoreDatabases.inMemory(.current())
        let editing = Self.editing(databases)
        _ = try await editing.putStoreMember("rita@store.example", name: "Rita Review", role: .reviewer)
        for text in ["rit", "rev", "rita@store.example"] {
            #expect(try await Self.found(text, editing)[.person] == ["rita@store.example"], "\(text)")
        }
        #expect(try await Self.found("ita", editing)[.person] == nil)
    }

    @Test("The words follow each change, in the transaction that makes it", arguments: StoreEngine.usual)
    func follow(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let editing = Self.editing(databases)
            let sample = try await SearchSample(in: databases.catalogue)
            let book = "\(SearchSample.kangarooBook)"
            #expect(try await Self.found("pedl kang", editing)[.item] == [book])
            #expect(try await Self.found("ibo", editing) == [.app: ["com.apple.iBooks"]])
            #expect(try await Self.found("beyonc", editing)[.item]?.count == 3)
            var draft = ItemDraft()
            draft.texts = ["en-US": ItemTextDraft(title: "Wallaby Tales", description: "")]
            _ = try await editing.changeItem(SearchSample.kangarooBook, draft)
            #expect(try await Self.found("walla", editing)[.item] == [book])
            let item = try #require(
                try await databases.catalogue.read { try ItemShelf.item(SearchSample.kangarooBook, in: $0) })
            _ = try await editing.renameArtist(item.facts.artistID, to: "Orchard")
            #expect(try await Self.found("orch", editing)[.item] == [book])
            #expect(try await Self.found("pedl", editing) == [:])
            try await editing.removeItem(SearchSample.kangarooBook)
            #expect(try await Self.found("orch", editing) == [:])
            let before = try await Self.found("bey", editing)
            try await databases.catalogue.write { _ = try $0.execute("DELETE FROM name_word") }
            #expect(try await Self.found("bey", editing) == [:])
            _ = try await editing.reindex()
            #expect(try await Self.found("bey", editing) == before && !before.isEmpty && !sample.ids.isEmpty)
        }
    }

    @Test("A change of a name reads the words of that name, not those of its whole kind")
    func formerWords() async throws {
        try await StoreEngine.memory.withStore { databases in
            let plan = try await databases.catalogue.read { transaction in
                try transaction.query("EXPLAIN QUERY PLAN \(NameWords.formerWords)", "item", "7") {
                    try $0.value(3, as: String.self)
                }
            }
            #expect(plan.contains { $0.contains("name_word_of (kind=? AND reference=?)") }, "\(plan)")
        }
    }

    @Test("R1.9: A team finds what it has, and its people; what others have is not there", arguments: StoreEngine.usual)
    func teams(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let owner = Self.editing(databases)
            var members: [TeamID: CatalogueEditing] = [:]
            for name in ["north", "south"] {
                let id = try #require(TeamID(name))
                _ = try await owner.addTeam(id, name: "Team \(name)")
                _ = try await owner.addApp(
                    BundleID(parsing: "com.\(name).app"), name: "Shared word", primaryLanguage: "en-US", team: id)
                _ = try await owner.putMember("shared@\(name).example", name: "Shared", role: .developer, of: id)
                let actor = Actor(person: "shared@\(name).example", role: .developer, team: id)
                members[id] = Self.editing(databases, by: actor)
            }
            #expect(try await Self.found("shared", owner)[.app]?.count == 2)
            for (id, editing) in members {
                let all = try await Self.found("shared", editing)
                #expect(all == [.app: ["com.\(id).app"], .member: ["shared@\(id).example"]])
                #expect(try await Self.found("team", editing) == [.team: [id.text]])
            }
        }
    }

    @Test("A list says that it is cut, and never shows a thing twice")
    func limits() async throws {
        try await StoreEngine.memory.withStore { databases in
            let sample = try await CatalogueSample.make(in: databases.catalogue)
            for number in 1...5 {
                try await sample.put(
                    CatalogueSample.draft("com.example.app.lamp\(number)"), item: Int64(number), in: databases.catalogue
                )
            }
            let groups = try await Self.editing(databases).find("lamp", limit: 3)
            let products = try #require(groups.first { $0.kind == .product })
            #expect(products.isCut && products.found.count == 3 && Set(products.found.map(\.id)).count == 3)
            let all = try await Self.editing(databases).find("lamp", limit: 5)
            #expect(all.first?.isCut == false && all.first?.found.count == 5)
        }
    }
}
