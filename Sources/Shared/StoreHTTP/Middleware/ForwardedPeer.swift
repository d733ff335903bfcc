/// Takes the address of the client from a proxy that is believed, for limits and the log.
///
/// A proxy adds the address that it has seen to `X-Forwarded-For`; whatever stands before that its client may have written.
/// So the addresses are read from the end, as long as they belong to proxies that are believed.
package struct ForwardedPeer: Middleware {
    private let proxies: Set<String>

    /// - Parameter proxies: numeric addresses.
    package init(proxies: some Sequence<String>) {
        self.proxies = Set(proxies)
    }

    package func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        guard isProxy(request.peer.host) else { return nil }
        let hops = request.fields.values("X-Forwarded-For").flatMap { $0.split(separator: ",") }
        for hop in hops.reversed() {
            let host = hop.drop { $0 == " " }.prefix { $0 != " " }
            guard PeerAddress.isNumeric(String(host)) else { break }
            request.peer = PeerAddress(host: String(host), port: nil)
            guard isProxy(request.peer.host) else { break }
        }
        return nil
    }

    /// Whether a host is believed, also where a socket for both families writes its IPv4 address as one of IPv6.
    private func isProxy(_ host: String) -> Bool {
        proxies.contains(host) || proxies.contains(PeerAddress(host: host, port: nil).network)
    }
}
