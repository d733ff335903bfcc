import Foundation

extension ServerConnection {
    /// A connection to a port of loopback; nil if nobody listens.
    static func opened(toPort port: Int) -> ServerConnection? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return ServerConnection(descriptor: descriptor)
    }

    /// Carries bytes both ways between this connection and a port, until either side ends.
    func joined(toPort port: Int) {
        guard let other = ServerConnection.opened(toPort: port) else { return }
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while let bytes = other.readSome(), write(bytes) {}
            shutdown(descriptor, Int32(SHUT_RDWR))
            ended.signal()
        }
        while let bytes = readSome(), other.write(bytes) {}
        shutdown(other.descriptor, Int32(SHUT_RDWR))
        // The other thread ends now that one of its sides has.
        ended.wait()
        close(other.descriptor)
    }
}
