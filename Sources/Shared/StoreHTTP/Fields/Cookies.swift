/// The cookies of a request, read as leniently as servers must (RFC 6265 §5.4): malformed pairs are skipped.
package struct Cookies: Sendable {
    private let pairs: [(name: Substring, value: Substring)]

    init(_ values: [String]) {
        let pieces = values.lazy.flatMap { $0.split(separator: ";") }.prefix(HTTPLimits.cookies)
        pairs = pieces.compactMap { piece in
            let sides = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { return nil }
            let (name, value) = (sides[0].trimmingHTTPSpace, sides[1].trimmingHTTPSpace)
            guard !name.isEmpty else { return nil }
            let isQuoted = value.utf8.count >= 2 && value.first == "\"" && value.last == "\""
            return (name, isQuoted ? value.dropFirst().dropLast() : value)
        }
    }

    /// The value of a cookie; of several the first, which has the most specific path.
    package subscript(name: String) -> String? { pairs.first { $0.name == name }.map { String($0.value) } }

    package var names: [String] { pairs.map { String($0.name) } }
}

extension HTTPRequest {
    package var cookies: Cookies { Cookies(fields.values("Cookie")) }
}

/// A cookie that a response gives to the browser.
package struct SetCookie: Hashable, Sendable {
    /// On which requests from other sites the browser sends it.
    package enum SameSite: String, Sendable {
        case strict = "Strict"
        case lax = "Lax"
        case none = "None"
    }

    package let name: String
    package let value: String
    package let path: String?
    package let domain: String?
    /// Seconds; nil until the browser is closed, 0 to delete it.
    package let maxAge: Int?
    package let isSecure: Bool
    package let isHTTPOnly: Bool
    package let sameSite: SameSite

    /// A cookie; nil if a browser would refuse it: for characters that need an encoding, or for a name prefix whose
    /// conditions are not met.
    package init?(
        _ name: String, _ value: String, path: String? = "/", domain: String? = nil, maxAge: Int? = nil,
        isSecure: Bool = true, isHTTPOnly: Bool = true, sameSite: SameSite = .lax
    ) {
        let attributes = [path, domain].compactMap(\.self)
        guard HTTPToken.isToken(name), value.utf8.allSatisfy(Self.isValueByte),
            attributes.allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") } }),
            name.utf8.count + value.utf8.count <= HTTPLimits.cookieBytes, isSecure || sameSite != .none
        else { return nil }
        let prefix = name.lowercased()
        if prefix.hasPrefix("__secure-"), !isSecure { return nil }
        if prefix.hasPrefix("__host-"), !isSecure || path != "/" || domain != nil { return nil }
        self.name = name
        self.value = value
        self.path = path
        self.domain = domain
        self.maxAge = maxAge.map { max(0, $0) }
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }

    /// The value of the field `Set-Cookie`.
    package var text: String {
        var parts = ["\(name)=\(value)"]
        if let path { parts.append("Path=\(path)") }
        if let domain { parts.append("Domain=\(domain)") }
        if let maxAge { parts.append("Max-Age=\(maxAge)") }
        if isSecure { parts.append("Secure") }
        if isHTTPOnly { parts.append("HttpOnly") }
        parts.append("SameSite=\(sameSite.rawValue)")
        return parts.joined(separator: "; ")
    }

    private static func isValueByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\",;\\".utf8.contains(byte)
    }
}

extension HTTPResponse {
    package mutating func set(_ cookie: SetCookie) { fields.add("Set-Cookie", cookie.text) }
}
