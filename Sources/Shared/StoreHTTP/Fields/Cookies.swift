/// The cookies of a request, read as leniently as servers must (RFC 6265 §5.4): what is no pair is left out.
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

    /// The value of a cookie; the first, if there are several, which is that of the most exact path.
    package subscript(name: String) -> String? { pairs.first { $0.name == name }.map { String($0.value) } }

    package var names: [String] { pairs.map { String($0.name) } }
}

extension HTTPRequest {
    package var cookies: Cookies { Cookies(fields.values("Cookie")) }
}
