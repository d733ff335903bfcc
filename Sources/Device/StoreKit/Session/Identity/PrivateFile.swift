import Foundation
import StoreFoundation

/// Files that only the person may read.
enum PrivateFile {
    /// Makes a folder, and those it lies in.
    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Makes a file, whole or not at all, and gives its text; that of another process if that was faster.
    static func create(_ path: String, with text: String) throws -> String {
        do throws(FileFailure) {
            try SystemFile.create(path, with: Array(text.utf8), draft: path + "." + UUID().uuidString)
        } catch {
            throw failure(path, error)
        }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Puts bytes in the place of whatever is there, so that nobody ever reads half of them; but after a power failure there may
    /// be neither these nor those. The folder is made if there is none.
    static func replace(_ path: String, with bytes: [UInt8]) throws {
        func replace() throws(FileFailure) {
            try SystemFile.replace(path, with: bytes, draft: path + "." + UUID().uuidString, isDurable: false)
        }
        do {
            try replace()
        } catch {
            guard error.number == ENOENT else { throw failure(path, error) }
            try makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
            do { try replace() } catch { throw failure(path, error) }
        }
    }

    private static func failure(_ path: String, _ failure: FileFailure) -> SessionFailure {
        SessionFailure(code: 0, reason: "file", text: "\(path) cannot be written: \(failure.reason).")
    }
}
