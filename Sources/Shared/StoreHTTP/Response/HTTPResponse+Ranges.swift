extension HTTPResponse {
    /// This response as the conditions and ranges of the request want it: 304, 412, 206 or 416 in the place of 200.
    ///
    /// `boundary` makes the line between parts, of which the body must not contain any; it is asked for several only.
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

    /// The length of a body of which any part can be had.
    private var rangeableLength: Int? {
        switch body {
        case .bytes, .file: body.length
        case .empty, .stream: nil
        }
    }

    private func notModified() -> HTTPResponse {
        var response = withoutBody(.notModified)
        response.fields = HTTPFields()
        // What a cache needs to go on using what it has.
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

    /// Bodies behind one another, read while they are sent.
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
