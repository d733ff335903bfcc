import Foundation
import StoreSigning

/// Blobs as files of a folder: `12/34/1234…`, and drafts beside them.
///
/// A file has its name only once its content is on the disk, and is never changed after that.
package final class FolderBlobStore: BlobStore {
    package let limits: BlobLimits
    package let isCheckedElsewhere = false
    private let folder: String

    /// How many folders deep the names of files lie.
    static let depth = 3

    package var drafts: String { folder + "/drafts" }

    /// Opens a folder, and makes it if there is none. Drafts that a crash has left are removed, so one process at a time
    /// has the folder.
    package init(folder: String, limits: BlobLimits = BlobLimits()) throws {
        self.folder = folder
        self.limits = limits
        try BlobFile.makeFolder(folder)
        try BlobFile.makeFolder(drafts)
        for name in try BlobFile.names(in: drafts) where !BlobFile.isFolder(drafts + "/" + name) {
            try BlobFile.remove(drafts + "/" + name)
        }
    }

    /// A folder that is looked at and not changed; it need not be there.
    package init(examining folder: String) {
        self.folder = folder
        limits = BlobLimits()
    }

    package func begin() throws -> any BlobDraft {
        try FolderBlobDraft(at: drafts + "/" + UUID().uuidString, limits) { [self] id in try place(for: id) }
    }

    /// Where a blob is to be; makes the folders above it.
    private func place(for id: BlobID) throws -> String {
        let path = path(of: id)
        let inner = (path as NSString).deletingLastPathComponent
        try BlobFile.makeFolder((inner as NSString).deletingLastPathComponent)
        try BlobFile.makeFolder(inner)
        return path
    }

    /// The path of a blob's file, for callers that send it by descriptor. The file is there if the blob is.
    package func path(of id: BlobID) -> String {
        "\(folder)/\(id.text.prefix(2))/\(id.text.dropFirst(2).prefix(2))/\(id.text)"
    }

    package func byteCount(of id: BlobID) throws -> Int64? {
        try BlobFile.byteCount(path(of: id))
    }

    package func read(_ id: BlobID, _ range: Range<Int64>) throws -> [UInt8] {
        guard range.count <= limits.bytesPerRead else {
            throw BlobError(.outOfRange, "a read of \(range.count) bytes exceeds \(limits.bytesPerRead)")
        }
        let file = try BlobFile(reading: path(of: id))
        guard range.lowerBound >= 0, range.upperBound <= (try file.byteCount()) else {
            throw BlobError(.outOfRange, "the bytes \(range) are not all in the blob \(id)")
        }
        return try file.read(range)
    }

    package func verify(_ id: BlobID) throws {
        guard try BlobFile(reading: path(of: id)).digest() == id else { throw BlobError(damaged: id) }
    }

    package func list(after last: BlobID?, limit: Int) throws -> [BlobID] {
        var found: [BlobID] = []
        for outer in try folders(in: folder, from: last.map { String($0.text.prefix(2)) }) {
            for inner in try folders(in: "\(folder)/\(outer)", from: nil) {
                let names = try BlobFile.names(in: "\(folder)/\(outer)/\(inner)").compactMap(BlobID.init).sorted()
                for id in names where last.map({ $0 < id }) ?? true {
                    guard found.count < limit else { return found }
                    found.append(id)
                }
            }
        }
        return found
    }

    private func folders(in path: String, from first: String?) throws -> [String] {
        try BlobFile.names(in: path).filter { $0.utf8.count == 2 && $0 >= first ?? "" }.sorted()
    }

    @discardableResult
    package func delete(_ id: BlobID) throws -> Bool {
        guard try byteCount(of: id) != nil else { return false }
        try BlobFile.remove(path(of: id))
        return true
    }
}

/// A content that is being written to a file beside the blobs.
final class FolderBlobDraft: BlobDraft {
    private let path: String
    private let limits: BlobLimits
    private let place: (BlobID) throws -> String
    private var file: BlobFile?
    private let digest: RunningDigest
    private var count: Int64 = 0

    init(at path: String, _ limits: BlobLimits, place: @escaping (BlobID) throws -> String) throws {
        self.path = path
        self.limits = limits
        self.place = place
        digest = try RunningDigest(.sha256)
        file = try BlobFile(making: path)
    }

    deinit {
        discard()
    }

    func append(_ bytes: some Collection<UInt8>) throws {
        let file = try openFile()
        guard count + Int64(bytes.count) <= limits.bytesPerBlob else {
            discard()
            throw BlobError(.tooLarge, "a blob has at most \(limits.bytesPerBlob) bytes")
        }
        let bytes = Array(bytes)
        do {
            try file.write(bytes)
        } catch {
            discard()
            throw error
        }
        try digest.update(bytes)
        count += Int64(bytes.count)
    }

    func keep(expecting expected: BlobID?) throws -> BlobID {
        let file = try openFile()
        defer { discard() }
        let id = BlobID(digest: try digest.finish())
        guard expected == nil || expected == id else {
            throw BlobError(.damaged, "the content that came is not the blob that was announced")
        }
        let destination = try place(id)
        // What is there already is the same content, unless the disk has damaged it.
        if (try? BlobFile(reading: destination).digest()) != id {
            try file.synchronize()
            try BlobFile.move(path, to: destination)
        }
        // Whoever made the folders, or put the file there, may not have come to this yet.
        try BlobFile.synchronizeFolders(of: destination, depth: FolderBlobStore.depth)
        return id
    }

    func discard() {
        guard file != nil else { return }
        file = nil
        // Once it was kept there is no draft any more.
        try? BlobFile.remove(path)
    }

    private func openFile() throws -> BlobFile {
        guard let file else { throw BlobError(.ended, "the content was kept or given up already") }
        return file
    }
}
