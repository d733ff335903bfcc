package import StoreHTTP

/// Signs requests with AWS Signature Version 4, for S3 and compatible services.
///
/// libcurl 7.88 can do it too, but takes the path and the order of the query as they come, and reads the clock itself.
/// SHA-256 is passed in, because this module has no cryptography.
package struct RequestSigner: Sendable {
    /// How the body is signed.
    package enum Payload: Hashable, Sendable {
        /// Its SHA-256 digest.
        case digest([UInt8])
        /// Not at all: for bodies whose digest is not known in advance, over TLS.
        case unsigned
    }

    static let algorithm = "AWS4-HMAC-SHA256"

    private let credentials: SigningCredentials
    private let sha256: @Sendable ([UInt8]) -> [UInt8]

    package init(_ credentials: SigningCredentials, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.credentials = credentials
        self.sha256 = sha256
    }

    /// The request with its signature, which covers method, address, all of its fields, and its body as requested.
    package func sign(
        _ request: ClientRequest, payload: Payload, at date: HTTPDate
    ) throws(HTTPClientError) -> ClientRequest {
        var request = request
        for field in ["Authorization", "X-Amz-Date", "X-Amz-Content-Sha256", "X-Amz-Security-Token"] {
            request.fields[field] = nil
        }
        request.fields.add("X-Amz-Date", date.basicText)
        request.fields.add("X-Amz-Content-Sha256", Self.text(payload))
        if let token = credentials.sessionToken { request.fields.add("X-Amz-Security-Token", token) }
        let canonical = try CanonicalRequest(request, payload: Self.text(payload))
        let signature = signature(of: canonical, at: date)
        request.fields.add(
            "Authorization",
            "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope(at: date)), "
                + "SignedHeaders=\(canonical.signedFields), Signature=\(signature)")
        return request
    }

    private func scope(at date: HTTPDate) -> String {
        "\(date.basicText.prefix(8))/\(credentials.region)/\(credentials.service)/aws4_request"
    }

    private func signature(of request: CanonicalRequest, at date: HTTPDate) -> String {
        let digest = Self.hexadecimal(sha256(Array(request.text.utf8)))
        let text = [Self.algorithm, date.basicText, scope(at: date), digest].joined(separator: "\n")
        var key = Array("AWS4\(credentials.secretKey)".utf8)
        for word in scope(at: date).split(separator: "/") { key = hmac(key, Array(word.utf8)) }
        return Self.hexadecimal(hmac(key, Array(text.utf8)))
    }

    /// RFC 2104 with SHA-256.
    private func hmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        let short = key.count > 64 ? sha256(key) : key
        let block = short + [UInt8](repeating: 0, count: 64 - short.count)
        return sha256(block.map { $0 ^ 0x5C } + sha256(block.map { $0 ^ 0x36 } + message))
    }

    private static func text(_ payload: Payload) -> String {
        switch payload {
        case .digest(let bytes): hexadecimal(bytes)
        case .unsigned: "UNSIGNED-PAYLOAD"
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
    }
}

/// The credentials for an object store.
package struct SigningCredentials: Sendable {
    package let accessKey: String
    package let secretKey: String
    /// The session token of temporary credentials.
    package let sessionToken: String?
    package let region: String
    package let service: String

    package init(
        accessKey: String, secretKey: String, sessionToken: String? = nil, region: String, service: String = "s3"
    ) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
    }
}

/// A request in the canonical form that signer and verifier share.
struct CanonicalRequest {
    let text: String
    /// The names of the fields that are signed.
    let signedFields: String

    /// Fields that change in transit, and the signature itself.
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

    /// Whether exactly what must be encoded is, in capitals.
    private static func isCanonical(_ text: Substring, separators: String) -> Bool {
        text.split(omittingEmptySubsequences: false) { separators.contains($0) }.allSatisfy { part in
            guard let decoded = PercentEncoding.decode(part, plusIsSpace: false) else { return false }
            return PercentEncoding.encode(decoded) == part
        }
    }

    /// Trimmed, with runs of spaces made one.
    private static func collapsed(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}
