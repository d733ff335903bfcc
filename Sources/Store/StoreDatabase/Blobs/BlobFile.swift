import Foundation
import StoreFoundation
import StoreSigning

/// One open file of a folder of blobs, and what is done with folders.
final class BlobFile {
    /// How many bytes are read or written at once.
    static let pieceBytes: Int64 = 1 << 20

    private let file: SystemFile

    /// Opens a file that is there.
    init(reading path: String) throws {
        do throws(FileFailure) {
            file = try SystemFile(reading: path)
        } catch {
            throw error.number == ENOENT ? BlobError(.missing, "\(path) is not there") : BlobError(error)
        }
    }

    /// Makes a file that is not there yet.
    init(making path: String) throws {
        file = try Self.failing { try SystemFile(making: path) }
    }

    func byteCount() throws -> Int64 {
        try Self.failing { Int64(try file.status().st_size) }
    }

    func read(_ range: Range<Int64>) throws -> [UInt8] {
        let bytes = try Self.failing { try file.read(at: range.lowerBound, count: range.count) }
        guard bytes.count == range.count else {
            throw BlobError(.damaged, "\(file.path) is shorter than it was")
        }
        return bytes
    }

    /// The name of the content.
    func digest() throws -> BlobID {
        let digest = try RunningDigest(.sha256)
        let count = try byteCount()
        for start in stride(from: 0, to: count, by: Int(Self.pieceBytes)) {
            try digest.update(try read(start..<min(start + Self.pieceBytes, count)))
        }
        return BlobID(digest: try digest.finish())
    }

    func write(_ bytes: [UInt8]) throws {
        try Self.failing { try file.write(bytes) }
    }

    func synchronize() throws {
        try Self.failing { try file.synchronize() }
    }

    private static func failing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as FileFailure {
            throw BlobError(failure)
        }
    }
}

extension BlobFile {
    /// Makes a folder that only its owner may enter; does nothing if it is there.
    static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw BlobError(FileFailure("making the folder", path))
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Gives a file its name.
    static func move(_ path: String, to destination: String) throws {
        try failing { try SystemFile.rename(path, to: destination) }
    }

    /// Brings the entry of a file to the disk, and those of so many folders above it.
    static func synchronizeFolders(of path: String, depth: Int) throws {
        var folder = path
        for _ in 0..<depth {
            folder = (folder as NSString).deletingLastPathComponent
            try failing { try SystemFile.synchronizeFolder(folder) }
        }
    }

    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw BlobError(FileFailure("removing", path)) }
    }

    static func byteCount(_ path: String) throws -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw BlobError(FileFailure("reading", path))
        }
        return Int64(status.st_size)
    }

    static func names(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw BlobError(.inputOutput, "reading \(folder): \(error.localizedDescription)")
        }
    }
}

extension BlobError {
    fileprivate init(_ failure: FileFailure) {
        // What the disk cannot read any more is lost as what it reads wrongly.
        let isLost = failure.number == EIO && failure.action == "reading"
        self.init(failure.isFull ? .full : isLost ? .damaged : .inputOutput, failure.description)
    }
}
