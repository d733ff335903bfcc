import Foundation

/// A lock that lasts as long as the object or the process, whichever ends first.
///
/// Who watches the folder for files that were closed after writing hears of its end, also when the process was killed, and
/// finds the lock free then. Nobody hears of those who merely ask.
final class FileLock: Sendable {
    private let lock: Int32
    private let writer: Int32

    /// Takes the lock of a file; nil if somebody else has it, or the file cannot be made.
    init?(_ path: String) {
        // Descriptors are closed in their order when a process ends: the lock is free before anybody hears of the end.
        lock = open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { return nil }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            return nil
        }
        writer = open(path, O_WRONLY | O_CLOEXEC)
    }

    deinit {
        close(lock)
        if writer >= 0 { close(writer) }
    }

    /// Whether somebody has the lock of a file.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}
