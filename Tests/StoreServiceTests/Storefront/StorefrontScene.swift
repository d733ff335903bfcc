import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import Testing

/// A shop with items: a book, an album with two songs of which one is sold by itself, something that is free, and something that
/// families share.
struct StorefrontScene: Sendable {
    let scene: SaleScene
    let book: Int64
    let album: Int64
    /// The first is sold by itself; the second with the album alone.
    let songs: [Int64]
    let free: Int64
    let shared: Int64

    var store: EnvironmentStore { scene.store }
    var sales: ItemSales { ItemSales(scene.store) }
    var library: Library { Library(scene.store) }
    var ratings: Ratings { Ratings(scene.store) }

    static func on<Result>(
        _ engine: StoreEngine, _ body: (StorefrontScene) async throws -> Result
    ) async throws -> Result {
        try await SaleScene.on(engine) { try await body(StorefrontScene($0)) }
    }

    init(_ scene: SaleScene) async throws {
        self.scene = scene
        book = try await Self.enter(.book, "Walden", "4.99", in: scene)
        album = try await Self.enter(.album, "Night Bus", "9.99", in: scene)
        songs = [
            try await Self.enter(.song, "Depot", "1.29", of: album, in: scene),
            try await Self.enter(.song, "Terminus", nil, of: album, in: scene),
        ]
        free = try await Self.enter(.book, "Flatland", "0.00", in: scene)
        shared = try await Self.enter(.book, "Atlas", "1.99", in: scene)
        let id = try ItemShelf.productID(of: shared)
        _ = try await scene.store.catalogue.write { transaction in
            try transaction.execute("UPDATE product SET is_family_shareable = 1 WHERE product_id = $1", id)
        }
    }

    /// Enters an item with a file, if it is one that has any.
    private static func enter(
        _ kind: ItemKind, _ name: String, _ price: String?, of album: Int64? = nil, in scene: SaleScene
    ) async throws -> Int64 {
        let (database, now) = (scene.store.catalogue, scene.time.current)
        let genre = try #require(Genre.all(of: kind).first).id
        let item = try await ItemSample.enter(
            kind, name, genre: genre, parent: album, price: price, in: database, at: now
        ).storeID
        guard !kind.isCollection else { return item }
        let blob = try BlobID(of: Array(name.utf8))
        try await database.write { transaction in
            try transaction.insert(
                into: "item_file",
                [
                    "store_id": item, "role": "package", "version": "", "position": 1, "is_draft": false,
                    "digest": blob, "media_type": "application/epub+zip", "bytes": 1000,
                    "file_name": "\(name).epub", "added_at": now,
                ])
        }
        return item
    }

    /// A customer, as a page knows one who is signed in.
    func customer(in storefront: String = "USA") async throws -> WebScope {
        WebScope(
            customer: try await scene.customer(in: storefront), storefront: StorefrontCode(rawValue: storefront))
    }

    func open(_ item: Int64, as scope: WebScope) async throws -> ItemSales.Opened {
        try await sales.open(item, in: scope.storefront, as: scope, referral: nil, request: nil)
    }

    /// Buys an item and says yes on its sheet.
    @discardableResult
    func buy(_ item: Int64, as scope: WebScope) async throws -> BoughtPurchase {
        try await scene.confirm(open(item, as: scope).purchase)
    }

    /// The code of the refusal, and what it is about; nil if nothing is refused.
    func refusal(_ body: () async throws -> Void) async throws -> RefusalCode? {
        do {
            try await body()
            return nil
        } catch let error as any Refusal {
            return error.code
        }
    }

    /// What the list of a library has, by name.
    func names(_ scope: WebScope, kinds: Set<ItemKind> = [], words: String = "", by order: Library.Order = .newest)
        async throws -> [String]
    {
        try await library.list(of: scope, languages: ["en-US"], kinds: kinds, words: words, by: order).entries
            .map(\.listing.title)
    }

    func review(
        _ item: Int64, _ stars: Int, _ body: String? = nil, as scope: WebScope
    ) async throws -> CustomerReview {
        let text = try body.map { try CustomerReview.Text(title: "Title", body: $0, nickname: "kittiwake") }
        return try await ratings.write(text, stars: stars, of: item, as: scope, request: nil)
    }
}
