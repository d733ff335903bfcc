import Foundation

/// Files that only the person may read.
enum PrivateFile {
    /// Makes a folder, and those it lies in.
    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Makes a file, whole or not at all, and gives its text; that of another process if that was faster.
    static func create(_ path: String, with text: String) throws -> String {
        let draft = path + "." + UUID().uuidString
        try write(Array(text.utf8), to: draft, isDurable: true)
        defer { unlink(draft) }
        // A link is made only where there is no file yet.
        guard link(draft, path) == 0 || errno == EEXIST else { throw failure(path) }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Puts bytes in the place of whatever is there, so that nobody ever reads half of them; but after a power failure there may
    /// be neither these nor those. The folder is made if there is none.
    static func replace(_ path: String, with bytes: [UInt8]) throws {
        let draft = path + "." + UUID().uuidString
        do {
            try write(bytes, to: draft, isDurable: false)
        } catch {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard !FileManager.default.fileExists(atPath: folder) else { throw error }
            try makeFolder(folder)
            try write(bytes, to: draft, isDurable: false)
        }
        guard rename(draft, path) == 0 else {
            unlink(draft)
            throw failure(path)
        }
    }

    private static func write(_ bytes: [UInt8], to path: String, isDurable: Bool) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(bytes))
            if isDurable { try handle.synchronize() }
            try handle.close()
        } catch {
            // A full disk is not filled with drafts.
            unlink(path)
            throw error
        }
    }

    private static func failure(_ path: String) -> SessionFailure {
        SessionFailure(
            code: 0, reason: "file", text: "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
