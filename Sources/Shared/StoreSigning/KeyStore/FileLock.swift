import Foundation

/// Keeps a second process from changing the same keys at the same time.
enum FileLock {
    /// Does something while holding the lock; throws at once if somebody else holds it.
    static func hold<Result>(_ path: String, while body: () throws -> Result) throws -> Result {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PrivateFile.failure("locking", path) }
        // Closing gives the lock back, as does the end of the process.
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK
                ? SigningError(.keyStoreBusy, "another process is changing these keys; try again when it is done")
                : PrivateFile.failure("locking", path)
        }
        return try body()
    }
}
