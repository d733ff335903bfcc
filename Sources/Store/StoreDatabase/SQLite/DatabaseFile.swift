import Foundation

/// The file of a database of SQLite.
enum DatabaseFile {
    /// Makes an empty file that only its owner may read, unless there is one; SQLite gives its log the same mode.
    ///
    /// It is made under another name and linked to its own: to close a descriptor of a database file would give up every
    /// lock that SQLite holds on it in this process.
    static func make(_ path: String) throws {
        guard access(path, F_OK) != 0 else { return }
        let draft = "\(path).\(UUID().uuidString).new"
        let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        close(descriptor)
        defer { unlink(draft) }
        guard link(draft, path) == 0 || errno == EEXIST else { throw failure(path) }
    }

    private static func failure(_ path: String) -> DatabaseError {
        DatabaseError(.unavailable, "\(path) cannot be made: \(String(cString: strerror(errno)))")
    }
}
