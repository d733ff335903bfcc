import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCatalogue

@Suite("What the storefront shows of items", .bounded)
struct ItemShelfTests {
    /// A store with the demo and its items.
    private static func withDemo(_ engine: StoreEngine = .memory, _ body: (ItemScene) async throws -> Void) async throws
    {
        try await ItemScene.with(engine) { scene in
            try await DemoCatalogue.enter(
                into: scene.catalogue, numbers: Numbers(scene.catalogue), at: ItemScene.now)
            let count = try await DemoItems.enter(into: scene.catalogue, files: scene.store, at: ItemScene.now)
            #expect(count == DemoItem.all.count)
            try await body(scene)
        }
    }

    private static func storeID(_ key: String, _ scene: ItemScene) async throws -> Int64 {
        let item = try #require(DemoItem.all.first { $0.key == key })
        return try #require(try await scene.catalogue.read { try DemoItems.find(item, in: $0) }).storeID
    }

    @Test(
        "R7.7: The demo has an item of each kind, complete and sold in both environments",
        arguments: StoreEngine.usual)
    func demo(engine: StoreEngine) async throws {
        try await Self.withDemo(engine) { scene in
            #expect(Set(DemoItem.all.map(\.kind)) == ItemKind.known)
            for item in DemoItem.all {
                let id = try await Self.storeID(item.key, scene)
                for environment in StoreEnvironment.allCases {
                    let listing = try #require(try await scene.listing(id, environment), "\(item.key)")
                    #expect((listing.price == nil) == (item.price == nil), "\(item.key)")
                    #expect(listing.title == item.texts[0].0 && listing.artwork != nil, "\(item.key)")
                    #expect(listing.files.count == item.files.count, "\(item.key)")
                }
                #expect(try await scene.editing.itemDetails(id).missing == [], "\(item.key)")
                // What plays says itself how long it is.
                let length = try await scene.listing(id)?.item.milliseconds
                #expect(item.kind != .song || item.files.isEmpty || length ?? 0 > 0, "\(item.key)")
            }
            // A second start finds everything there.
            #expect(try await DemoItems.enter(into: scene.catalogue, files: scene.store, at: ItemScene.now) == 0)
            let used = Set(DemoItem.all.flatMap(\.files).map(\.file))
            #expect(used == Set(DemoItems.files.keys))
        }
    }

    @Test("R1.6: Each text of the demo is there in six languages, and customers read theirs")
    func languages() async throws {
        try await Self.withDemo { scene in
            for item in DemoItem.all {
                #expect(item.texts.count == DemoApp.languages.count, "\(item.key)")
                let id = try await Self.storeID(item.key, scene)
                for (index, (code, language)) in zip(["USA", "JPN", "TUR", "CHN", "DEU", "FRA"], DemoApp.languages)
                    .enumerated()
                {
                    let listing = try await scene.listing(id, in: code, languages: [language])
                    #expect(listing?.title == item.texts[index].0, "\(item.key) in \(language)")
                    #expect(listing?.language == language)
                }
            }
        }
    }

    @Test("A page has the item, what it is part of, its parts in order, and others", arguments: StoreEngine.allCases)
    func pages(engine: StoreEngine) async throws {
        try await Self.withDemo(engine) { scene in
            let view = try ItemScene.view()
            let album = try await Self.storeID("low-tide", scene)
            let page = try #require(try await scene.catalogue.read { try ItemShelf.page(of: album, for: view, in: $0) })
            #expect(page.children.map(\.title) == ["Ebb", "Rows", "Salt Road"])
            #expect(page.children.map { $0.price?.description } == ["0.99 USD", nil, "0.99 USD"])
            #expect(page.children.allSatisfy { $0.artwork == page.listing.artwork && $0.parent?.childCount == 3 })
            #expect(page.listing.childCount == 3 && page.parent == nil)
            let song = try await Self.storeID("ebb", scene)
            let songPage = try #require(
                try await scene.catalogue.read { try ItemShelf.page(of: song, for: view, in: $0) })
            #expect(songPage.parent?.storeID == album)
            #expect(songPage.byArtist.map(\.title).sorted() == ["Rows", "Salt Road"])
            let storefront = try CatalogueSample.storefront("USA")
            #expect(songPage.listing.link(in: storefront).path == "/us/album/low-tide/id\(album)?i=\(song)")
            #expect(songPage.listing.artistLink(in: storefront).path.hasPrefix("/us/artist/the-looms/id"))
            let app = try await Self.storeID("monkeycredits", scene)
            let appPage = try #require(
                try await scene.catalogue.read { try ItemShelf.page(of: app, for: view, in: $0) })
            #expect(appPage.listing.link(in: storefront).path == "/us/app/monkey-credits/id\(app)?mt=8")
            #expect(appPage.purchases.count == 5 && appPage.listing.price?.minorUnits == 0)
            #expect(appPage.listing.version?.note == "The monkey waves back.")
            #expect(appPage.listing.version?.packages.first?.fileName == "monkeycredits.deb")
            #expect(try await scene.catalogue.read { try ItemShelf.page(of: 5, for: view, in: $0) } == nil)
        }
    }

    @Test("Lists are by kind, genre and artist, the newest first, page by page", arguments: StoreEngine.usual)
    func lists(engine: StoreEngine) async throws {
        try await Self.withDemo(engine) { scene in
            let apps = DemoItem.all.filter { $0.kind == .app }.sorted { $0.age < $1.age }
            var ids: [Int64] = []
            for app in apps { ids.append(try await Self.storeID(app.key, scene)) }
            let expected = ids
            try await scene.catalogue.read { transaction in
                let all = try ItemShelf.newest(.app, in: .production, transaction)
                #expect(all == expected)
                #expect(
                    try ItemShelf.newest(.app, in: .production, limit: 2, offset: 1, transaction)
                        == Array(expected[1...2]))
                // Games have genres of their own.
                #expect(try ItemShelf.newest(.app, genre: 6014, in: .production, transaction) == [expected[0]])
                #expect(try ItemShelf.newest(.app, genre: 36, in: .production, transaction) == expected)
                let genres = try ItemShelf.genres(of: .episode, in: .production, transaction)
                #expect(genres.map { "\($0.genre.name) \($0.count)" } == ["Drama 2"])
                let wide = try ItemShelf.newestWide(in: .production, limit: 10, transaction)
                let kinds = try wide.map { try #require(try ItemShelf.item($0, in: transaction)).kind }
                #expect(kinds == [.album, .film, .app])
            }
        }
    }

    @Test("What is off the shelf is in no list and on no page, and a suspended team's neither")
    func offShelf() async throws {
        try await Self.withDemo { scene in
            let film = try await Self.storeID("night-bus", scene)
            let path = try await scene.editing.itemPath(film)
            let films = { try await scene.catalogue.read { try ItemShelf.newest(.film, in: .production, $0) } }
            #expect(try await films() == [film])
            _ = try await scene.editing.publishing().setClearedForSale(false, path)
            #expect(try await films() == [])
            #expect(try await scene.listing(film) == nil)
            _ = try await scene.editing.publishing().setClearedForSale(true, path)
            _ = try await scene.editing.setRemovedFromSale(because: "Wait", path)
            #expect(try await films() == [])
            #expect(try await scene.listing(film) == nil)
            _ = try await scene.editing.setRemovedFromSale(because: nil, path)
            #expect(try await films() == [film])
            let suspended = { (reason: String?) in
                try await scene.catalogue.write { transaction in
                    _ = try Teams.setSuspended(
                        because: reason, Teams.first, CatalogueChange(.owner, at: ItemScene.now, in: transaction))
                }
            }
            try await suspended("Fraud")
            #expect(try await films() == [])
            #expect(try await scene.listing(film) == nil)
            try await suspended(nil)
            #expect(try await scene.listing(film)?.obstacle == nil)
        }
    }

    @Test("Prices that are set beforehand, own prices and withdrawals hold for items as for products")
    func prices() async throws {
        try await Self.withDemo { scene in
            let book = try await Self.storeID("dot", scene)
            let path = try await scene.editing.itemPath(book)
            let (france, japan) = (try CatalogueSample.storefront("FRA"), try CatalogueSample.storefront("JPN"))
            _ = try await scene.editing.publishing().setPrice(.notSold, of: path, in: france)
            _ = try await scene.editing.publishing().setPrice(
                .own(Money(decimal: "500", currency: .jpy)), of: path, in: japan)
            let later = ItemScene.now + .seconds(60)
            _ = try await scene.editing.publishing().schedulePrice(
                Money(decimal: "4.99", currency: .usd), of: path, in: nil, from: later)
            #expect(try await scene.listing(book, in: "FRA")?.obstacle == .notInStorefront)
            #expect(try await scene.listing(book, in: "JPN")?.price?.description == "500 JPY")
            #expect(try await scene.listing(book)?.price?.description == "0.99 USD")
            let view = ItemView(
                .production, try CatalogueSample.storefront("USA"), languages: ["en"], at: CatalogueMoment(later))
            let then = try await scene.catalogue.read { try ItemShelf.listing(book, for: view, in: $0) }
            #expect(then?.price?.description == "4.99 USD")
        }
    }

    @Test("A store id, a link in any form and a product of an app are found by one look-up (R1.12)")
    func names() async throws {
        try await Self.withDemo { scene in
            let (album, song) = (try await Self.storeID("low-tide", scene), try await Self.storeID("ebb", scene))
            let app = try await Self.storeID("monkeycredits", scene)
            for text in ["\(song)", "https://s.example/us/album/low-tide/id\(album)?i=\(song)"] {
                let found = try await scene.editing.item(text)
                #expect(found.storeID == song && found.name == "Ebb")
                #expect(found.link(at: nil) == "/us/album/low-tide/id\(album)?i=\(song)")
            }
            #expect(try await scene.editing.item("\(app)").link(at: nil) == "/us/app/monkeycredits/id\(app)?mt=8")
            for text in ["\(song)", "https://s.example/us/album/low-tide/id\(album)?i=\(song)"] {
                let found = try await scene.editing.find(text, limit: 8)
                #expect(found.flatMap(\.found).map(\.id) == ["\(song)"], "\(text)")
            }
        }
    }

    @Test("A list takes as many statements as one item, however long it is")
    func statements() async throws {
        try await Self.withDemo { scene in
            let view = try ItemScene.view(.sandbox)
            let counts = try await scene.catalogue.read { transaction in
                let all = try ItemKind.all.flatMap { try ItemShelf.newest($0, in: .sandbox, transaction) }
                #expect(all.count == DemoItem.all.count)
                let app = try #require(try ItemShelf.newest(.app, in: .sandbox, transaction).first)
                let song = try #require(try ItemShelf.newest(.song, in: .sandbox, transaction).first)
                let album = try #require(try ItemShelf.newest(.album, in: .sandbox, transaction).first)
                return try [[app, song, album], all].map { ids in
                    let counting = CountingTransaction(transaction)
                    let found = try ItemShelf.listings(ids, for: view, in: counting)
                    #expect(found.count == ids.count)
                    return counting.count
                }
            }
            #expect(counts[0] == counts[1] && counts[1] < 25, "\(counts)")
        }
    }
}
