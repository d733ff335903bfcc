import Foundation
import StoreDatabase
import StoreFoundation
import StoreSigning

/// Files and folders of backups: private, and on the disk before anything relies on them.
enum FolderFiles {
    static func make(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 else { throw UpkeepError(FileFailure("making", path)) }
    }

    /// Removes a folder with everything in it, if it is there.
    static func remove(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw UpkeepError(.inputOutput, "removing \(path): \(error.localizedDescription)")
        }
    }

    /// Gives a folder or file its name, in one step, and makes that last.
    static func move(_ path: String, to destination: String) throws {
        try failing {
            try SystemFile.rename(path, to: destination)
            try SystemFile.synchronizeFolder(of: destination)
        }
    }

    /// Makes what was written to a file, or the names in a folder, last.
    static func synchronize(_ path: String) throws {
        try failing { try SystemFile(path, O_RDONLY, for: "writing").synchronize() }
    }

    /// The names of all files below a folder, in order.
    static func files(below folder: String) throws -> [String] {
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
                var status = stat()
                return lstat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            }.sorted()
        } catch {
            throw UpkeepError(.inputOutput, "reading \(folder): \(error.localizedDescription)")
        }
    }

    /// Takes the lock of a file, which is made if it is not there, for as long as it is open; nil if somebody else has it.
    static func lock(_ path: String) throws -> SystemFile? {
        try failing {
            let file = try SystemFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, for: "opening")
            return try file.lock() ? file : nil
        }
    }

    /// Copies a file, with the mode of private files.
    static func copy(_ path: String, to destination: String) throws {
        try make(file: destination) { write in try read(path, write) }
    }

    /// Makes a file that only its owner can read.
    static func write(_ bytes: [UInt8], to destination: String) throws {
        try make(file: destination) { write in try bytes.withUnsafeBytes(write) }
    }

    private static func make(
        file destination: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        let output = try failing { try SystemFile(making: destination) }
        try body { bytes in try failing { try output.write(bytes) } }
        try failing { try output.synchronize() }
    }

    /// The size and the SHA-256 of a file.
    static func digest(_ path: String) throws -> (bytes: Int, sha256: String) {
        let digest = try RunningDigest(.sha256)
        var count = 0
        try read(path) { bytes in
            try digest.update(bytes)
            count += bytes.count
        }
        let text = try digest.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return (count, text)
    }

    private static func read(_ path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let input = try failing { try SystemFile(reading: path) }
        try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
            while true {
                let count = Foundation.read(input.descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw UpkeepError(FileFailure("reading", path)) }
                if count == 0 { return }
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    private static func failing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as FileFailure {
            throw UpkeepError(failure)
        }
    }
}

extension UpkeepError {
    fileprivate init(_ failure: FileFailure) {
        self.init(.inputOutput, failure.description)
    }
}
