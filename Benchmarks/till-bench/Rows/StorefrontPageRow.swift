import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService

/// The page of an album with nine songs, to people who are not signed in, against nginx with the same bytes in a file.
struct StorefrontPageRow: BenchmarkRow {
    let name = "page-storefront"
    let summary = "The page of an album, remembered as long as the catalogue stays as it is, to 64 connections."
    let reference = "nginx, sendfile of the same bytes"

    private static let songs = 9

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: 100)
        let album = try store.open { databases in try await Self.enter(in: databases.catalogue) }
        let server = try ServerProcess(store)
        let path = "/us/album/low-light-on-the-firth/id\(album)"
        let page = try ChildProcess.output(
            of: "curl", ["--silent", "--fail", "http://127.0.0.1:\(server.port)\(path)"])
        guard page.contains("Low Light on the Firth"), page.contains("Song \(Self.songs)") else {
            throw BenchmarkError("the page of the album does not show it:\n\(page.prefix(1000))")
        }
        let files = try ServerFiles()
        try page.write(
            to: files.folder.appendingPathComponent("file.bin"), atomically: true, encoding: .utf8)
        return Contest(
            ours: WrkContestant(server, path, clients: 64),
            reference: WrkContestant(try ServerProcess(nginxIn: files), "/file", clients: 64))
    }

    /// Enters the album with its songs, on the shelf at once, and answers its store id.
    private static func enter(in catalogue: any Database) async throws -> Int64 {
        let editing = CatalogueEditing(catalogue, by: .owner, request: nil, now: BenchClock.now)
        func add(_ kind: ItemKind, _ name: String, in parent: Int64?, _ number: Int?) async throws -> Int64 {
            var draft = ItemDraft()
            (draft.name, draft.artist, draft.genreID) = (name, "Marrow & Vane", 5)
            if let parent { (draft.parent, draft.number) = (parent, number) }
            draft.basePrice = Money(minorUnits: 199, currency: .usd)
            draft.texts = ["en-US": ItemTextDraft(title: name, description: "Nine songs, recorded in a net loft.")]
            return try await editing.addItem(NewItem(kind, draft)).item.storeID
        }
        let album = try await add(.album, "Low Light on the Firth", in: nil, nil)
        for number in 1...songs { _ = try await add(.song, "Song \(number)", in: album, number) }
        _ = try await catalogue.write { transaction in
            try transaction.execute(
                """
                UPDATE product SET state = 'approved', is_live = 1 WHERE item_id IN (SELECT item_id FROM item)
                """)
        }
        return album
    }
}
