import Foundation
package import StoreDatabase
import StoreFoundation
import StoreModel

/// Parts of packages of which some bytes have come: a file each, until the part is a blob.
///
/// When a connection breaks, or the process ends, what was written stays, and whoever sends the part goes on behind its last byte.
/// Whether the bytes are right is known once all of them are there and have the digest of the part. Several connections may write
/// one part: each writes the bytes of its own places, and none leaves a gap.
package struct PartDrafts: Sendable {
    /// How many bytes are written at once.
    private static let pieceBytes = 256 << 10

    private let blobs: any BlobStore
    private var folder: String { blobs.drafts + "/parts" }

    package init(_ blobs: any BlobStore) { self.blobs = blobs }

    /// What the files of an upload begin with. With the digest of the package in it nobody goes on with a part of another one that
    /// had its number, before a backup was restored for example.
    private static func prefix(of content: HostedContent) -> String {
        "\(content.item.number)-\(content.number)-\(content.packageDigest)-"
    }

    private func path(of part: Int, _ content: HostedContent) -> String {
        "\(folder)/\(Self.prefix(of: content))\(part)"
    }

    // MARK: Reading

    /// How many bytes are there of the parts of an upload, by their numbers. Calls block.
    ///
    /// Of a part that the end of a process kept from being noted the last byte is not counted: it has to come once more.
    func byteCounts(of content: HostedContent) -> [Int: Int64] {
        let prefix = Self.prefix(of: content)
        var counts: [Int: Int64] = [:]
        for name in names where name.hasPrefix(prefix) {
            var status = stat()
            guard let part = Int(name.dropFirst(prefix.count)), (1...content.partCount).contains(part),
                lstat("\(folder)/\(name)", &status) == 0
            else { continue }
            counts[part] = min(Int64(status.st_size), content.byteCount(ofPart: part) - 1)
        }
        return counts.filter { $0.value > 0 }
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    // MARK: Writing

    /// Writes what comes of a part, up to its end.
    ///
    /// - Parameters:
    ///   - offset: where in the part the bytes begin; those before are there already.
    ///   - next: the next bytes; nil at their end. If it throws, what came before is kept.
    func receive(
        _ part: Int, of content: HostedContent, from offset: Int64, _ next: () async throws -> [UInt8]?
    ) async throws -> PartDraft {
        let wanted = content.byteCount(ofPart: part)
        let draft = try await OwnThread.run(named: "content") { () throws -> PartDraft in
            // The bytes lie there twice while a blob is made of them.
            try blobs.requireRoom(for: 2 * wanted)
            return try PartDraft(at: path(of: part, content), in: folder, of: blobs)
        }
        let there = try draft.byteCount()
        guard offset <= there else {
            throw CatalogueError(
                .valueInvalid, "\(there) bytes of part \(part) are there; go on from there", field: "Content-Range")
        }
        var (position, pending) = (offset, [UInt8]())
        do {
            while let piece = try await next() {
                guard position + Int64(pending.count + piece.count) <= wanted else {
                    throw CatalogueError(
                        .valueInvalid, "part \(part) has \(wanted) bytes, and more came", field: "body")
                }
                pending += piece
                guard pending.count >= Self.pieceBytes else { continue }
                position = try await draft.write(pending, at: position)
                pending = []
            }
        } catch {
            _ = try? await draft.write(pending, at: position)
            throw error
        }
        position = try await draft.write(pending, at: position)
        guard position == wanted else {
            throw CatalogueError(
                .valueInvalid, "part \(part) has \(wanted) bytes, and \(position) came", field: "body")
        }
        return draft
    }

    /// Forgets what is there of a part.
    func remove(_ part: Int, of content: HostedContent) { unlink(path(of: part, content)) }

    /// Forgets what is there of all parts of an upload. Blocks.
    func remove(all content: HostedContent) {
        let prefix = Self.prefix(of: content)
        for name in names where name.hasPrefix(prefix) { unlink("\(folder)/\(name)") }
    }

    /// Removes the parts of uploads that are not open any more.
    package func sweep(of catalogue: any Database) async throws {
        let found = await OwnThread.run(named: "content") { names }
        guard !found.isEmpty else { return }
        // Read after the names: an upload that is begun meanwhile has none of them.
        let open = try await catalogue.read { try HostedContent.uploads(untouchedSince: .latest, in: $0) }
        let prefixes = open.map(Self.prefix)
        for name in found where !prefixes.contains(where: { name.hasPrefix($0) }) { unlink("\(folder)/\(name)") }
    }
}

/// The open file of a part that comes.
final class PartDraft: Sendable {
    private let file: SystemFile
    private let blobs: any BlobStore

    init(at path: String, in folder: String, of blobs: any BlobStore) throws {
        self.blobs = blobs
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw Self.failure(FileFailure("making the folder", folder))
        }
        do throws(FileFailure) {
            file = try SystemFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, for: "making")
        } catch {
            throw Self.failure(error)
        }
    }

    func byteCount() throws -> Int64 {
        do throws(FileFailure) {
            return try Int64(file.status().st_size)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Writes bytes at a place; returns the place behind them.
    func write(_ bytes: [UInt8], at offset: Int64) async throws -> Int64 {
        guard !bytes.isEmpty else { return offset }
        let (file, blobs) = (file, blobs)
        try await OwnThread.run(named: "content") { () throws in
            try blobs.requireRoom(for: Int64(bytes.count))
            do throws(FileFailure) {
                try file.write(bytes, at: offset)
            } catch {
                throw Self.failure(error)
            }
        }
        return offset + Int64(bytes.count)
    }

    /// Makes a blob of the first bytes, which have to have a digest. Blocks.
    func keep(_ count: Int64, expecting id: BlobID) throws -> BlobID {
        try blobs.requireRoom(for: count)
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try file.read(count: Int(count))
        } catch {
            throw Self.failure(error)
        }
        let draft = try blobs.begin()
        try draft.append(bytes)
        return try draft.keep(expecting: id)
    }

    private static func failure(_ failure: FileFailure) -> BlobError {
        BlobError(failure.isFull ? .full : .inputOutput, failure.description)
    }
}
