/// The parsed path and query of a request.
package struct RequestTarget: Hashable, Sendable {
    /// As it was sent.
    package let raw: String
    /// Host and port of the absolute form, which replace those of the `Host` field.
    package let authority: String?
    /// The segments of the path, decoded. `/a%2Fb/c` has the segments `a/b` and `c`; `/` has none.
    package let segments: [String]
    /// Whether the path ends with a slash that a route without one does not answer.
    package let endsWithSlash: Bool
    package let query: QueryItems

    /// The target of a request whose target cannot be read.
    static let unreadable = RequestTarget(unnamed: "")
    /// `*`: the service as a whole, for `OPTIONS` only (RFC 9110 §9.3.7).
    static let asterisk = RequestTarget(unnamed: "*")

    private init(unnamed raw: String) {
        self.raw = raw
        authority = nil
        segments = []
        endsWithSlash = false
        query = QueryItems()
    }

    /// Reads the origin form, `/path?query`, and the absolute form, `http://host/path?query`. Dot segments, empty
    /// segments, NUL, bad escapes and bytes that need an escape are refused: no two spellings of a path may mean the
    /// same.
    package init(_ raw: String) throws(TargetRefusal) {
        guard raw.utf8.count <= HTTPLimits.targetBytes else { throw .tooLong }
        if let segments = Self.plainSegments(of: raw) {
            self.raw = raw
            self.segments = segments
            authority = nil
            endsWithSlash = false
            query = QueryItems()
            return
        }
        guard raw.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else { throw .malformed }
        let (authority, origin) = try Self.originForm(of: raw)
        self.authority = authority
        let parts = origin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var segments: [String] = []
        let path = parts[0].dropFirst()
        var pieces = path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.count <= HTTPLimits.pathSegments else { throw .tooLong }
        endsWithSlash = pieces.count > 0 && pieces.last == ""
        if endsWithSlash { pieces.removeLast() }
        for piece in pieces {
            guard let segment = PercentEncoding.decode(piece, plusIsSpace: false), !segment.isEmpty, segment != ".",
                segment != "..", !segment.utf8.contains(0)
            else { throw .malformed }
            segments.append(segment)
        }
        let text = parts.count == 2 ? parts[1] : ""
        guard QueryItems.count(in: text) <= HTTPLimits.queryItems else { throw .tooLong }
        guard let query = QueryItems(parsing: text) else { throw .malformed }
        self.raw = raw
        self.segments = segments
        self.query = query
    }

    /// The segments of a simple path: without escapes, empty segments, dot segments or query. nil for all others, and
    /// for those that are refused.
    private static func plainSegments(of raw: String) -> [String]? {
        var segments: [String] = []
        let isPlain = raw.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.first == UInt8(ascii: "/") else { return false }
            var start = 1
            for index in 1..<bytes.count + 1 where index == bytes.count || bytes[index] == UInt8(ascii: "/") {
                // Segments that begin with a dot are not simple; only dot segments are refused.
                guard index > start, bytes[start] != UInt8(ascii: "."), segments.count < HTTPLimits.pathSegments,
                    bytes[start..<index].allSatisfy({ isPlainByte($0) })
                else { return bytes.count == 1 }
                segments.append(String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self))
                start = index + 1
            }
            return true
        }
        return isPlain == true ? segments : nil
    }

    private static func isPlainByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    private static func originForm(of raw: String) throws(TargetRefusal) -> (authority: String?, origin: Substring) {
        if raw.utf8.first == UInt8(ascii: "/") { return (nil, raw[...]) }
        let scheme = raw.prefix { $0 != ":" }
        guard ["http", "https"].contains(scheme.lowercased()) else { throw .malformed }
        var rest = raw.dropFirst(scheme.count)
        guard rest.hasPrefix("://") else { throw .malformed }
        rest = rest.dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@") else { throw .malformed }
        let origin = rest.dropFirst(authority.count)
        return (String(authority), origin.first == "/" ? origin : "/" + origin)
    }
}

/// Why a target cannot be read.
package enum TargetRefusal: Error {
    case malformed, tooLong
}
