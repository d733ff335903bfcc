import Foundation
import StoreFoundation
import StoreSigning

/// The files of contents: a folder in which each is named by its digest.
///
/// A file is whole or not there: it gets its name when it is on the disk.
public struct ContentLibrary: Hashable, Sendable {
    /// The folder.
    public let folder: String
    /// How much is copied at a time.
    private static let pieceBytes = 1 << 20
    private static let draftPrefix = "draft-"

    /// Opens a folder, which is made for its owner only if it is not there.
    public init(folder: String) throws {
        self.folder = folder
        try Self.makeFolder(folder)
    }

    /// Where the file of a digest is.
    func path(of digest: String) -> String { "\(folder)/\(digest.prefix(2))/\(digest)" }

    /// Copies a file into the folder.
    func add(_ source: String, atMost limit: Int64) throws -> (digest: String, bytes: Int64) {
        do {
            removeDrafts()
            let draft = try SystemFile(making: "\(folder)/\(Self.draftPrefix)\(UUID().uuidString)")
            defer { unlink(draft.path) }
            _ = try draft.lock()
            let (digest, bytes) = try copy(SystemFile(reading: source), to: draft, atMost: limit)
            try draft.synchronize()
            let path = path(of: digest)
            try Self.makeFolder((path as NSString).deletingLastPathComponent)
            try SystemFile.rename(draft.path, to: path)
            try SystemFile.synchronizeFolder(of: path)
            try SystemFile.synchronizeFolder(folder)
            return (digest, bytes)
        } catch let failure as FileFailure {
            throw BackendError(.contentUnavailable, "A file of a content cannot be kept: \(failure).")
        }
    }

    /// Removes the files that none of these digests names, and says how many they were.
    func removeAll(but digests: Set<String>) throws -> Int {
        var removed = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.utf8.count == 2 {
            for digest in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")
            where !digests.contains(digest) && unlink("\(folder)/\(name)/\(digest)") == 0 {
                removed += 1
            }
        }
        return removed
    }

    private func copy(
        _ source: SystemFile, to draft: SystemFile, atMost limit: Int64
    ) throws -> (digest: String, bytes: Int64) {
        guard try source.status().st_mode & S_IFMT == S_IFREG else {
            throw BackendError(.invalidValue, "\(source.path) is no file.", parameter: "file")
        }
        let digest = try RunningDigest(.sha256)
        var offset: Int64 = 0
        while true {
            let piece = try source.read(at: offset, count: Self.pieceBytes)
            if piece.isEmpty { break }
            offset += Int64(piece.count)
            guard offset <= limit else {
                throw BackendError(.invalidValue, "A content has at most \(limit) bytes.", parameter: "file")
            }
            try digest.update(piece)
            try draft.write(piece)
        }
        return (hexadecimal(try digest.finish()), offset)
    }

    /// Removes what a crash left. A draft that is being written is locked.
    private func removeDrafts() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(Self.draftPrefix) {
            guard let draft = try? SystemFile(reading: "\(folder)/\(name)"), (try? draft.lock()) == true else {
                continue
            }
            unlink(draft.path)
        }
    }

    private static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw BackendError(.contentUnavailable, "A folder cannot be made: \(FileFailure("making", path)).")
        }
    }
}

/// A version of a content, in a file.
public struct ContentFile: Hashable, Sendable {
    /// The name of the content.
    public let name: String
    /// The version, such as `1.0`.
    public let version: String
    /// The file.
    public let path: String
    /// How many bytes it has.
    public let bytes: Int64
    /// The SHA-256 digest, in 64 hexadecimal digits.
    public let digest: String
    /// What the file is called when it is saved.
    public let fileName: String
    /// The first version of the app that may have it.
    public let minimumAppVersion: String?
    /// The last version of the app that may have it.
    public let maximumAppVersion: String?
}
