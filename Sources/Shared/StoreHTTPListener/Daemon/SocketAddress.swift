import CMicroHTTPD
import Glibc
import StoreHTTP

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
