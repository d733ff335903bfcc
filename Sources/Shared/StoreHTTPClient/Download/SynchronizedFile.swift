import Foundation

/// Small files that are there as a whole or not at all.
enum SynchronizedFile {
    /// Writes a draft, makes sure of it, and gives it its name.
    static func replace(_ path: String, with bytes: [UInt8], draft: String) throws(DownloadError) {
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PartFile.failure("opened", draft) }
        do throws(DownloadError) {
            try writeAll(bytes, to: descriptor, draft)
            guard fsync(descriptor) == 0 else { throw PartFile.failure("synchronised", draft) }
        } catch {
            close(descriptor)
            throw error
        }
        close(descriptor)
        guard rename(draft, path) == 0 else { throw PartFile.failure("renamed", draft) }
    }

    /// Makes sure of the names in a folder.
    static func synchronizeFolder(of path: String) throws(DownloadError) {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PartFile.failure("opened", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw PartFile.failure("synchronised", folder) }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(DownloadError) {
        var position = 0
        while position < bytes.count {
            let written = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress?.advanced(by: position), bytes.count - position)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw PartFile.failure("written", path) }
            position += written
        }
    }
}
