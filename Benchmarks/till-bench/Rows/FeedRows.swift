import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService

/// A feed of a million records is made: read from the catalogue, written, packed, durable. Both sides are processes, timed by the wall.
struct FeedRow: BenchmarkRow {
    let name = "partner-feed"
    let summary =
        "The partner feed of a catalogue with 200 000 songs is made: an operation is a record, of about a million."
    let reference = "sqlite3 -csv of the same records from plain tables, piped into bzip2"

    func prepare() throws -> Contest {
        let shop = try FeedShop(songs: 200_000)
        return Contest(ours: FeedMaker(shop), reference: FeedByShell(shop))
    }
}

/// What the length of a feed does to the memory of who makes it.
struct FeedMemoryRow: BenchmarkRow {
    let name = "partner-feed-memory"
    let summary = "The most memory while a feed of a million records is made; how many fit into a gigabyte."
    let reference = "the same with ten thousand records"

    func prepare() throws -> Contest {
        Contest(
            ours: FeedMemory(try FeedShop(songs: 200_000)), reference: FeedMemory(try FeedShop(songs: 2000)))
    }
}

/// A catalogue of so many albums and songs, which have no price of their own.
private final class FeedShop: Sendable {
    /// An album, and the songs that follow it.
    private static let album = 20

    let folder: TemporaryFolder

    init(songs: Int) throws {
        folder = try TemporaryFolder()
        let path = folder.path
        try FirstThread.wait {
            let databases = try await StoreDatabases.sqlite(in: path, .current())
            let now = BenchClock.now()
            let editing = CatalogueEditing(databases.catalogue, by: .owner, request: nil, now: { now })
            var draft = ItemDraft()
            (draft.name, draft.artist, draft.genreID) = ("Every Song", "Everybody", 14)
            draft.texts = ["en-US": ItemTextDraft(title: "Every Song", description: "All of them.")]
            let album = try await editing.addItem(NewItem(.album, draft))
            try await databases.catalogue.write { try Self.add(songs, to: album, in: $0) }
            await databases.close()
        }
    }

    /// Writes the rows of songs as the catalogue has them: as copies of those of the album.
    private static func add(_ songs: Int, to album: ItemDetails, in transaction: any WriteTransaction) throws {
        let (item, storeID) = (album.item.itemID, album.item.storeID)
        try transaction.execute("UPDATE product SET state = 'approved', is_live = 1 WHERE item_id = $1", item)
        let columns: SQL = """
            app_id, kind, reference_name, state, is_live, is_cleared_for_sale, is_family_shareable, created_at,
            changed_at, hosts_content
            """
        let numbers: SQL = """
            WITH RECURSIVE song (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM song WHERE n < $2)
            """
        try transaction.execute(
            """
            INSERT INTO product (item_id, product_id, \(columns)) \(numbers)
            SELECT item_id + n, 'item.' || (item_id + n), \(columns) FROM product JOIN song WHERE item_id = $1
            """, item, songs)
        try transaction.execute(
            """
            INSERT INTO product_text (item_id, language, title, description) \(numbers)
            SELECT $1 + n, 'en-US', 'Song number ' || n, 'What song number ' || n || ' is about.' FROM song
            """, item, songs)
        try transaction.execute(
            """
            INSERT INTO item (
                store_id, item_id, team_id, kind, parent_id, number, artist_id, genre_id, name, released_at,
                explicitness, milliseconds, created_at, changed_at) \(numbers)
            SELECT store_id + n, item_id + n, team_id, CASE WHEN n % $3 = 1 THEN 'album' ELSE 'song' END,
                CASE WHEN n % $3 = 1 THEN NULL ELSE store_id + n - (n - 1) % $3 END, (n - 1) % $3, artist_id, genre_id,
                'Song number ' || n, released_at, explicitness, 200000 + n, created_at, changed_at
            FROM item JOIN song WHERE store_id = $1
            """, storeID, songs, Self.album)
    }

    /// The feed as it was made; gives how many records it has and the most memory that took.
    func make() throws -> (records: Int, bytes: Int) {
        let program = CommandLine.arguments[0]
        let words = try ChildProcess.output(of: program, [FeedProgram.word, folder.path]).split(separator: " ")
        guard words.count == 2, let records = Int(words[0]),
            let bytes = Int(words[1].trimmingCharacters(in: .newlines))
        else { throw BenchmarkError("the feed was not made") }
        return (records, bytes)
    }
}

/// Makes the feed again and again.
private final class FeedMaker: Contestant {
    private let shop: FeedShop

    init(_ shop: FeedShop) {
        self.shop = shop
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        var count = 0
        repeat { count += try shop.make().records } while clock.now - start < .seconds(seconds)
        return Rate(operations: count, seconds: (clock.now - start) / .seconds(1))
    }
}

/// The most memory that a feed takes.
private final class FeedMemory: Contestant {
    private let shop: FeedShop

    init(_ shop: FeedShop) {
        self.shop = shop
    }

    func run(seconds: Double) throws -> Rate {
        // How many of it fit into a gigabyte.
        Rate(operations: 1 << 30, seconds: Double(try shop.make().bytes))
    }
}

/// Writes the same records from tables that have them as the feed does, by the programs that everybody has.
private final class FeedByShell: Contestant {
    private let shop: FeedShop
    private let tables: String

    init(_ shop: FeedShop) {
        self.shop = shop
        tables = shop.folder.path + "/tables.sqlite"
    }

    /// The records of four tables of which the feed has one for each song; the others are short.
    private func prepare() throws -> Int {
        let catalogue = shop.folder.path + "/catalogue.sqlite"
        let title = "(SELECT title FROM product_text WHERE product_text.item_id = item.item_id)"
        let statements = """
            ATTACH '\(catalogue)' AS shop;
            CREATE TABLE song AS SELECT 1800000000000 AS export_date, store_id, \(title) AS name, NULL AS v, NULL AS s, 3 AS a,
                'Everybody' AS artist, 'Every Song' AS album,
                'https://store.example/album/every-song/id' || parent_id || '?i=' || store_id AS url,
                '2027 01 15' AS released, '2027 01 15' AS came, milliseconds, NULL AS c, NULL AS p, NULL AS pu, NULL AS pl
                FROM shop.item WHERE kind = 'song' ORDER BY store_id;
            CREATE TABLE artist_song AS SELECT 1800000000000 AS export_date, artist_id, store_id FROM shop.item WHERE kind = 'song';
            CREATE TABLE collection_song AS SELECT 1800000000000 AS export_date, parent_id, store_id, number, 1 AS d, 0 AS p
                FROM shop.item WHERE kind = 'song';
            CREATE TABLE song_translation AS SELECT 1800000000000 AS export_date, store_id, 'en-US' AS l, 0 AS p, name, 1 AS t
                FROM song;
            """
        _ = try ChildProcess.output(of: "sqlite3", [tables, statements])
        return try count()
    }

    private static let names = ["song", "artist_song", "collection_song", "song_translation"]

    func run(seconds: Double) throws -> Rate {
        let records = FileManager.default.fileExists(atPath: tables) ? try count() : try prepare()
        let clock = ContinuousClock()
        let start = clock.now
        var sum = 0
        repeat {
            for name in Self.names {
                _ = try ChildProcess.output(
                    of: "sh",
                    [
                        "-c",
                        "sqlite3 -csv \"$1\" \"SELECT * FROM $2\" | bzip2 -c > \"$1.$2.bz2\" && sync \"$1.$2.bz2\"",
                        "sh", tables, name,
                    ])
            }
            sum += records
        } while clock.now - start < .seconds(seconds)
        return Rate(operations: sum, seconds: (clock.now - start) / .seconds(1))
    }

    private func count() throws -> Int {
        let sum = Self.names.map { "(SELECT count(*) FROM \($0))" }.joined(separator: " + ")
        let count = try ChildProcess.output(of: "sqlite3", [tables, "SELECT \(sum)"])
        return Int(count.trimmingCharacters(in: .newlines)) ?? 0
    }
}
