/// Parses a `multipart/form-data` body as it arrives (RFC 7578).
///
/// It buffers at most one line. The events do not depend on how the bytes are divided into pieces.
package struct MultipartParser: Sendable {
    /// An event of the parser.
    package enum Event: Hashable, Sendable {
        case part(MultipartHead)
        /// More of the body of the part.
        case data([UInt8])
        case partEnded
    }

    private enum State {
        case preamble, delimiterEnd, head, body, epilogue
    }

    private let delimiter: [UInt8]
    private let limits: MultipartLimits
    private var state = State.preamble
    /// Unparsed bytes. They begin with a line end, so the first delimiter looks like the others.
    private var rest: [UInt8] = [0x0D, 0x0A]
    private var parts = 0
    private var partBytes = 0

    /// A parser for a body with a boundary, which is the parameter of its media type.
    package init(boundary: String, limits: MultipartLimits = MultipartLimits()) throws(APIError) {
        guard (1...MultipartLimits.boundaryBytes).contains(boundary.utf8.count), boundary.last != " ",
            boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw .multipart("The boundary must have 1 to \(MultipartLimits.boundaryBytes) visible characters.") }
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.limits = limits
    }

    /// Parses more of the body.
    package mutating func read(_ bytes: [UInt8]) throws(APIError) -> [Event] {
        if state == .epilogue { return [] }
        rest += bytes
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Ends the body.
    package func finish() throws(APIError) {
        guard state == .epilogue else { throw .multipart("The body ends before its last boundary.") }
    }

    /// Performs one step; false if more bytes are needed.
    private mutating func step(_ events: inout [Event]) throws(APIError) -> Bool {
        switch state {
        case .preamble: return try skipPreamble()
        case .delimiterEnd: return try readDelimiterEnd()
        case .head: return try readHead(&events)
        case .body: return try readBody(&events)
        case .epilogue:
            rest = []
            return false
        }
    }

    private mutating func skipPreamble() throws(APIError) -> Bool {
        let found = rest.firstRange(of: delimiter)
        // The same limit for a complete preamble and for an incomplete one.
        guard (found?.lowerBound ?? rest.count - delimiter.count + 1) <= limits.headBytes else {
            throw .multipart("The body does not begin with its boundary.")
        }
        guard let found else { return false }
        rest.removeFirst(found.upperBound)
        state = .delimiterEnd
        return true
    }

    private mutating func readDelimiterEnd() throws(APIError) -> Bool {
        let space = rest.prefix { $0 == 0x20 || $0 == 0x09 }.count
        guard space <= MultipartLimits.boundaryBytes else { throw .multipart("A boundary does not end.") }
        guard rest.count >= space + 2 else { return false }
        let mark = Array(rest[space..<space + 2])
        if mark == [0x0D, 0x0A] {
            rest.removeFirst(space + 2)
            parts += 1
            guard parts <= limits.parts else { throw .multipartTooLarge("There are more than \(limits.parts) parts.") }
            state = .head
        } else if mark == [0x2D, 0x2D], space == 0 {
            state = .epilogue
        } else {
            throw .multipart("A boundary is followed by something else than a line's end.")
        }
        return true
    }

    private mutating func readHead(_ events: inout [Event]) throws(APIError) -> Bool {
        guard let end = rest.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A]), end.lowerBound <= limits.headBytes else {
            guard rest.count <= limits.headBytes + 4 else {
                throw .multipartTooLarge("The header of a part exceeds \(limits.headBytes) bytes.")
            }
            return false
        }
        events.append(.part(try MultipartHead(Array(rest[..<end.lowerBound]))))
        // The line's end before the body may be that of a delimiter, for a part without a body.
        rest.removeFirst(end.upperBound - 2)
        partBytes = -2
        state = .body
        return true
    }

    private mutating func readBody(_ events: inout [Event]) throws(APIError) -> Bool {
        let found = rest.firstRange(of: delimiter)
        // The possible beginning of a delimiter is kept.
        let count = found?.lowerBound ?? max(0, rest.count - delimiter.count + 1)
        let skipped = min(count, max(0, -partBytes))
        partBytes += count
        guard partBytes <= limits.partBytes else {
            throw .multipartTooLarge("A part exceeds \(limits.partBytes) bytes.")
        }
        if count > skipped { events.append(.data(Array(rest[skipped..<count]))) }
        rest.removeFirst(found?.upperBound ?? count)
        guard found != nil else { return false }
        events.append(.partEnded)
        state = .delimiterEnd
        return true
    }
}

extension APIError {
    static func multipart(_ message: String) -> APIError {
        APIError(.badRequest, code: "multipart_malformed", message, parameter: "body")
    }

    static func multipartTooLarge(_ message: String) -> APIError {
        APIError(.contentTooLarge, code: "multipart_too_large", message, parameter: "body")
    }
}

/// The fields of one part of a form.
package struct MultipartHead: Hashable, Sendable {
    /// The name of the field of the form.
    package let name: String
    /// The name of the file at the client. It is untrusted, and never a path.
    package let fileName: String?
    package let mediaType: MediaType?

    init(_ bytes: [UInt8]) throws(APIError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .multipart("The header of a part is not UTF-8.")
        }
        var fields = HTTPFields()
        // By scalars: CR LF is one Character, in which a single CR or LF must not hide.
        for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: true) {
            var line = Substring(line)
            if line.unicodeScalars.last == "\r" { line.unicodeScalars.removeLast() }
            if line.isEmpty { continue }
            guard fields.all.count < HTTPLimits.fieldParameters, let colon = line.firstIndex(of: ":"),
                HTTPToken.isToken(line[..<colon]), !line.utf8.contains(0), !line.utf8.contains(0x0D)
            else { throw .multipart("A line in the header of a part is no field.") }
            fields.add(String(line[..<colon]), String(line[line.index(after: colon)...].trimmingHTTPSpace))
        }
        var scanner = FieldScanner(fields["Content-Disposition"] ?? "")
        guard scanner.token()?.lowercased() == "form-data", let parameters = scanner.parameters(), scanner.isAtEnd,
            let name = parameters.first(where: { $0.name == "name" })?.value
        else { throw .multipart("A part does not say which field of the form it is.") }
        self.name = Self.decoded(name)
        fileName = parameters.first { $0.name == "filename" }.map { Self.decoded($0.value) }
        mediaType = fields.mediaType
    }

    /// Decodes the three escapes that browsers write into names.
    private static func decoded(_ text: String) -> String {
        guard text.contains("%") else { return text }
        return text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}
