/// Refuses requests for a host that is not this server's.
///
/// A page elsewhere can have its own name resolve to the address of this server, and the browser then takes both for one
/// origin. It still sends the page's name as `Host`, so only names that the operator has given are answered. A numeric address
/// cannot be made to lead elsewhere.
package struct HostCheck: Middleware {
    private let names: Set<String>

    /// - Parameter names: without ports, besides `localhost`.
    package init(names: some Sequence<String>) {
        self.names = Set(names.map { $0.lowercased() })
    }

    package func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        // Without one it is a client of HTTP/1.0, and no browser.
        guard let authority = request.target.authority ?? request.fields["Host"] else { return nil }
        guard accepts(authority) else {
            throw APIError(
                .misdirected, code: "host_unknown",
                "This store is not known by this name; its operator can give it with --hosts.", parameter: "Host")
        }
        return nil
    }

    func accepts(_ authority: String) -> Bool {
        let host: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return false }
            // Only an address stands in brackets.
            return authority[end...].dropFirst().first.map { $0 == ":" } ?? true
        } else {
            host = authority.prefix { $0 != ":" }
        }
        let name = (host.hasSuffix(".") ? host.dropLast() : host).lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || Self.isNumeric(name) || names.contains(name)
    }

    /// Four numbers of at most three digits. No name of the public tree ends in a number.
    private static func isNumeric(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } }
    }
}
