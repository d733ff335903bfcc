import Foundation

/// Ports of loopback that nobody listens on at the moment.
enum FreePorts {
    struct None: Error {}

    static func some(_ count: Int) throws -> [Int] {
        // All are held until all are found, so that none is found twice.
        let sockets = (0..<count).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
        defer { for socket in sockets { close(socket) } }
        return try sockets.map { socket in
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
                }
            }
            guard isBound else { throw None() }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }
}
