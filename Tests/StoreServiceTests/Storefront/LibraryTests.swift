import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Libraries of customers", .bounded)
struct LibraryTests {
    @Test("A library is of one customer alone, whatever another asks for", arguments: StoreEngine.usual)
    func others(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let (ada, ben) = (try await shop.customer(), try await shop.customer())
            let all = [shop.book, shop.album, shop.free] + shop.songs
            try await shop.buy(shop.book, as: ada)
            try await shop.buy(shop.album, as: ada)
            #expect(try await shop.library.has(all, ben).isEmpty)
            #expect(try await shop.names(ben) == [])
            for item in [shop.book] + shop.songs {
                let refusal = try await shop.refusal { _ = try await shop.library.file(at: .init(item), ben) }
                #expect(refusal == .itemNotOwned, "\(item)")
            }
            // Her downloads are no news of his.
            let file = try await shop.library.file(at: .init(shop.book), ada)
            try await shop.library.note(file, fetchedBy: ada)
            try await shop.buy(shop.book, as: ben)
            let entry = try #require(try await shop.library.list(of: ben, languages: ["en-US"]).entries.first)
            #expect(entry.download == nil)
        }
    }

    @Test(
        "A song that was removed stays with those who have the album, and does not come with it any more",
        arguments: StoreEngine.usual)
    func removedPart(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let (ada, ben) = (try await shop.customer(), try await shop.customer())
            try await shop.buy(shop.album, as: ada)
            shop.scene.time.pass(.seconds(60))
            let editing = CatalogueEditing(shop.store.catalogue, by: .owner, request: nil, now: shop.scene.time.reading)
            try await editing.removeItem(shop.songs[1])
            shop.scene.time.pass(.seconds(60))
            try await shop.buy(shop.album, as: ben)
            for (customer, songs) in [(ada, shop.songs), (ben, [shop.songs[0]])] {
                #expect(try await shop.library.has(shop.songs, customer) == Set(songs))
                let entry = try #require(try await shop.library.list(of: customer, languages: ["en-US"]).entries.first)
                #expect(entry.parts.map(\.storeID) == songs)
            }
            let refusal = try await shop.refusal { _ = try await shop.library.file(at: .init(shop.songs[1]), ben) }
            #expect(refusal == .itemNotOwned)
        }
    }

    @Test("An album with nothing in it is not sold", arguments: StoreEngine.usual)
    func emptyAlbum(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            let editing = CatalogueEditing(shop.store.catalogue, by: .owner, request: nil, now: shop.scene.time.reading)
            for song in shop.songs { try await editing.removeItem(song) }
            #expect(try await shop.refusal { _ = try await shop.open(shop.album, as: ada) } == .productUnavailable)
            #expect(try await shop.scene.count("SELECT count(*) FROM purchase") == 0)
        }
    }

    @Test("A library is found by kind, by words of names and artists, in an order", arguments: StoreEngine.allCases)
    func found(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            for item in [shop.book, shop.album, shop.free] {
                try await shop.buy(item, as: ada)
                shop.scene.time.pass(.seconds(60))
            }
            #expect(try await shop.names(ada) == ["Flatland", "Night Bus", "Walden"])
            #expect(try await shop.names(ada, by: .name) == ["Flatland", "Night Bus", "Walden"])
            #expect(try await shop.names(ada, kinds: [.album]) == ["Night Bus"])
            #expect(try await shop.names(ada, words: "wald") == ["Walden"])
            #expect(try await shop.names(ada, words: "MÁKER bus") == ["Night Bus"])
            #expect(try await shop.names(ada, words: "nothing") == [])
            let page = try await shop.library.list(of: ada, languages: ["en-US"], from: 1, limit: 1)
            #expect(page.entries.map(\.listing.title) == ["Night Bus"])
            #expect(page.found == 3)
            #expect(page.counts == [.book: 2, .album: 1])
        }
    }

    @Test("What was fetched last is kept, for each item and customer once", arguments: StoreEngine.usual)
    func fetched(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            try await shop.buy(shop.book, as: ada)
            let file = try await shop.library.file(at: .init(shop.book), ada)
            for _ in 0..<3 { try await shop.library.note(file, fetchedBy: ada) }
            let first = shop.scene.time.current
            let entry = try #require(try await shop.library.list(of: ada, languages: ["en-US"]).entries.first)
            #expect(entry.download?.at == first && entry.download?.version == "")
            shop.scene.time.pass(.seconds(2 * 24 * 60 * 60))
            try await shop.library.note(file, fetchedBy: ada)
            #expect(try await shop.scene.count("SELECT count(*) FROM item_download") == 1)
            let place = Library.Place(shop.book, position: 2)
            #expect(try await shop.refusal { _ = try await shop.library.file(at: place, ada) } == .contentUnknown)
        }
    }
}
