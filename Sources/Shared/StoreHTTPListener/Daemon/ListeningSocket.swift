import CMicroHTTPD
import Glibc
import StoreHTTP
import Synchronization

/// A socket that listens. It outlives the daemons that accept from it, so one can replace another.
///
/// Clients that come before an ``HTTPListener`` accepts from it wait.
package final class ListeningSocket: Sendable {
    let descriptor: Int32
    /// Where it listens, with the port it got.
    package let endpoint: ListenerEndpoint
    /// The identity of the socket's file, so only its own file is removed.
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

    package init(_ endpoint: ListenerEndpoint, backlog: Int = ListenerLimits().backlog) throws(ListenerError) {
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

/// Reads the addresses of sockets.
enum SocketAddress {
    static func peer(_ address: UnsafePointer<sockaddr>?) -> PeerAddress {
        guard let address else { return .local }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            var inet = raw.loadUnaligned(as: sockaddr_in.self)
            inet_ntop(AF_INET, &inet.sin_addr, &text, socklen_t(text.count))
            return PeerAddress(host: string(text), port: Int(UInt16(bigEndian: inet.sin_port)))
        case AF_INET6:
            var inet = raw.loadUnaligned(as: sockaddr_in6.self)
            inet_ntop(AF_INET6, &inet.sin6_addr, &text, socklen_t(text.count))
            return PeerAddress(host: string(text), port: Int(UInt16(bigEndian: inet.sin6_port)))
        default: return .local
        }
    }

    private static func string(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Opens listening sockets on the network.
enum TCPSocket {
    static func listen(_ host: String, _ port: Int, backlog: Int) throws(ListenerError) -> (Int32, port: Int) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let address = list else {
            throw ListenerError(.addressInvalid, "\(host):\(port) is no numeric address with a port.")
        }
        defer { freeaddrinfo(list) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { throw failure("socket", host, port) }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            Glibc.listen(descriptor, Int32(backlog)) == 0
        else {
            let error = failure("bind", host, port)
            close(descriptor)
            throw error
        }
        return (descriptor, self.port(of: descriptor))
    }

    private static func port(of descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getsockname(descriptor, address, &length) == 0
            else { return 0 }
            return SocketAddress.peer(UnsafePointer(address)).port ?? 0
        }
    }

    private static func failure(_ call: String, _ host: String, _ port: Int) -> ListenerError {
        let number = errno
        let code: ListenerError.Code =
            switch number {
            case EADDRINUSE: .addressInUse
            case EADDRNOTAVAIL, EAFNOSUPPORT: .addressInvalid
            default: .system
            }
        let advice = code == .addressInUse ? " Stop what listens there, or choose another port." : ""
        return ListenerError(
            code, "Listening at \(host):\(port) failed (\(call): \(String(cString: strerror(number)))).\(advice)")
    }
}

/// Opens listening sockets in the file system.
///
/// The socket is made under a name of its own, gets its mode, listens, and only then gets the name that clients use: no
/// client finds it with another mode, and a stale one is replaced in one step.
enum UnixSocket {
    static func listen(_ path: String, mode: UInt32, backlog: Int) throws(ListenerError) -> Int32 {
        let temporary = "\(path).\(getpid())"
        guard let address = address(temporary) else {
            throw ListenerError(.addressInvalid, "\(path) is too long for a socket; choose a path below 90 bytes.")
        }
        try removeStaleSocket(at: path)
        let descriptor = try open()
        unlink(temporary)
        let bound = with(address) { bind(descriptor, $0, $1) }
        guard bound == 0, chmod(temporary, mode) == 0, Glibc.listen(descriptor, Int32(backlog)) == 0,
            rename(temporary, path) == 0
        else {
            let error = failure(path)
            close(descriptor)
            unlink(temporary)
            throw error
        }
        return descriptor
    }

    /// Refuses a path that another process listens on or that is not a socket.
    private static func removeStaleSocket(at path: String) throws(ListenerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ListenerError(.pathOccupied, "\(path) is no socket; move it away or choose another path.")
        }
        guard let address = address(path) else { return }
        let descriptor = try open()
        defer { close(descriptor) }
        let connected = with(address) { connect(descriptor, $0, $1) }
        // A full backlog means that a process listens.
        if connected == 0 || errno == EAGAIN {
            throw ListenerError(.addressInUse, "Another process listens at \(path); stop it or choose another path.")
        }
    }

    private static func open() throws(ListenerError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw failure("a socket") }
        return descriptor
    }

    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    private static func with(
        _ address: sockaddr_un, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func failure(_ path: String) -> ListenerError {
        ListenerError(.system, "Listening at \(path) failed: \(String(cString: strerror(errno))).")
    }
}
