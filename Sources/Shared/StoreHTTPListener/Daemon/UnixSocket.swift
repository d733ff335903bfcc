import CMicroHTTPD
import Glibc

/// Opens listening sockets in the file system.
///
/// The socket is made under a name of its own, gets its mode, listens, and only then takes the name that clients know:
/// nobody finds it with another mode, and a stale one is replaced in one step.
enum UnixSocket {
    static func listen(_ path: String, mode: UInt32, backlog: Int) throws(ListenerError) -> Int32 {
        let temporary = "\(path).\(getpid())"
        guard let address = address(temporary) else {
            throw ListenerError(.addressInvalid, "\(path) is too long for a socket; choose a path below 90 bytes.")
        }
        try makeWay(at: path)
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

    /// Refuses a path at which somebody listens or something else lies.
    private static func makeWay(at path: String) throws(ListenerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ListenerError(.pathOccupied, "\(path) is no socket; move it away or choose another path.")
        }
        guard let address = address(path) else { return }
        let descriptor = try open()
        defer { close(descriptor) }
        let connected = with(address) { connect(descriptor, $0, $1) }
        // A full backlog is a living listener too.
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
