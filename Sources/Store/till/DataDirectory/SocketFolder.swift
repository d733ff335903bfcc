import CommandOptions
import Foundation

/// Reaches sockets in a folder whatever the length of its path; the system takes only about a hundred bytes.
final class SocketFolder: Sendable {
    private let folder: String
    private let descriptor: Int32

    init(_ directory: DataDirectory) throws {
        folder = directory.path
        descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .inputMissing, "\(directory.path) cannot be opened: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// A path to a socket, good as long as this lives.
    func path(of name: String) -> String {
        let path = "\(folder)/\(name)"
        return path.utf8.count < Self.longestPath ? path : "/proc/self/fd/\(descriptor)/\(name)"
    }

    /// What a listener takes: the system's 107 bytes without what it adds to the name while it makes the socket.
    private static let longestPath = 90
}
