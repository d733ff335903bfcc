import CMicroHTTPD
import Glibc
import Synchronization

/// A socket that listens. It outlives the daemons that accept from it, so that one can follow another.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    /// Where it listens, with the port it got.
    let endpoint: ListenerEndpoint
    /// The file of a socket in the file system, by which its removal is sure to hit no other's.
    private let file: FileIdentity?
    private let isClosed = Mutex(false)

    struct FileIdentity: Hashable {
        let device: UInt
        let number: UInt

        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            device = UInt(status.st_dev)
            number = UInt(status.st_ino)
        }
    }

    init(_ endpoint: ListenerEndpoint, backlog: Int) throws(ListenerError) {
        switch endpoint.kind {
        case .tcp(let host, let port):
            let (descriptor, port) = try TCPSocket.listen(host, port, backlog: backlog)
            self.descriptor = descriptor
            self.endpoint = .tcp(host, port: port)
            file = nil
        case .unix(let path, let mode):
            descriptor = try UnixSocket.listen(path, mode: mode, backlog: backlog)
            self.endpoint = endpoint
            file = FileIdentity(path)
        }
    }

    deinit { close() }

    /// Closes the socket and removes its file, if that is still its own.
    func close() {
        let isFirst = isClosed.withLock { closed in
            defer { closed = true }
            return !closed
        }
        guard isFirst else { return }
        if case .unix(let path, _) = endpoint.kind, let file, FileIdentity(path) == file { unlink(path) }
        // Daemons have duplicates, which must not keep it open for clients.
        shutdown(descriptor, Int32(SHUT_RDWR))
        _ = Glibc.close(descriptor)
    }
}
