package import StoreHTTP

/// Signs requests with AWS Signature Version 4, as S3 and what is compatible with it expect them.
///
/// libcurl 7.88 can do it too, but takes the path and the order of the query as they come, and reads the clock itself.
/// SHA-256 is handed in, because cryptography is not this module's business.
package struct RequestSigner: Sendable {
    /// What is signed of the body.
    package enum Payload: Hashable, Sendable {
        /// Its SHA-256 digest.
        case digest([UInt8])
        /// Nothing: for bodies whose digest is not known beforehand, over TLS.
        case unsigned
    }

    static let algorithm = "AWS4-HMAC-SHA256"

    private let credentials: SigningCredentials
    private let sha256: @Sendable ([UInt8]) -> [UInt8]

    package init(_ credentials: SigningCredentials, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.credentials = credentials
        self.sha256 = sha256
    }

    /// The request with its signature, which covers method, address, all of its fields, and its body as far as told.
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

    /// The address of a request that whoever has it may send once or often, for so many seconds, without fields of its own.
    package func presigned(
        _ request: ClientRequest, forSeconds seconds: Int, at date: HTTPDate
    ) throws(HTTPClientError) -> String {
        var parameters = [
            ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope(at: date))"),
            ("X-Amz-Date", date.basicText), ("X-Amz-Expires", "\(seconds)"), ("X-Amz-SignedHeaders", "host"),
        ]
        if let token = credentials.sessionToken { parameters.append(("X-Amz-Security-Token", token)) }
        let query = parameters.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
        let url = request.url + (request.url.contains("?") ? "&" : "?") + query
        let signed = ClientRequest(request.method, url)
        let canonical = try CanonicalRequest(signed, payload: Self.text(.unsigned))
        return url + "&X-Amz-Signature=\(signature(of: canonical, at: date))"
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
