import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService

/// Makes the partner feed of a store's sandbox, in a process of its own, so that its memory can be told from all other.
///
/// `till-bench make-feed FOLDER` prints how many records the feed has and the most memory that it took, and is not meant for people.
enum FeedProgram {
    static let word = "make-feed"

    static func run(_ arguments: some Sequence<String>) -> Never {
        do {
            guard let folder = Array(arguments).first else { throw BenchmarkError("a folder is missing") }
            let records = try FirstThread.wait { try await make(in: folder) }
            print(records, try ProcessMemory.largest(of: getpid()))
            fflush(nil)
        } catch {
            StandardError.print("till-bench \(word): \(error)")
            exit(1)
        }
        exit(0)
    }

    private static func make(in folder: String) async throws -> Int {
        let databases = try await StoreDatabases.sqlite(in: folder, .current())
        let blobs = try FolderBlobStore(folder: folder + "/blobs")
        let (catalogue, now) = (databases.catalogue, BenchClock.now())
        let number = try await Numbers(catalogue).next(.partnerFeeds)
        let feed = try await catalogue.write {
            try PartnerFeed.begin(.full, of: .sandbox, as: number, by: .owner, at: now, in: $0)
        }
        let draft = FeedDraft(feed, in: blobs)
        let view = FeedView(
            .sandbox, at: CatalogueMoment(commerce: now, wall: now), address: StoreAddress("https://store.example"))
        try await catalogue.write { try feed.write("bench", at: now, in: $0) }
        try await catalogue.read { try draft.write("bench", view, former: [], in: $0) }
        let tables = draft.written()?.tables ?? []
        for table in tables {
            let file = try draft.pack(table)
            try await catalogue.write { try feed.add(file, of: "bench", in: $0) }
        }
        try await catalogue.write { try feed.end("bench", at: now, in: $0) }
        await databases.close()
        return tables.reduce(0) { $0 + $1.records }
    }
}
