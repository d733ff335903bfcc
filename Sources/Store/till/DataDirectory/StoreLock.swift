import CommandOptions
import Foundation

/// The right to open the store in a data directory, which one process has at a time.
///
/// The lock belongs to the open file, so it ends with the process, however that ends. What the file says is for people.
final class StoreLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; nil if another process has it.
    init?(_ directory: DataDirectory) throws {
        let path = directory.lockPath
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .cannotCreate,
                "\(path) cannot be opened: \(String(cString: strerror(errno))); check who owns the folder")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            if number == EWOULDBLOCK { return nil }
            throw CommandFailure(.inputOutput, "\(path) cannot be locked: \(String(cString: strerror(number)))")
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Says in the file who holds the lock.
    func describe(_ text: String) {
        let bytes = Array(text.utf8)
        ftruncate(descriptor, 0)
        _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Why a command cannot open a store that another process has open.
    static func refusal(_ directory: DataDirectory) -> CommandFailure {
        let holder = description(directory).map { " (\($0))" } ?? ""
        return CommandFailure(
            .tryAgain,
            "another process has the store in \(directory.path) open\(holder); stop it first, or use another --data")
    }

    /// What the holder of the lock says of itself, made fit for a terminal.
    static func description(_ directory: DataDirectory) -> String? {
        let descriptor = open(directory.lockPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return nil }
        let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
        return PrintableText(String(decoding: line, as: UTF8.self), limit: 200).description
    }
}
