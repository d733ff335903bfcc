import Foundation

/// Where a store is reached: a scheme, a host, perhaps a port, and nothing more, as every path is the store's own.
public struct StoreAddress: StoreIdentifier {
    /// What it is called in errors.
    public static let subject = "store address"
    /// The most characters it can have.
    public static let longest = 300

    /// The address without a slash at its end.
    public let description: String
    /// Whether nobody on the way can read along: it is `https`, or never leaves the machine.
    public let isPrivate: Bool

    /// Reads `http://…` or `https://…`; a slash at the end is left out.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        let address = text.hasSuffix("/") ? String(text.dropLast()) : String(text)
        guard address.utf8.count <= Self.longest, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: address), let scheme = parts.scheme, ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.path.isEmpty,
            parts.query == nil, parts.fragment == nil, parts.port.map({ (1...65535).contains($0) }) ?? true
        else {
            throw InvalidValue(
                subject: Self.subject, value: text, rule: "is http:// or https://, a host, perhaps a port, and no path")
        }
        description = address
        isPrivate = scheme == "https" || Self.isLoopback(host)
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
