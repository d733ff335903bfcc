import Foundation

/// An address of the internet, of either version.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four bytes or sixteen.
    package let bytes: [UInt8]

    /// Reads `192.0.2.1` or `2001:db8::1`; nil for anything else.
    package init?(_ text: String) {
        // What stands behind a percent sign names an interface of this machine.
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

    /// The address in a socket address; nil if that is not one of the internet.
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

    /// What it is for. An IPv4 address in the clothes of IPv6 is judged as what it leads to.
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
