import Foundation

/// The calls that a ``FaultProxy`` needs.
enum UnixSocket {
    static func listening(at path: String) throws -> Int32 {
        let descriptor = try made()
        guard withAddress(path, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 128) == 0 else {
            throw ClusterError(message: "nobody can listen at \(path): \(errno)")
        }
        return descriptor
    }

    static func connected(to path: String) throws -> Int32 {
        let descriptor = try made()
        guard withAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            throw ClusterError(message: "nobody listens at \(path): \(errno)")
        }
        return descriptor
    }

    /// What has come, or nil at the end.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// False if the other end is gone.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func made() throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw ClusterError(message: "there is no socket: \(errno)") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
