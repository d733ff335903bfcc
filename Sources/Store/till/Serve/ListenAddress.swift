import CommandOptions
import Foundation
import StoreModel

/// The address for a listener.
struct ListenAddress: Hashable, Sendable {
    /// A numeric address.
    let host: String
    let port: Int

    /// `HOST:PORT`, an IPv6 address in brackets; `localhost` is 127.0.0.1.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            text[text.index(after: colon)...].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("[") && host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":"), NumericAddress.isIPv6(host) else { return nil }
        } else {
            if host == "localhost" { host = "127.0.0.1" }
            guard NumericAddress.isIPv4(host) else { return nil }
        }
        self.host = host
        self.port = Int(port)
    }

    private init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// An address that only this machine can reach.
    static func loopback(port: Int) -> ListenAddress { ListenAddress(host: "127.0.0.1", port: port) }

    /// The same address with a port so much higher.
    func moved(by distance: Int) -> ListenAddress { ListenAddress(host: host, port: port + distance) }

    /// Whether only this machine can reach it.
    var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    static let format = ValueFormat<ListenAddress>(
        "HOST:PORT", rule: "a numeric address and a port, as 127.0.0.1:8080 or [::]:443; port 0 picks a free one",
        describe: { "\($0)" }, parse: { ListenAddress($0) })
}

extension ListenAddress: CustomStringConvertible {
    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Distinguishes numeric addresses from names, which a listener does not look up.
enum NumericAddress {
    static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}

/// The public URL of a listener.
struct PublicURL: Hashable, Sendable, CustomStringConvertible {
    let address: StoreAddress

    /// Without a slash at the end.
    var description: String { address.description }

    /// Whether only this machine reaches what it names.
    var isOfThisMachine: Bool {
        ["localhost", "[::1]", "::1"].contains(address.host) || address.host.hasPrefix("127.")
    }

    /// `http` or `https` with a host and nothing after the port, as every path is the store's own.
    init?(_ text: String) {
        guard let address = StoreAddress(text) else { return nil }
        self.address = address
    }

    static let format = ValueFormat<PublicURL>(
        "URL", rule: "an address with http:// or https://, perhaps a port, and no path", describe: { $0.description },
        parse: { PublicURL($0) })
}
