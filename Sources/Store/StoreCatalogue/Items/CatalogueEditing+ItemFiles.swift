import Foundation
import StoreDatabase
import StoreFoundation
import StoreModel

/// A file that somebody gives an item.
package struct NewItemFile: Hashable, Sendable {
    package let place: ItemFilePlace
    /// What it is called, as its sender says; only a safe form of it is kept.
    package let name: String
    /// What is to be seen on it, for those who do not see it.
    package let alternativeText: String?

    package init(_ place: ItemFilePlace, called name: String, alternativeText: String? = nil) {
        (self.place, self.name, self.alternativeText) = (place, name, alternativeText)
    }
}

extension CatalogueEditing {
    /// Gives an item a file that comes in pieces, in place of the one that stands there. It is looked at before it is kept.
    ///
    /// - Parameter next: the next piece of the file; nil at its end.
    package func putFile(
        _ new: NewItemFile, of storeID: Int64, in blobs: CatalogueBlobs, _ next: () async throws -> [UInt8]?
    ) async throws -> ItemDetails {
        let store = try blobs.open(for: "files")
        // Said before all of it has come.
        let kind = try await write { change in
            let item = try item(storeID, in: change.transaction)
            let files = try ItemFiles.list(of: storeID, in: change.transaction)
            try ItemFiles.requirePlace(new.place, of: item, beside: files, in: change.transaction)
            return item.kind
        }
        let draft = try await ItemFileDraft.make(in: store)
        defer { draft.remove() }
        var (pending, isKnown) = ([UInt8](), false)
        while let piece = try await next() {
            pending += piece
            if !isKnown, pending.count >= MediaForm.bytesNeeded {
                _ = try MediaInspection.requireForm(pending, for: new.place.role, of: kind)
                isKnown = true
            }
            guard draft.bytes + Int64(pending.count) <= ItemFileLimits.bytes(of: new.place.role) else {
                throw MediaInspection.tooLarge(new.place.role)
            }
            guard pending.count >= ItemFileDraft.pieceBytes else { continue }
            try await draft.append(pending)
            pending = []
        }
        try await draft.append(pending)
        let received = try await draft.keep(as: new, of: kind)
        try await BlobRemoval.hold([received.blob], in: store, of: database, at: now())
        return try await change(item: storeID) { item, change in
            try ItemFiles.put(
                received, at: new.place, of: item, Items.product(of: item, in: change.transaction),
                alternativeText: new.alternativeText, change)
        }
    }

    /// The same of a file that is there as a whole.
    package func putFile(
        _ new: NewItemFile, _ bytes: [UInt8], of storeID: Int64, in blobs: CatalogueBlobs
    ) async throws -> ItemDetails {
        var rest: [UInt8]? = bytes
        return try await putFile(new, of: storeID, in: blobs) {
            defer { rest = nil }
            return rest
        }
    }
}

/// A file of an item that is on its way: bytes in the folder of drafts, until they are looked at and kept.
final class ItemFileDraft {
    static let pieceBytes = 1 << 20

    private let file: SystemFile
    private let path: String
    private let blobs: any BlobStore
    private(set) var bytes: Int64 = 0

    private init(_ file: SystemFile, _ path: String, _ blobs: any BlobStore) {
        (self.file, self.path, self.blobs) = (file, path, blobs)
    }

    static func make(in blobs: any BlobStore) async throws -> ItemFileDraft {
        let path = "\(blobs.drafts)/item-\(UUID().uuidString)"
        let file = try await OwnThread.run(named: "items") { () throws -> SystemFile in
            try failing { () throws(FileFailure) in
                try SystemFile(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, for: "making")
            }
        }
        return ItemFileDraft(file, path, blobs)
    }

    func append(_ piece: [UInt8]) async throws {
        guard !piece.isEmpty else { return }
        let (file, blobs, offset) = (file, blobs, bytes)
        try await OwnThread.run(named: "items") { () throws in
            // The bytes lie there twice while a blob is made of them.
            try blobs.requireRoom(for: 2 * Int64(piece.count))
            try failing { () throws(FileFailure) in try file.write(piece, at: offset) }
        }
        bytes += Int64(piece.count)
    }

    /// Looks at the file and makes a blob of it.
    func keep(as new: NewItemFile, of kind: ItemKind) async throws -> ReceivedFile {
        let (file, blobs, count) = (file, blobs, bytes)
        return try await OwnThread.run(named: "items") { () throws -> ReceivedFile in
            let media = MediaBytes(count: count) { offset, count in
                try failing { () throws(FileFailure) in try file.read(at: offset, count: count) }
            }
            let head = try MediaInspection.head(of: media, for: new.place.role, of: kind)
            let draft = try blobs.begin()
            var offset: Int64 = 0
            while offset < count {
                let piece = try media.read(offset, Self.pieceBytes)
                guard !piece.isEmpty else { throw BlobError(.inputOutput, "a file that came is shorter than it was") }
                try draft.append(piece)
                offset += Int64(piece.count)
            }
            return ReceivedFile(
                blob: try draft.keep(), head: head, bytes: count, name: MediaForm.name(new.name, head.mediaType))
        }
    }

    func remove() { unlink(path) }
}

/// Tells the failure of a file as that of the store of blobs.
private func failing<Result>(_ body: () throws(FileFailure) -> Result) throws -> Result {
    do throws(FileFailure) {
        return try body()
    } catch {
        throw BlobError(error.isFull ? .full : .inputOutput, error.description)
    }
}

extension ReceivedFile {
    /// A file that is there as a whole and is kept at once. Blocks.
    init(_ bytes: [UInt8], as new: NewItemFile, of kind: ItemKind, in blobs: any BlobStore) throws {
        head = try MediaInspection.head(of: MediaBytes(bytes), for: new.place.role, of: kind)
        blob = try blobs.keep(bytes)
        (self.bytes, name) = (Int64(bytes.count), MediaForm.name(new.name, head.mediaType))
    }
}
