import Glibc

extension PeerAddress {
    /// What counts as one client where clients are counted.
    ///
    /// That is an IPv4 address, also where it is written as one of IPv6; the first half of any other IPv6 address, because
    /// whoever has one has the whole network of 2⁶⁴ behind it; and the host where it is no address.
    package var network: String {
        guard host.utf8.contains(UInt8(ascii: ":")) else { return host }
        // A zone names one of our own interfaces: two networks of one address behind two of them are two.
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

    /// `::ffff:0:0/96`: what a socket for both kinds shows of IPv4 (RFC 4291 §2.5.5.2).
    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    /// `64:ff9b::/96`: what a translator shows of IPv4 (RFC 6052 §2.1); all of it would be one network.
    private static let translatedPrefix: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

    private static func bytes(ofIPv6 text: String) -> [UInt8]? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { Array($0) }
    }
}
