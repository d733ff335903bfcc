import Foundation

/// An address of the internet, of either version.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four bytes or sixteen.
    package let bytes: [UInt8]

    /// Reads `192.0.2.1` or `2001:db8::1`; nil for anything else.
    package init?(_ text: String) {
        // The text after a percent sign names an interface of this machine.
        let text = String(text.prefix { $0 != "%" })
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// The address in a socket address; nil if it is neither IPv4 nor IPv6.
    init?(_ address: UnsafePointer<sockaddr>, family: Int32, length: Int) {
        switch family {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            bytes = UnsafeRawPointer(address).withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            bytes = UnsafeRawPointer(address).withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The kind of the address. An IPv4 address embedded in IPv6 counts as that IPv4 address.
    package var kind: AddressKind {
        if bytes.count == 4 { return Self.kind(of: bytes, in: AddressRanges.version4) ?? .public }
        for (prefix, length) in AddressRanges.embeddings where Self.matches(bytes, prefix, length) {
            return Self.kind(of: Array(bytes[12...]), in: AddressRanges.version4) ?? .public
        }
        return Self.kind(of: bytes, in: AddressRanges.version6) ?? .reserved
    }

    private static func kind(of bytes: [UInt8], in ranges: [AddressRanges.Range]) -> AddressKind? {
        ranges.first { matches(bytes, $0.prefix, $0.length) }?.kind
    }

    private static func matches(_ bytes: [UInt8], _ prefix: [UInt8], _ length: Int) -> Bool {
        let whole = length / 8
        guard bytes.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
        guard length % 8 > 0 else { return true }
        let mask = UInt8.max << UInt8(8 - length % 8)
        return bytes[whole] & mask == prefix[whole] & mask
    }
}

/// What an address of the network is for (the special-purpose registries of IANA, RFC 6890 and after).
package enum AddressKind: String, Hashable, Sendable, CaseIterable {
    /// Anywhere on the internet.
    case `public`
    /// This machine.
    case loopback
    /// A private network: 10/8, 172.16/12, 192.168/16, fc00::/7.
    case `private`
    /// Between a customer and a carrier: 100.64/10.
    case shared
    /// A link: 169.254/16, where clouds serve credentials, and fe80::/10.
    case linkLocal
    case multicast
    /// No address: 0.0.0.0 and ::, which nevertheless reach this machine.
    case unspecified
    /// Examples and benchmarks.
    case documentation
    /// For protocols, for former translations, or reserved.
    case reserved

    /// Such an address in words, with its article.
    package var words: String {
        switch self {
        case .linkLocal: "a link-local address"
        case .unspecified: "an unspecified address"
        default: "a \(rawValue) address"
        }
    }
}

/// The ranges that are not globally reachable. The first range that contains an address counts.
enum AddressRanges {
    struct Range: Sendable {
        let prefix: [UInt8]
        let length: Int
        let kind: AddressKind

        init(_ text: String, _ length: Int, _ kind: AddressKind) {
            // Safe: the texts are constants of this file, and a test compares every row with another reading of it.
            prefix = NetworkAddress(text)!.bytes
            self.length = length
            self.kind = kind
        }
    }

    static let version4: [Range] = [
        Range("0.0.0.0", 8, .unspecified),
        Range("10.0.0.0", 8, .private),
        Range("100.64.0.0", 10, .shared),
        Range("127.0.0.0", 8, .loopback),
        Range("169.254.0.0", 16, .linkLocal),
        Range("172.16.0.0", 12, .private),
        Range("192.0.0.0", 24, .reserved),
        Range("192.0.2.0", 24, .documentation),
        // Formerly 6to4 relays.
        Range("192.88.99.0", 24, .reserved),
        Range("192.168.0.0", 16, .private),
        Range("198.18.0.0", 15, .documentation),
        Range("198.51.100.0", 24, .documentation),
        Range("203.0.113.0", 24, .documentation),
        Range("224.0.0.0", 4, .multicast),
        Range("240.0.0.0", 4, .reserved),
    ]

    /// Everything outside this range is unassigned.
    static let version6: [Range] = [
        Range("::", 128, .unspecified),
        Range("::1", 128, .loopback),
        Range("fe80::", 10, .linkLocal),
        Range("fec0::", 10, .private),
        Range("fc00::", 7, .private),
        Range("ff00::", 8, .multicast),
        Range("2001:db8::", 32, .documentation),
        Range("3fff::", 20, .documentation),
        // Teredo, benchmarks, identifiers that are no addresses.
        Range("2001::", 23, .reserved),
        // 6to4 embeds any IPv4 address, and is obsolete.
        Range("2002::", 16, .reserved),
        Range("2000::", 3, .public),
    ]

    /// Where the last four bytes are an IPv4 address: as seen by IPv6 sockets, and behind a translator (RFC 6052).
    static let embeddings: [(prefix: [UInt8], length: Int)] = [
        (Array(repeating: 0, count: 10) + [0xFF, 0xFF], 96),
        ([0x00, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8), 96),
    ]
}

/// Which addresses a client may connect to.
///
/// It is checked for every socket, after names were resolved, for each redirection. Behind a proxy it sees only the
/// proxy's address, which the operator chose and which is allowed; addresses in URLs are still checked, but the proxy
/// has to check what names resolve to.
package struct AddressGuard: Hashable, Sendable {
    /// The kinds that may be reached.
    package let allowed: Set<AddressKind>

    package init(allowing allowed: Set<AddressKind>) {
        self.allowed = allowed
    }

    /// Only globally reachable addresses: for URLs that others chose.
    package static let publicOnly = AddressGuard(allowing: [.public])
    /// Everything: for URLs that the operator chose.
    package static let everywhere = AddressGuard(allowing: Set(AddressKind.allCases))

    package func allows(_ address: NetworkAddress) -> Bool { allowed.contains(address.kind) }
}
