import CMicroHTTPD
import Glibc
import StoreHTTP

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
