import StoreDatabase
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCatalogue

@Suite("The search of the storefront (R7.4)")
struct ItemSearchTests {
    private static let kangaroos = ["Dot and the Kangaroo", "Dot and the Kangaroo (film)"]

    @Test("The same is found, in the same order, whatever engine keeps it", arguments: StoreEngine.allCases)
    func goldens(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let sample = try await SearchSample(in: databases.catalogue)
            let goldens: [(term: String, names: [String])] = [
                ("ibooks", ["iBooks"]), ("IBOOKS", ["iBooks"]), ("ibo", ["iBooks"]),
                ("dot and the kangaroo", Self.kangaroos.reversed()),
                (
                    "kangaroo dot",
                    [
                        "Dot and the Kangaroo (film)", "Dot and the Kangaroo", "Kangaroos of the World",
                    ]
                ),
                ("kangaroo court", ["The Kangaroo Court"]), ("ultima parada", ["Ĺa Última Parada"]),
                ("BEYONCE terminus", ["Terminus"]), ("beyoncé night", ["Night Bus", "Ĺa Última Parada", "Terminus"]),
                ("library of great books", ["iBooks"]), ("harbour lights", ["Harbour Lights", "The Kangaroo Court"]),
                ("猫", ["吾輩は猫である"]), ("猫である", ["吾輩は猫である"]), ("ねこ", []), ("夏目", ["吾輩は猫である"]),
                ("東京", ["Tokyo Story (film)"]), ("東京物語", ["Tokyo Story (film)"]), ("京東", []),
                ("红楼", ["红楼梦"]), ("楼", ["红楼梦"]), ("红", ["红楼梦"]), ("小说", ["红楼梦"]),
                ("nothing of this", []), ("", []), ("★ !", []),
            ]
            for (term, names) in goldens {
                #expect(try await sample.names(term) == names, "\(term)")
            }
            // What means something to an engine means nothing in a term.
            for term in ["ibooks'", "ibooks \"", "ibooks*", "(ibooks)", "name:ibooks", "ibooks & | !", "ibooks\u{0}"] {
                #expect(try await sample.names(term, changing: { $0.corrects = false }).count <= 1, "\(term)")
            }
        }
    }

    @Test("Typing errors are forgiven where nothing has the words as they are", arguments: StoreEngine.allCases)
    func corrections(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let sample = try await SearchSample(in: databases.catalogue)
            for (term, name, corrected) in [
                ("ibokos", "iBooks", "ibooks"), ("kangarou court", "The Kangaroo Court", "kangaroo court"),
                ("dot adn the kangaroo", "Dot and the Kangaroo (film)", "dot and the kangaroo"),
                ("termnius", "Terminus", "terminus"), ("beyonse terminus", "Terminus", "beyonce terminus"),
            ] {
                let found = try await sample.matches(term)
                #expect(
                    found.matches.first.map { $0.kinds == .films ? "\($0.name) (film)" : $0.name } == name, "\(term)")
                #expect(found.corrected == corrected)
            }
            #expect(try await sample.matches("zzyzx").matches == [])
            #expect(try await sample.matches("ibooks").corrected == nil)
            #expect(try await sample.matches("ibokos", changing: { $0.corrects = false }).matches == [])
        }
    }

    @Test("Kinds, genres, attributes and what is explicit narrow a search", arguments: StoreEngine.usual)
    func filters(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let sample = try await SearchSample(in: databases.catalogue)
            #expect(try await sample.names("kangaroo", kinds: .books).count == 2)
            #expect(try await sample.names("kangaroo", kinds: [.films, .episodes]).count == 2)
            #expect(try await sample.names("kangaroo", changing: { $0.genre = 38 }).count == 2)
            #expect(try await sample.names("kangaroo", changing: { $0.genre = 9010 }) == ["Dot and the Kangaroo"])
            #expect(try await sample.names("beyonce", changing: { $0.allowsExplicit = false }).count == 2)
            #expect(
                try await sample.names("dot", changing: { $0.attribute = .authorTerm }) == ["Kangaroos of the World"])
            #expect(try await sample.names("dot", changing: { $0.attribute = .titleTerm }).count == 2)
            #expect(
                try await sample.names("night bus", kinds: .songs, changing: { $0.attribute = .albumTerm }).count == 2)
            #expect(try await sample.names("night bus", kinds: .songs, changing: { $0.attribute = .songTerm }) == [])
            #expect(try await sample.names("g", changing: { $0.attribute = .ratingTerm }) == [Self.kangaroos[1]])
            #expect(try await sample.names("library", changing: { $0.attribute = .descriptionTerm }) == ["iBooks"])
            #expect(try await sample.names("books", changing: { $0.attribute = .genreIndex }) == ["iBooks"])
            #expect(try await sample.names("4425", changing: { $0.attribute = .genreIndex }) == ["Tokyo Story (film)"])
            #expect(try await sample.names("beyonce", kinds: .artists) == ["Beyoncé"])
            #expect(try await sample.names("beyonce", kinds: .authors) == [])
        }
    }

    @Test("A page follows the one before it, and the newest can come first", arguments: StoreEngine.usual)
    func pages(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let sample = try await SearchSample(in: databases.catalogue)
            let all = try await sample.matches("kangaroo").matches
            #expect(all.count == 4)
            var paged: [ItemSearch.Match] = []
            for offset in 0..<5 { paged += try await sample.matches("kangaroo", offset: offset, limit: 1).matches }
            #expect(paged == all)
            #expect(try await sample.matches("kangaroo", offset: SearchLimits.offset + 1).matches == [])
            let newest = try await sample.names("kangaroo", changing: { $0.isNewestFirst = true })
            #expect(newest.last == "Dot and the Kangaroo" && newest.count == 4)
        }
    }

    @Test("How much of each kind is found, and what may be meant by a beginning", arguments: StoreEngine.allCases)
    func counts(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let sample = try await SearchSample(in: databases.catalogue)
            let storefront = try CatalogueSample.storefront("USA")
            let request = ItemSearch.Request("kangaroo", in: .production, storefront)
            let counts = try await databases.catalogue.read { try ItemSearch.counts(request, in: $0) }
            #expect(counts == [.books: 2, .films: 1, .episodes: 1])
            let beginning = ItemSearch.Request("dot and the k", in: .production, storefront)
            let meant = try await databases.catalogue.read { try ItemSearch.suggestions(beginning, in: $0) }
            #expect(meant.map(\.name) == ["Dot and the Kangaroo"])
            #expect(sample.ids[Self.kangaroos[1]] == meant.first?.storeID)
        }
    }

    @Test("What is taken out of a storefront is not found there", arguments: StoreEngine.usual)
    func withdrawn(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let sample = try await SearchSample(in: databases.catalogue)
            _ = try await databases.catalogue.write { transaction in
                try transaction.execute(
                    "INSERT INTO product_withdrawal (item_id, storefront) VALUES ($1, 'JPN')", SearchSample.kangarooBook
                )
            }
            #expect(try await sample.names("dot and the kangaroo", kinds: .books, storefront: "JPN") == [])
            #expect(try await sample.names("dot and the kangaroo", kinds: .books).count == 1)
        }
    }
}
