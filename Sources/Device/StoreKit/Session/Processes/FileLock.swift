import Foundation

/// A lock that lasts as long as the object or the process, whichever ends first.
///
/// Who watches the folder for files that were closed after writing hears of its end, also when the process was killed, and
/// finds the lock free then. Nobody hears of those who merely ask.
final class FileLock: Sendable {
    private let lock: Int32
    /// Opened for writing, under a number below the lock's and under one above it.
    private let writers: [Int32]

    /// Takes the lock of a file; nil if somebody else has it, or the file cannot be made.
    ///
    /// - Parameter makesFile: whether the file is made if it is not there.
    init?(_ path: String, makesFile: Bool = true) {
        let taken = open(path, O_RDONLY | O_CLOEXEC | (makesFile ? O_CREAT : O_NOFOLLOW), 0o600)
        guard taken >= 0 else { return nil }
        guard flock(taken, LOCK_EX | LOCK_NB) == 0 else {
            close(taken)
            return nil
        }
        // The system closes what a process leaves behind from the lowest number to the highest or the other way round. One of
        // the two is closed after the lock, so that whoever hears of that finds it free.
        let below = open(path, O_WRONLY | O_CLOEXEC)
        lock = Self.moved(taken, above: below)
        writers = [below, Self.moved(open(path, O_WRONLY | O_CLOEXEC), above: lock)]
    }

    deinit {
        // A process that is just being started has a copy of the descriptor for a moment.
        flock(lock, LOCK_UN)
        close(lock)
        for writer in writers where writer >= 0 { close(writer) }
    }

    /// Whether the file still has a name, and was not removed by who had the lock before.
    var isNamed: Bool {
        var status = stat()
        return fstat(lock, &status) == 0 && status.st_nlink > 0
    }

    /// What is in the file, up to so many bytes.
    func content(upTo limit: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = pread(lock, &bytes, limit, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    /// The same open file under a number that is above another.
    private static func moved(_ descriptor: Int32, above other: Int32) -> Int32 {
        guard descriptor >= 0, descriptor < other else { return descriptor }
        let higher = fcntl(descriptor, F_DUPFD_CLOEXEC, other + 1)
        guard higher >= 0 else { return descriptor }
        close(descriptor)
        return higher
    }

    /// Removes the file of a lock that nobody has. It is locked meanwhile, so that nobody who begins with it believes to have
    /// the lock of a file that has no name.
    static func removeUnheld(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
    }

    /// Whether somebody has the lock of a file.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}
