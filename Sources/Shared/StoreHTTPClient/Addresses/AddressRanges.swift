/// Which parts of the internet are not for everybody. The first range that an address lies in counts.
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
        // Once the way from IPv4 to IPv6.
        Range("192.88.99.0", 24, .reserved),
        Range("192.168.0.0", 16, .private),
        Range("198.18.0.0", 15, .documentation),
        Range("198.51.100.0", 24, .documentation),
        Range("203.0.113.0", 24, .documentation),
        Range("224.0.0.0", 4, .multicast),
        Range("240.0.0.0", 4, .reserved),
    ]

    /// What is not in here is not in use.
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
        // 6to4 carries any IPv4 address, and nobody needs it any more.
        Range("2002::", 16, .reserved),
        Range("2000::", 3, .public),
    ]

    /// Where the last four bytes are an IPv4 address: as sockets of IPv6 see it, and behind a translator (RFC 6052).
    static let embeddings: [(prefix: [UInt8], length: Int)] = [
        (Array(repeating: 0, count: 10) + [0xFF, 0xFF], 96),
        ([0x00, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8), 96),
    ]
}
