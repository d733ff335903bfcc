/// The parts of a body that a client requests.
enum ByteRanges: Equatable {
    /// No valid range: the response has the whole body.
    case whole
    case parts([Range<Int>])
    /// None of the parts exists.
    case unsatisfiable

    /// Reads `bytes=0-99,200-,-100` for a body of a length.
    ///
    /// Malformed ranges are ignored (RFC 9110 §14.2), and so are too many ranges and overlapping ones, which only
    /// attacks use.
    init(_ text: String, length: Int) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, sides[0].trimmingHTTPSpace.lowercased() == "bytes" else {
            self = .whole
            return
        }
        let members = sides[1].split(separator: ",").map(\.trimmingHTTPSpace).filter { !$0.isEmpty }
        guard !members.isEmpty, members.count <= HTTPLimits.ranges else {
            self = .whole
            return
        }
        var parts: [Range<Int>] = []
        for member in members {
            guard let part = Self.part(member, length) else {
                self = .whole
                return
            }
            if !part.isEmpty { parts.append(part) }
        }
        let sorted = parts.sorted { $0.lowerBound < $1.lowerBound }
        let overlap = zip(sorted, sorted.dropFirst()).contains { $0.overlaps($1) }
        self = parts.isEmpty ? .unsatisfiable : overlap ? .whole : .parts(parts)
    }

    /// The bytes of one range, empty if outside of the body; nil if it is malformed.
    private static func part(_ text: Substring, _ length: Int) -> Range<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]) else { return nil }
        switch (first, last) {
        case (nil, nil): return nil
        case (nil, let count?): return max(0, length - count)..<length
        case (let first?, nil): return min(first, length)..<length
        case (let first?, let last?):
            guard first <= last else { return nil }
            // Both ends within the body, for a range behind it as well.
            let start = min(first, length)
            return start..<max(start, last < length ? last + 1 : length)
        }
    }

    /// A number, which may be missing; nil for anything else. Numbers too large for Int become very large ones.
    private static func number(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return .some(Int(text) ?? .max)
    }
}

extension HTTPResponse {
    /// This response after the conditions and ranges of the request: 304, 412, 206 or 416 instead of 200.
    ///
    /// `boundary` makes the boundary between parts, which the body must not contain; it is called only for several
    /// parts.
    package func narrowed(to request: HTTPRequest, boundary: () -> String) -> HTTPResponse {
        guard status == .ok, request.method == .get || request.method == .head else { return self }
        let state = ResourceState(fields)
        switch request.preconditions(for: state) {
        case .notModified: return notModified()
        case .failed: return withoutBody(.preconditionFailed)
        case .proceed: break
        }
        guard request.method == .get, fields["Accept-Ranges"] == "bytes", let length = rangeableLength,
            let range = request.fields["Range"], request.rangeCounts(for: state)
        else { return self }
        switch ByteRanges(range, length: length) {
        case .whole: return self
        case .unsatisfiable:
            var response = withoutBody(.rangeNotSatisfiable)
            response.fields["Content-Range"] = "bytes */\(length)"
            return response
        case .parts(let parts) where parts.count == 1: return part(parts[0], of: length)
        case .parts(let parts): return self.parts(parts, of: length, boundary: boundary())
        }
    }

    /// A response whose body is made as far as the request wants it: whole, or one range of it.
    ///
    /// - Parameters:
    ///   - fields: they have the `ETag` that conditions are judged by.
    ///   - open: makes the body of a range, which begins when it is read.
    package static func ranged(
        _ request: HTTPRequest, length: Int, fields: HTTPFields, open: (Range<Int>) -> BodyStream
    ) -> HTTPResponse {
        var response = HTTPResponse(.ok)
        response.fields = fields
        response.fields["Accept-Ranges"] = "bytes"
        let state = ResourceState(response.fields)
        switch request.preconditions(for: state) {
        case .notModified: return response.notModified()
        case .failed: return response.withoutBody(.preconditionFailed)
        case .proceed: break
        }
        var part = 0..<length
        if request.method == .get, let range = request.fields["Range"], request.rangeCounts(for: state) {
            switch ByteRanges(range, length: length) {
            case .unsatisfiable:
                var refusal = response.withoutBody(.rangeNotSatisfiable)
                refusal.fields["Content-Range"] = "bytes */\(length)"
                return refusal
            case .parts(let parts) where parts.count == 1:
                part = parts[0]
                response.status = .partialContent
                response.fields["Content-Range"] = contentRange(part, length)
            case .whole, .parts: break
            }
        }
        response.body = .stream(length: part.count, open(part))
        return response
    }

    /// The length of a body that supports ranges.
    private var rangeableLength: Int? {
        switch body {
        case .bytes, .file: body.length
        case .empty, .stream: nil
        }
    }

    private func notModified() -> HTTPResponse {
        var response = withoutBody(.notModified)
        response.fields = HTTPFields()
        // The fields with which a cache keeps its entry.
        for name in ["Cache-Control", "Content-Location", "Date", "ETag", "Expires", "Last-Modified", "Vary"] {
            for value in fields.values(name) { response.fields.add(name, value) }
        }
        return response
    }

    private func withoutBody(_ status: HTTPStatus) -> HTTPResponse {
        var response = self
        response.status = status
        response.fields["Content-Type"] = nil
        if case .stream(_, let stream) = body { stream.giveUp() }
        response.body = .empty
        return response
    }

    private func part(_ part: Range<Int>, of length: Int) -> HTTPResponse {
        var response = self
        response.status = .partialContent
        response.fields["Content-Range"] = Self.contentRange(part, length)
        switch body {
        case .bytes(let bytes): response.body = .bytes(Array(bytes[part]))
        case .file(let file):
            let start = file.range.lowerBound
            response.body = .file(FileBody(file.file, range: start + part.lowerBound..<start + part.upperBound))
        case .empty, .stream: break
        }
        return response
    }

    private func parts(_ parts: [Range<Int>], of length: Int, boundary: String) -> HTTPResponse {
        let type = fields["Content-Type"]
        let heads = parts.map { part in
            let line = type.map { "Content-Type: \($0)\r\n" } ?? ""
            return Array(
                "\r\n--\(boundary)\r\n\(line)Content-Range: \(Self.contentRange(part, length))\r\n\r\n".utf8)
        }
        let tail = Array("\r\n--\(boundary)--\r\n".utf8)
        var response = self
        response.status = .partialContent
        response.fields["Content-Type"] = "multipart/byteranges; boundary=\(boundary)"
        let count = zip(heads, parts).reduce(tail.count) { $0 + $1.0.count + $1.1.count }
        let pieces = zip(heads, parts).flatMap { head, range in [.bytes(head), part(range, of: length).body] }
        response.body = .stream(length: count, Self.stream(pieces + [.bytes(tail)]))
        return response
    }

    private static func contentRange(_ part: Range<Int>, _ length: Int) -> String {
        "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)"
    }

    /// Concatenated bodies, read while they are sent.
    private static func stream(_ bodies: [ResponseBody]) -> BodyStream {
        let stream = BodyStream()
        Task {
            do {
                for body in bodies {
                    for try await piece in TransportBody(body) { try await stream.write(piece) }
                }
                stream.finish()
            } catch {
                stream.fail(error)
            }
        }
        return stream
    }
}
