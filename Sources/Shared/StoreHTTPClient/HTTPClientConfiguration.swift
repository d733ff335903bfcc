/// How a client behaves, for all of its requests.
package struct HTTPClientConfiguration: Sendable {
    /// Which addresses may be reached. There is no default: a sender of webhooks to URLs that others chose, and a
    /// client of a store on this machine, need opposite ones.
    package var addresses: AddressGuard
    package var limits = ClientLimits()
    package var timeouts = ClientTimeouts()
    package var trust = TrustSettings()
    package var proxy = ProxySettings.direct
    /// Names this program in `User-Agent`.
    package var product = "Till"

    package init(addresses: AddressGuard) {
        self.addresses = addresses
    }
}

/// How long a request may take.
package struct ClientTimeouts: Hashable, Sendable {
    /// Until the connection is established: name, address, proxy, TLS.
    package var connect: Duration
    /// The longest time without bytes in either direction, in whole seconds. It also runs while the body of the request
    /// is being made, but not while the reader of a response applies back-pressure.
    package var idle: Duration
    /// The whole time, including the wait for a connection; nil for no limit.
    package var total: Duration?

    package init(connect: Duration = .seconds(10), idle: Duration = .seconds(30), total: Duration? = .seconds(60)) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

extension Duration {
    /// At least one millisecond, because zero means no limit to libcurl, and at most what fits.
    var curlMilliseconds: Int {
        let (seconds, fraction) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int(fraction / 1_000_000_000_000_000))
    }

    /// At least one second, rounded up.
    var curlSeconds: Int { (curlMilliseconds + 999) / 1000 }
}

/// The limits of a client.
package struct ClientLimits: Sendable {
    /// Open connections, to all hosts together; further requests wait for one.
    package var connections = 64
    /// Open connections to one host.
    package var connectionsPerHost = 8
    /// Connections kept open for later requests.
    package var idleConnections = 16
    /// Seconds after which an unused connection is not used again.
    package var idleConnectionSeconds = 60
    /// Requests on their way or waiting; more are refused at once.
    package var queuedRequests = 1024
    /// The header of a response with all interim responses and trailers, in bytes.
    package var fieldBytes = 64 * 1024
    /// Fields of one response.
    package var fields = 200
    /// A body that is collected, in bytes, after decompression.
    package var collectedBodyBytes = 8 * 1024 * 1024
    /// How much of a streamed body may be buffered for its reader, in bytes.
    package var streamedBytes = 256 * 1024
    /// Memory in which one request is sent, and as much in which its response arrives, in bytes.
    package var transferBytes = 128 * 1024
    /// Redirections of one request that follows them.
    package var redirections = 5

    package init() {}
}

/// Which servers a client trusts on TLS. Certificates and names of hosts are always verified, and TLS is 1.2 or newer.
package struct TrustSettings: Hashable, Sendable {
    /// The trusted certificate authorities.
    package enum Authorities: Hashable, Sendable {
        /// The authorities of the operating system.
        case system
        /// Only those in a file of PEM.
        case file(String)
        /// Only these, in PEM.
        case pem([UInt8])
    }

    package var authorities = Authorities.system
    /// SHA-256 digests of the public keys (DER, SubjectPublicKeyInfo) one of which the server must have; empty for any.
    package var pinnedKeys: [[UInt8]] = []

    package init(_ authorities: Authorities = .system, pinnedKeys: [[UInt8]] = []) {
        self.authorities = authorities
        self.pinnedKeys = pinnedKeys
    }
}

/// The proxy between a client and the network.
package enum ProxySettings: Hashable, Sendable {
    /// None; the environment is ignored.
    case direct
    /// From `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    case environment
    case proxy(Proxy)

    package struct Proxy: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            /// HTTP; TLS is tunnelled by CONNECT.
            case http
            /// SOCKS 5; the proxy resolves names.
            case socks5
        }

        package let kind: Kind
        package let host: String
        package let port: Int
        package let user: String?
        package let password: String?

        package init(_ kind: Kind, host: String, port: Int, user: String? = nil, password: String? = nil) {
            self.kind = kind
            self.host = host
            self.port = port
            self.user = user
            self.password = password
        }
    }
}
