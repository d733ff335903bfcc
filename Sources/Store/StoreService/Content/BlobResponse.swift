package import StoreCatalogue
package import StoreHTTP

extension HTTPResponse {
    /// The bytes of a blob, or those of them that the request asks for.
    ///
    /// A file is sent without passing through this process; from elsewhere the bytes come piece by piece, as fast as they are
    /// taken. One that is small is looked at first; of a large one, devices check every chunk, and the store all in its time.
    package static func blob(_ content: BlobContent, type: String, to request: HTTPRequest) throws -> HTTPResponse {
        var fields = HTTPFields()
        fields["Content-Type"] = type
        fields["ETag"] = "\"\(content.tag)\""
        fields["Cache-Control"] = "private, no-transform"
        if let path = content.path {
            guard let file = OpenFile(path: path), Int64(file.length) == content.bytes else { throw content.missing }
            if content.bytes <= Int64(pieceBytes) {
                try content.require(file.read(at: 0, count: file.length) ?? [])
            }
            var response = HTTPResponse(.ok)
            response.fields = fields
            response.fields["Accept-Ranges"] = "bytes"
            response.body = .file(FileBody(file))
            return response
        }
        return ranged(request, length: Int(content.bytes), fields: fields) { range in
            let stream = BodyStream(limit: pieceBytes)
            Task { await send(range, of: content, to: stream) }
            return stream
        }
    }

    private static let pieceBytes = 1 << 20

    private static func send(_ range: Range<Int>, of content: BlobContent, to stream: BodyStream) async {
        do {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: pieceBytes) {
                let piece = Int64(start)..<Int64(min(start + pieceBytes, range.upperBound))
                try await stream.write(content.read(piece))
            }
            stream.finish()
        } catch {
            stream.fail(error)
        }
    }
}
