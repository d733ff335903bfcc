/// What stands between a client and the network.
package enum ProxySettings: Hashable, Sendable {
    /// Nothing, whatever the environment says.
    case direct
    /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
    case environment
    case proxy(Proxy)

    package struct Proxy: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            /// Plain requests are handed over, TLS is tunnelled by CONNECT.
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
