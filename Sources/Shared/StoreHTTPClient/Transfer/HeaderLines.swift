import StoreHTTP

/// The fields of a request as libcurl wants them.
struct HeaderLines {
    let lines: [String]

    init(_ request: ClientRequest) {
        // libcurl would wait for a word before sending a large body; it need not.
        lines =
            ["Expect:"]
            + request.fields.all.map { field in
                // A name with a colon and nothing else would take the field out.
                field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            }
    }

    /// Names of fields that say how the message travels, which is the client's business.
    private static let ours: Set<String> = [
        "connection", "content-length", "expect", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// Throws if a field or the method cannot stand in a request.
    static func check(_ request: ClientRequest) throws(HTTPClientError) {
        guard isToken(request.method.rawValue), request.method.rawValue != "CONNECT" else {
            throw error("The method of the request is not a word, or not for requests.")
        }
        for field in request.fields.all {
            guard isToken(field.name) else { throw error("The name of a field of the request is not a word.") }
            guard !ours.contains(field.name.lowercased()) else {
                throw error("The field \(field.name) is set by the client itself; leave it out.")
            }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw error("The field \(field.name) has control characters.")
            }
        }
        if request.method == .head || request.method == .get, request.body.length != 0 {
            throw error("A \(request.method.rawValue) request has no body.")
        }
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    private static func error(_ message: String) -> HTTPClientError {
        HTTPClientError(.requestMalformed, message, outcome: .notSent)
    }
}
