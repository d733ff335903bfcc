import Glibc

/// The other end of a connection.
package struct PeerAddress: Hashable, Sendable {
    /// The numeric address, or the word `local` for a socket in the file system or in memory.
    package let host: String
    package let port: Int?

    package init(host: String, port: Int?) {
        self.host = host
        self.port = port
    }

    /// A peer on this machine, not over a network.
    package static let local = PeerAddress(host: "local", port: nil)

    /// The network that counts as one client in limits.
    ///
    /// That is an IPv4 address, also where it is written as one of IPv6; the first half of any other IPv6 address,
    /// because one client has a whole /64; and the host if it is not an address.
    package var network: String {
        guard host.utf8.contains(UInt8(ascii: ":")) else { return host }
        // A zone names one of our interfaces: equal addresses in two zones are different networks.
        let parts = host.split(separator: "%", maxSplits: 1)
        guard let text = parts.first, let bytes = Self.bytes(ofIPv6: String(text)) else { return host }
        if bytes.starts(with: Self.mappedPrefix) || bytes.starts(with: Self.translatedPrefix) {
            return bytes[12...].map(String.init).joined(separator: ".")
        }
        let groups = stride(from: 0, to: 8, by: 2).map { index in
            String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
        }
        let zone = parts.count == 2 ? "%\(parts[1])" : ""
        return groups.joined(separator: ":") + "::/64\(zone)"
    }

    /// Whether the client is on this machine, over any kind of connection.
    package var isOfThisMachine: Bool {
        let network = network
        return self == .local || network.hasPrefix("127.") || host == "::1"
    }

    /// Whether a text is an address of IPv4 or IPv6.
    package static func isNumeric(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1 || bytes(ofIPv6: text) != nil
    }

    /// `::ffff:0:0/96`: IPv4 as seen by a dual-stack socket (RFC 4291 §2.5.5.2).
    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    /// `64:ff9b::/96`: IPv4 behind a translator (RFC 6052 §2.1), which would otherwise be one network.
    private static let translatedPrefix: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

    private static func bytes(ofIPv6 text: String) -> [UInt8]? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { Array($0) }
    }
}
