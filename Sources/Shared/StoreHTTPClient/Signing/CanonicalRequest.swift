import StoreHTTP

/// A request in the one form in which its signer and its reader both write it.
struct CanonicalRequest {
    let text: String
    /// The names of the fields that are signed.
    let signedFields: String

    /// Fields that change on the way, or that the signature itself is.
    private static let unsigned: Set<String> = ["authorization", "expect", "user-agent", "x-amzn-trace-id"]

    init(_ request: ClientRequest, payload: String) throws(HTTPClientError) {
        let url = try ClientURL(request.url)
        let afterScheme = request.url.drop { $0 != ":" }.dropFirst(3)
        let target = afterScheme.drop { $0 != "/" && $0 != "?" }.prefix { $0 != "#" }
        let path = target.prefix { $0 != "?" }
        let query = target.dropFirst(path.count + 1)
        guard Self.isCanonical(path, separators: "/"), Self.isCanonical(query, separators: "&=") else {
            let message =
                "The URL cannot be signed: encode everything in its path and query but letters, digits and -._~"
            throw HTTPClientError(.requestMalformed, message, outcome: .notSent)
        }
        let isUsualPort = url.port == (url.isSecure ? 443 : 80)
        let host = request.fields["Host"] ?? (isUsualPort ? url.host : "\(url.host):\(url.port)")
        var fields: [String: [String]] = ["host": [host]]
        for field in request.fields.all where field.name.lowercased() != "host" {
            fields[field.name.lowercased(), default: []].append(field.value)
        }
        let signed = fields.filter { !Self.unsigned.contains($0.key) }.sorted { $0.key < $1.key }
        let lines = signed.map { name, values in "\(name):\(values.map(Self.collapsed).joined(separator: ","))" }
        signedFields = signed.map(\.key).joined(separator: ";")
        text =
            ([request.method.rawValue, path.isEmpty ? "/" : String(path), Self.sorted(query)] + lines
            + ["", signedFields, payload]).joined(separator: "\n")
    }

    /// By name, then by value, as bytes; a name without a value has an empty one.
    private static func sorted(_ query: Substring) -> String {
        query.split(separator: "&").map { item in
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides[0]), sides.count == 2 ? String(sides[1]) : "")
        }.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// Whether everything that must be encoded is, and nothing else, in capitals.
    private static func isCanonical(_ text: Substring, separators: String) -> Bool {
        text.split(omittingEmptySubsequences: false) { separators.contains($0) }.allSatisfy { part in
            guard let decoded = PercentEncoding.decode(part, plusIsSpace: false) else { return false }
            return PercentEncoding.encode(decoded) == part
        }
    }

    /// Without space around it, and with no more than one inside.
    private static func collapsed(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}
