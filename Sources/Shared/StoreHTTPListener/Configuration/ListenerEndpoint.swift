/// Where a listener is reached.
package struct ListenerEndpoint: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case tcp(host: String, port: Int)
        case unix(path: String, mode: UInt32)
    }

    let kind: Kind

    /// A numeric address and a port; port 0 is a free one, which ``HTTPListener/endpoint`` tells.
    package static func tcp(_ host: String = "127.0.0.1", port: Int) -> ListenerEndpoint {
        ListenerEndpoint(kind: .tcp(host: host, port: port))
    }

    /// A socket in the file system that those may use whom its mode lets write.
    package static func unix(_ path: String, mode: UInt32 = 0o600) -> ListenerEndpoint {
        ListenerEndpoint(kind: .unix(path: path, mode: mode))
    }

    /// The port, if it has one.
    package var port: Int? { if case .tcp(_, let port) = kind { port } else { nil } }
}

extension ListenerEndpoint: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path, _): path
        }
    }
}
