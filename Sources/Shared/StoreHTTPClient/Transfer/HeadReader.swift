import StoreHTTP

/// Collects the head of a response from its lines, within limits.
struct HeadReader {
    /// The kind of a line.
    enum Step {
        case more
        /// The last line of the head of a final response.
        case complete(ResponseHead)
        case refused(HTTPClientError)
    }

    private let limits: ClientLimits
    private var bytes = 0
    private var status: HTTPStatus?
    private var fields = HTTPFields()
    private var isComplete = false

    init(limits: ClientLimits) {
        self.limits = limits
    }

    mutating func read(_ line: UnsafeRawBufferPointer) -> Step {
        bytes += line.count
        guard bytes <= limits.fieldBytes else { return .refused(tooLarge) }
        let text = Self.withoutEnd(line)
        if text.isEmpty { return end() }
        if text.starts(with: Array("HTTP/".utf8)), status == nil || isComplete { return begin(text) }
        // Trailers are counted and otherwise ignored.
        if isComplete { return .more }
        return field(text)
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer.SubSequence) -> Step {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count >= 2, words[1].count == 3, let code = Int(String(decoding: words[1], as: UTF8.self)),
            (100...999).contains(code)
        else { return .refused(Self.malformed("a status that is no number of three digits")) }
        status = HTTPStatus(rawValue: code)
        fields = HTTPFields()
        isComplete = false
        return .more
    }

    private mutating func field(_ line: UnsafeRawBufferPointer.SubSequence) -> Step {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return .refused(Self.malformed("a line in the header that is no field")) }
        guard fields.all.count < limits.fields else { return .refused(tooLarge) }
        let value = line[(colon + 1)...].drop(while: Self.isSpace)
        fields.add(
            String(decoding: line[..<colon], as: UTF8.self), String(decoding: Self.trimmed(value), as: UTF8.self))
        return .more
    }

    private mutating func end() -> Step {
        guard let status, !isComplete else { return .more }
        if status.rawValue < 200 {
            self.status = nil
            return .more
        }
        isComplete = true
        guard Set(fields.values("Content-Length")).count <= 1 else {
            return .refused(Self.malformed("two lengths"))
        }
        return .complete(ResponseHead(status: status, fields: fields))
    }

    private static func withoutEnd(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer.SubSequence {
        var text = line[...]
        if text.last == UInt8(ascii: "\n") { text = text.dropLast() }
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        return text
    }

    private static func trimmed(
        _ text: UnsafeRawBufferPointer.SubSequence
    ) -> UnsafeRawBufferPointer.SubSequence {
        var text = text
        while let last = text.last, isSpace(last) { text = text.dropLast() }
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private var tooLarge: HTTPClientError {
        let message = "The header of the response exceeds \(limits.fieldBytes) bytes or \(limits.fields) fields."
        return HTTPClientError(.responseTooLarge, message, outcome: .unknown)
    }

    private static func malformed(_ what: String) -> HTTPClientError {
        HTTPClientError(.responseMalformed, "The response has \(what).", outcome: .unknown)
    }
}

/// The fields of a request in libcurl's form.
struct HeaderLines {
    let lines: [String]

    init(_ request: ClientRequest) {
        // Without this, libcurl would wait for `100 Continue` before sending a large body.
        lines =
            ["Expect:"]
            + request.fields.all.map { field in
                // A name with only a colon would remove the field.
                field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            }
    }

    /// Names of fields about the connection, which the client sets.
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
