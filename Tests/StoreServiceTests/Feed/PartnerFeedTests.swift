import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCatalogue
@testable import StoreService

@Suite("The feed of partners", .bounded)
struct PartnerFeedTests {
    /// A store with items and a folder for blobs, which goes with the test.
    private final class Scene: Sendable {
        let scene: SaleScene
        let folder = FileManager.default.temporaryDirectory.path + "/till-feeds-" + UUID().uuidString
        let blobs: FolderBlobStore

        init(_ scene: SaleScene) throws {
            self.scene = scene
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            blobs = try FolderBlobStore(folder: folder)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        static func on(_ engine: StoreEngine, _ body: (Scene) async throws -> Void) async throws {
            try await SaleScene.on(engine) { try await body(Scene($0)) }
        }

        var feeds: PartnerFeeds { PartnerFeeds(scene.store, blobs: { [blobs] in blobs }) }

        @discardableResult
        func enter(_ kind: ItemKind, _ name: String, parent: Int64? = nil, price: String? = "1.99") async throws
            -> Int64
        {
            let genre = try #require(Genre.all(of: kind).first).id
            return try await ItemSample.enter(
                kind, name, genre: genre, parent: parent, price: price, in: scene.store.catalogue,
                at: scene.time.current
            ).storeID
        }

        func turn(_ feed: PartnerFeed) async throws -> Bool {
            try await feeds.turn(feed.number, at: scene.time.current, address: StoreAddress("https://store.example"))
        }

        /// Makes a feed to its end.
        func make(_ mode: FeedMode? = nil) async throws -> PartnerFeed {
            let feed = try await feeds.make(mode, for: .owner)
            while try await turn(feed) {}
            return try await feeds.details(of: feed.number, for: .owner).feed
        }

        /// The records of a table, by the names of its columns; nil if the feed has no such table.
        func records(_ table: String, of feed: PartnerFeed) async throws -> [[String: String]]? {
            let files = try await feeds.details(of: feed.number, for: .owner).files
            guard let file = files.first(where: { $0.name == table }) else { return nil }
            let columns = try #require(FeedSource.all.flatMap(\.tables).first { $0.name == table }).columns
            let reader = try FeedArchiveReader(file.blob, bytes: file.bytes, in: blobs)
            var found: [[String: String]] = []
            while let record = try reader.next() {
                let fields = String(decoding: record, as: UTF8.self).split(
                    separator: "\u{1}", omittingEmptySubsequences: false
                ).map(String.init)
                found.append(
                    Dictionary(uniqueKeysWithValues: zip(["export_date"] + columns.map(\.name), fields)))
            }
            #expect(found.count == file.records)
            return found
        }

        func names(at path: String) async throws -> [String]? {
            let place = try await feeds.place(at: path.split(separator: "/").map(String.init))
            guard case .folder(let names) = place else { return nil }
            return names
        }
    }

    @Test("R7.5: It has what is sold, what that is part of, and its price everywhere", arguments: StoreEngine.allCases)
    func full(_ engine: StoreEngine) async throws {
        try await Scene.on(engine) { scene in
            let album = try await scene.enter(.album, "Night Bus", price: "9.99")
            let song = try await scene.enter(.song, "Depot", parent: album)
            let film = try await scene.enter(.film, "A Day Out", price: nil)
            let feed = try await scene.make()
            #expect(feed.mode == .full && feed.state == .ready)

            let songs = try await scene.records("song", of: feed)
            #expect(songs?.map { $0["name"] } == ["Depot"] && songs?.first?["song_id"] == "\(song)")
            #expect(songs?.first?["collection_display_name"] == "Night Bus")
            #expect(songs?.first?["view_url"] == "https://store.example/album/night-bus/id\(album)?i=\(song)")
            let places = try await scene.records("collection_song", of: feed)
            #expect(places?.map { $0["collection_id"] } == ["\(album)"])
            let albums = try await scene.records("collection", of: feed)
            #expect(albums?.map { $0["name"] } == ["Night Bus"] && albums?.first?["collection_type_id"] == "1")
            let videos = try await scene.records("video", of: feed)
            #expect(videos?.map { $0["video_id"] } == ["\(film)"])
            #expect(try await scene.records("artist", of: feed)?.count == 3)
            let prices = try await scene.records("collection_price", of: feed)
            #expect(prices?.count == StorefrontRecord.all.count)
            let german = prices?.first { $0["storefront_id"] == "143443" }
            #expect(german?["currency_code"] == "EUR" && german?["retail_price"] == "11.99")
            // What has no price of its own is not sold by itself, and what there is none of has no table.
            #expect(try await scene.records("video_price", of: feed) == nil)
            #expect(try await scene.records("application", of: feed) == nil)
            #expect(try await scene.records("storefront", of: feed)?.count == StorefrontRecord.all.count)
            #expect(try await scene.records("genre", of: feed)?.count == Genre.all.count)
        }
    }

    @Test("R7.5: Partners find it as crawlers look for it", arguments: [StoreEngine.memory])
    func places(_ engine: StoreEngine) async throws {
        try await Scene.on(engine) { scene in
            // Of an album with nothing in it there is no price.
            try await scene.enter(.song, "Depot", parent: scene.enter(.album, "Night Bus"))
            #expect(try await scene.names(at: "") == [])
            let feed = try await scene.make()
            let (date, group) = (feed.date, "itunes\(feed.date)")
            #expect(try await scene.names(at: "") == ["current/", "\(date)/"])
            #expect(try await scene.names(at: "current") == ["itunes\(date)/", "pricing\(date)/"])
            let files = try #require(try await scene.names(at: "current/\(group)"))
            #expect(files.contains("collection.tbz") && files.contains("collection.tbz.md5"))
            for wrong in ["2020", "current/incremental", "current/itunes", "current/\(group)/nothing.tbz", "x/y/z"] {
                #expect(
                    try await scene.feeds.place(at: wrong.split(separator: "/").map(String.init)) == nil, "\(wrong)")
            }
            scene.scene.time.pass(.seconds(24 * 60 * 60))
            let album = try await scene.enter(.album, "Day Bus")
            try await scene.enter(.song, "Quay", parent: album)
            let change = try await scene.make()
            #expect(change.mode == .incremental && change.base == feed.number)
            #expect(try await scene.records("collection", of: change)?.map { $0["collection_id"] } == ["\(album)"])
            #expect(try await scene.records("storefront", of: change) == nil)
            #expect(try await scene.names(at: "current")?.last == "incremental/")
            #expect(try await scene.names(at: "\(date)/incremental") == ["current/", "\(change.date)/"])
            let later = try await scene.names(at: "\(date)/incremental/current")
            #expect(later == ["itunes\(change.date)/", "pricing\(change.date)/"])
        }
    }

    @Test(
        "R7.5: A feed is of one moment, and goes on after a kill with the next table", arguments: StoreEngine.allCases)
    func killed(_ engine: StoreEngine) async throws {
        try await Scene.on(engine) { scene in
            try await scene.enter(.album, "Night Bus")
            let feed = try await scene.feeds.make(nil, for: .owner)
            #expect(try await scene.turn(feed))
            // Written, and nothing packed; then somebody enters more, and a table was packed before the end.
            try await scene.enter(.album, "Day Bus")
            let draft = FeedDraft(feed, in: scene.blobs)
            let written = try #require(draft.written())
            let tables = written.tables
            let first = try #require(tables.first)
            let packed = try draft.pack(first)
            try await scene.scene.store.catalogue.write { try feed.add(packed, of: written.draft, in: $0) }
            while try await scene.turn(feed) {}
            let made = try await scene.feeds.details(of: feed.number, for: .owner)
            #expect(made.feed.state == .ready && made.files.count == tables.count)
            #expect(made.files.contains(packed))
            #expect(try await scene.records("collection", of: feed)?.map { $0["name"] } == ["Night Bus"])
            #expect(draft.written() == nil, "the folder of the feed is gone")
        }
    }

    @Test("A machine that does not have what another wrote begins anew, of one moment", arguments: StoreEngine.usual)
    func elsewhere(_ engine: StoreEngine) async throws {
        try await Scene.on(engine) { scene in
            try await scene.enter(.album, "Night Bus")
            let feed = try await scene.feeds.make(nil, for: .owner)
            #expect(try await scene.turn(feed))
            let draft = FeedDraft(feed, in: scene.blobs)
            let written = try #require(draft.written())
            let packed = try draft.pack(try #require(written.tables.first { $0.name == "collection" }))
            try await scene.scene.store.catalogue.write { try feed.add(packed, of: written.draft, in: $0) }
            draft.remove()
            try await scene.enter(.album, "Day Bus")
            #expect(try await scene.turn(feed))
            // Whoever wrote it before has no part in it any more.
            await #expect(throws: CatalogueError.self) {
                try await scene.scene.store.catalogue.write { try feed.add(packed, of: written.draft, in: $0) }
            }
            while try await scene.turn(feed) {}
            #expect(try await scene.records("collection", of: feed)?.count == 2)
            #expect(try await scene.records("artist", of: feed)?.count == 2)
        }
    }

    @Test("One is made at a time, one of the same day takes the place of the other, and old ones go")
    func kept() async throws {
        try await Scene.on(.memory) { scene in
            await #expect(throws: CatalogueError.self) { _ = try await scene.feeds.make(.incremental, for: .owner) }
            let begun = try await scene.feeds.make(.full, for: .owner)
            #expect(try await scene.feeds.make(.full, for: .owner).number == begun.number)
            while try await scene.turn(begun) {}
            let again = try await scene.make(.full)
            #expect(try await scene.feeds.list(limit: 10, for: .owner).map(\.number) == [again.number])
            for _ in 0...FeedLimits.fullFeeds {
                scene.scene.time.pass(.seconds(8 * 24 * 60 * 60))
                #expect(try await scene.make().mode == .full)
            }
            let all = try await scene.feeds.list(limit: 10, for: .owner)
            #expect(all.count == FeedLimits.fullFeeds && all.allSatisfy { $0.mode == .full })
            let blobs = try await scene.scene.store.catalogue.read { transaction in
                try transaction.value(
                    "SELECT count(*) FROM partner_feed_file WHERE feed = $1", again.number, as: Int.self)
            }
            #expect(blobs == 0)
        }
    }

    @Test("The calendar begins one each day, as soon as there is an approved partner")
    func calendar() async throws {
        try await Scene.on(.memory) { scene in
            let (store, now) = (scene.scene.store, scene.scene.time.current)
            let next = try await scene.feeds.beginDaily(at: now)
            #expect(next > now && next.rfc3339.hasSuffix("T02:00:00Z"))
            #expect(try await scene.feeds.list(limit: 1, for: .owner).isEmpty)
            let share = try #require(Proportion(percent: "7"))
            let made = try await Partners(store).create(
                "Guide", email: "a@example.com", commission: share, store.cause(.owner))
            _ = try await scene.feeds.beginDaily(at: now)
            #expect(try await scene.feeds.list(limit: 1, for: .owner).isEmpty)
            _ = try await Partners(store).approve(made.token, store.cause(.owner))
            _ = try await scene.feeds.beginDaily(at: now)
            #expect(try await scene.feeds.list(limit: 1, for: .owner).map(\.mode) == [.full])
        }
    }

    @Test(
        "R7.5: The most bought apps have their ranks, those that are free for themselves",
        arguments: StoreEngine.usual)
    func popularity(_ engine: StoreEngine) async throws {
        try await Scene.on(engine) { scene in
            try await scene.scene.enterShop()
            let app = try await ItemSample.enter(
                .app, "Shop", genre: 7012, app: "com.example.shop", price: "0.00", in: scene.scene.store.catalogue,
                at: scene.scene.time.current)
            let customer = try await scene.scene.customer()
            let device = try await scene.scene.device(customer)
            let item = SoldItem(
                id: app.item.itemID, product: try ItemShelf.productID(of: app.storeID), kind: .nonConsumable,
                period: nil,
                group: nil, unitPrice: .zero(.usd), storefront: StorefrontCode(rawValue: "USA"))
            _ = try await scene.scene.buy(item, on: device)
            let feed = try await scene.make()
            let ranks = try await scene.records("free_application_popularity_per_genre", of: feed)
            #expect(ranks?.map { $0["genre_id"] } == ["36", "6014", "7012"])
            #expect(
                ranks?.allSatisfy { $0["application_id"] == "\(app.storeID)" && $0["application_rank"] == "1" } == true)
            #expect(try await scene.records("paid_application_popularity_per_genre", of: feed) == nil)
            let genres = try await scene.records("genre_application", of: feed)
            #expect(genres?.filter { $0["is_primary"] == "1" }.map { $0["genre_id"] } == ["7012"])
        }
    }
}
