import Foundation
import StoreDatabase
import StoreModel
import StoreSigning
import TestSupport
import Testing

@testable import StoreCatalogue

@Suite("A file of the partner feed", .bounded)
struct FeedFileTests {
    private static let table = FeedTable(
        "collection_song", .itunes, by: "song_id",
        "*collection_id BIGINT, *song_id BIGINT, name VARCHAR(10), released DATETIME, is_new BOOLEAN")
    private static let day = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    /// A folder with blobs, which goes with the test.
    private final class Scene {
        let folder = FileManager.default.temporaryDirectory.path + "/till-feed-" + UUID().uuidString
        let blobs: FolderBlobStore

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            blobs = try FolderBlobStore(folder: folder + "/blobs")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Writes songs, each with the album it is on and its name, and gives the file.
        func write(
            _ songs: [(album: Int, song: Int, name: String?)], beside former: FeedArchive.Kept? = nil
        ) throws -> (path: String, text: String, count: Int) {
            let path = folder + "/" + UUID().uuidString
            let file = try FeedFile(
                table, at: path, exported: day, mode: former == nil ? .full : .incremental,
                former: try former.map { try FeedArchiveReader($0.blob, bytes: $0.bytes, in: blobs) })
            for song in songs {
                try file.write { row in
                    row.add(song.album)
                    row.add(song.song)
                    row.add(song.name, atMost: 10)
                    row.add(day)
                    row.add(true)
                }
            }
            try file.finish()
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            return (path, String(decoding: bytes, as: UTF8.self), file.count)
        }

        func pack(_ path: String) throws -> FeedArchive.Kept {
            try FeedArchive.pack(path, as: table.name, changed: day, in: blobs)
        }

        func records(_ kept: FeedArchive.Kept) throws -> [String] {
            let reader = try FeedArchiveReader(kept.blob, bytes: kept.bytes, in: blobs)
            var found: [String] = []
            while let record = try reader.next() { found.append(String(decoding: record, as: UTF8.self)) }
            return found
        }
    }

    @Test("R7.5: It has the head, the separators and the end that importers look for")
    func form() throws {
        let written = try Scene().write([(7, 1, "One"), (7, 2, nil)])
        let end = "\u{2}\n"
        let lines = written.text.components(separatedBy: end)
        #expect(
            lines.prefix(4).map { $0.replacing("\u{1}", with: "|") } == [
                "#export_date|collection_id|song_id|name|released|is_new", "#primaryKey:collection_id|song_id",
                "#dbTypes:BIGINT|BIGINT|BIGINT|VARCHAR(10)|DATETIME|BOOLEAN", "#exportMode:FULL",
            ])
        #expect(lines.dropFirst(4).prefix(2).allSatisfy { $0.hasPrefix("##legal: ") })
        #expect(
            lines.dropFirst(6).map { $0.replacing("\u{1}", with: "|") } == [
                "1800000000000|7|1|One|2027 01 15|1", "1800000000000|7|2||2027 01 15|1", "#recordsWritten:2", "",
            ])
        // The importer of 2010 finds the number in the last bytes of the file.
        #expect(written.text.suffix(40).contains("#recordsWritten:2\u{2}\n"))
    }

    @Test("R7.5: No text ends a field or a record, whatever is in it")
    func hostile() throws {
        let scene = try Scene()
        let hostile = "a\u{1}b\u{2}\nc"
        let written = try scene.write([(7, 1, hostile), (7, 2, "#primary")])
        let records = try scene.records(scene.pack(written.path))
        #expect(records.count == 2)
        #expect(records[0].split(separator: "\u{1}", omittingEmptySubsequences: false).count == 6)
        #expect(records[0].contains("\u{1}a b \nc\u{1}"))
        #expect(records[1].contains("\u{1}#primary\u{1}"))
    }

    @Test("A row that has not all columns is refused")
    func columns() throws {
        let scene = try Scene()
        let file = try FeedFile(Self.table, at: scene.folder + "/short", exported: Self.day)
        #expect(throws: DatabaseError.self) { try file.write { $0.add(1) } }
    }

    @Test("R7.5: The archive is a plain ustar with one member, the same bytes each time, and its MD5 beside it")
    func archive() throws {
        let scene = try Scene()
        let songs = (1...5000).map { (album: $0 / 12, song: $0, name: String?.some("Song \($0)")) }
        let written = try scene.write(songs)
        let kept = try scene.pack(written.path)
        let again = try scene.pack(written.path)
        #expect(kept.blob == again.blob && kept.md5 == again.md5)
        let packed = try scene.blobs.read(kept.blob, 0..<kept.bytes)
        #expect(try DigestAlgorithm.md5.digest(packed) == kept.md5)
        #expect(try BlobID(of: packed) == kept.blob)
        let tar = try BZip2Reader().read(packed)
        #expect(tar.count % 512 == 0)
        #expect(String(decoding: tar[0..<15], as: UTF8.self) == "collection_song")
        #expect(String(decoding: tar[257..<262], as: UTF8.self) == "ustar" && tar[156] == UInt8(ascii: "0"))
        let size = Int(String(decoding: tar[124..<135], as: UTF8.self), radix: 8)
        #expect(size == written.text.utf8.count)
        // The sum over the header with spaces in its place.
        var header = Array(tar[..<512])
        let sum = Int(String(decoding: header[148..<154], as: UTF8.self), radix: 8)
        header.replaceSubrange(148..<156, with: Array(repeating: 0x20, count: 8))
        #expect(header.reduce(0) { $0 + Int($1) } == sum)
        #expect(try scene.records(kept).count == 5000)
    }

    @Test("R7.5: An incremental file has what is new and what changed since, and nothing else")
    func incremental() throws {
        let scene = try Scene()
        let full = try scene.write([(7, 1, "One"), (9, 2, "Two"), (7, 10, "Ten")])
        let kept = try scene.pack(full.path)
        let later = try scene.write(
            [(7, 1, "One"), (9, 2, "Two!"), (8, 3, "Three"), (7, 10, "Ten"), (7, 11, "Eleven")], beside: kept)
        #expect(later.text.contains("#exportMode:INCREMENTAL\u{2}\n"))
        #expect(later.count == 3)
        for name in ["Two!", "Three", "Eleven"] { #expect(later.text.contains("\u{1}\(name)\u{1}")) }
        let same = try scene.write([(7, 1, "One"), (7, 10, "Ten")], beside: kept)
        #expect(same.count == 0)
    }

    @Test("Every table has the columns that it is known by, and a key")
    func tables() {
        let tables = FeedSource.all.flatMap(\.tables)
        #expect(Set(tables.map(\.name)).count == tables.count)
        for table in tables {
            #expect(!table.order.isEmpty, "\(table.name)")
            #expect(Set(table.columns.map(\.name)).count == table.columns.count, "\(table.name)")
            let known = ["BIGINT", "INTEGER", "BOOLEAN", "DATETIME", "LONGTEXT", "DECIMAL(9,3)"]
            for column in table.columns {
                #expect(
                    known.contains(column.type) || column.type.hasPrefix("VARCHAR("), "\(table.name).\(column.name)")
            }
        }
        #expect(FeedTable.application.columns.count == 16 && FeedTable.applicationDetail.columns.count == 23)
        #expect(FeedTable.video.columns.count == 21 && FeedTable.collection.columns.count == 17)
    }
}
