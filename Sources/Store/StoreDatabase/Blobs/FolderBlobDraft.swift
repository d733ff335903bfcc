import StoreSigning

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
        // What is there already is the same content, unless the disk has lost some of it.
        if try BlobFile.byteCount(destination) != count {
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
