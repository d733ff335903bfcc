import CommandOptions
import Foundation

/// The address under which the world reaches a listener.
struct PublicURL: Hashable, Sendable, CustomStringConvertible {
    /// Without a slash at the end.
    let description: String

    /// `http` or `https` with a host and nothing after the port, as every path is the store's own.
    init?(_ text: String) {
        let text = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = URLComponents(string: text),
            ["http", "https"].contains(parts.scheme), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.password == nil, parts.path.isEmpty, parts.query == nil, parts.fragment == nil,
            parts.port.map({ (1...65535).contains($0) }) ?? true
        else { return nil }
        description = text
    }

    static let format = ValueFormat<PublicURL>(
        "URL", rule: "an address with http:// or https://, perhaps a port, and no path", describe: { $0.description },
        parse: { PublicURL($0) })
}
