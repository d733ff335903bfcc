import Foundation
package import StoreDatabase
import StoreFoundation
package import StoreModel
import StoreSigning

/// What a feed is of, besides the catalogue: the moment, the address of its pages, and what is popular.
package struct FeedView: Sendable {
    let environment: StoreEnvironment
    /// Which prices and texts hold.
    let moment: CatalogueMoment
    /// Where the pages of items are; nil where nobody knows.
    let address: StoreAddress?
    /// The apps that were bought most, by storefront.
    let popularity: [StorefrontCode: [Popularity]]

    /// How often an item was bought in a storefront.
    package struct Popularity: Hashable, Sendable {
        let item: ItemID
        let isFree: Bool

        package init(item: ItemID, isFree: Bool) {
            self.item = item
            self.isFree = isFree
        }
    }

    /// - Parameter popularity: of each storefront, what was bought most often first.
    package init(
        _ environment: StoreEnvironment, at moment: CatalogueMoment, address: StoreAddress?,
        popularity: [StorefrontCode: [Popularity]] = [:]
    ) {
        self.environment = environment
        self.moment = moment
        self.address = address
        self.popularity = popularity
    }
}

/// The files of a feed while they are written, by their tables.
struct FeedFiles {
    fileprivate var files: [String: FeedFile] = [:]

    /// The file of a table, which the source that writes it has named.
    subscript(table: FeedTable) -> FeedFile {
        get throws {
            guard let file = files[table.name] else {
                throw DatabaseError(.unexpectedValue, "nothing has begun the table \(table.name)")
            }
            return file
        }
    }
}

/// Some tables of the feed that are written together, because their records are of the same things.
struct FeedSource: Sendable {
    let tables: [FeedTable]
    let writing: @Sendable (FeedFiles, FeedView, any ReadTransaction) throws -> Void

    init(
        _ tables: [FeedTable],
        _ writing: @escaping @Sendable (FeedFiles, FeedView, any ReadTransaction) throws -> Void
    ) {
        self.tables = tables
        self.writing = writing
    }
}

/// The folder in which the tables of a feed are while it is made: first all of them are written, of one state of the catalogue,
/// then each is packed. What is there after a crash is taken up again.
package struct FeedDraft: Sendable {
    /// A table that was written and is to be packed.
    package struct Table: Hashable, Sendable {
        package let group: FeedGroup
        package let name: String
        package let records: Int
        /// Before it is packed.
        package let bytes: Int64
    }

    private let feed: PartnerFeed
    private let blobs: any BlobStore
    private var folder: String { Self.folder(in: blobs) + "/\(feed.number)" }
    /// Names the tables once all of them are written.
    private var list: String { folder + "/tables" }

    private static func folder(in blobs: any BlobStore) -> String { blobs.drafts + "/feeds" }

    package init(_ feed: PartnerFeed, in blobs: any BlobStore) {
        self.feed = feed
        self.blobs = blobs
    }

    /// All tables, once they are written.
    package struct Written: Hashable, Sendable {
        /// The name under which they were written.
        package let draft: String
        package let tables: [Table]
    }

    /// The tables that are written; nil until all of them are. Blocks.
    package func written() -> Written? {
        guard let file = try? SystemFile(reading: list), let bytes = try? file.read(count: Self.listBytes) else {
            return nil
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let tables = lines.dropFirst().compactMap { line -> Table? in
            let parts = line.split(separator: " ")
            guard parts.count == 4, let group = FeedGroup(rawValue: String(parts[0])), let records = Int(parts[2]),
                let bytes = Int64(parts[3])
            else { return nil }
            return Table(group: group, name: String(parts[1]), records: records, bytes: bytes)
        }
        return lines.first.map { Written(draft: String($0), tables: tables) }
    }

    private static let listBytes = 16 << 10

    /// Writes all tables, of one state of the catalogue. It may run again, and then begins anew. Blocks.
    ///
    /// - Parameters:
    ///   - draft: the name under which they are written.
    ///   - former: the tables of the full feed beside which this one tells what changed; empty for a full one.
    package func write(
        _ draft: String, _ view: FeedView, former: [PartnerFeed.File], in transaction: any ReadTransaction
    ) throws {
        try Self.make(blobs.drafts)
        try Self.make(Self.folder(in: blobs))
        try? FileManager.default.removeItem(atPath: folder)
        try Self.make(folder)
        var lines = draft + "\n"
        for source in FeedSource.all {
            var files = FeedFiles()
            for table in source.tables {
                let known = former.first { $0.name == table.name }
                let reader = try known.map { try FeedArchiveReader($0.blob, bytes: $0.bytes, in: blobs) }
                files.files[table.name] = try FeedFile(
                    table, at: path(of: table.name), exported: feed.begunAt, mode: feed.mode, former: reader,
                    beside: blobs)
            }
            try source.writing(files, view, transaction)
            for table in source.tables {
                let file = try files[table]
                try file.finish()
                // A table of nothing says nothing.
                guard file.count > 0 else {
                    unlink(path(of: table.name))
                    continue
                }
                lines += "\(table.group.rawValue) \(table.name) \(file.count) \(try file.byteCount())\n"
            }
        }
        try SystemFile.replace(list, with: Array(lines.utf8), draft: list + ".draft")
        try SystemFile.synchronizeFolder(folder)
    }

    /// Packs a table; the same table is the same archive each time. Blocks.
    package func pack(_ table: Table) throws -> PartnerFeed.File {
        let kept = try FeedArchive.pack(path(of: table.name), as: table.name, changed: feed.begunAt, in: blobs)
        return PartnerFeed.File(
            group: table.group, name: table.name, blob: kept.blob, bytes: kept.bytes,
            md5: Hexadecimal.encode(kept.md5), records: table.records)
    }

    /// Removes the folder. Blocks.
    package func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Removes the folders of all feeds that are not being made. Blocks.
    package static func sweep(keeping numbers: [Int64], in blobs: any BlobStore) {
        let folder = folder(in: blobs)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where !numbers.contains(where: { String($0) == name }) {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    private func path(of table: String) -> String { "\(folder)/\(table)" }

    private static func make(_ folder: String) throws {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileFailure("making the folder", folder) }
    }
}
