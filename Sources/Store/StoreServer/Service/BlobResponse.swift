import StoreDatabase
import StoreFoundation
import StoreHTTP

extension HTTPResponse {
    /// The bytes of a blob, or those of them that the request asks for.
    ///
    /// A file is sent without passing through this process; from elsewhere the bytes come piece by piece, as fast as they are
    /// taken.
    static func blob(
        _ id: BlobID, bytes: Int64, type: String, in blobs: any BlobStore, to request: HTTPRequest
    ) throws -> HTTPResponse {
        var fields = HTTPFields()
        fields["Content-Type"] = type
        fields["ETag"] = "\"\(id.text)\""
        fields["Cache-Control"] = "private, no-transform"
        if let folder = blobs as? FolderBlobStore {
            guard let file = OpenFile(path: folder.path(of: id)), Int64(file.length) == bytes else {
                throw BlobError(.missing, "the blob \(id) is not where it was kept")
            }
            var response = HTTPResponse(.ok)
            response.fields = fields
            response.fields["Accept-Ranges"] = "bytes"
            response.body = .file(FileBody(file))
            return response
        }
        return ranged(request, length: Int(bytes), fields: fields) { range in
            let stream = BodyStream(limit: pieceBytes)
            Task { await send(range, of: id, in: blobs, to: stream) }
            return stream
        }
    }

    private static let pieceBytes = 1 << 20

    private static func send(_ range: Range<Int>, of id: BlobID, in blobs: any BlobStore, to stream: BodyStream) async {
        do {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: pieceBytes) {
                let piece = Int64(start)..<Int64(min(start + pieceBytes, range.upperBound))
                let bytes = try await OwnThread.run(named: "blobs") { try blobs.read(id, piece) }
                try await stream.write(bytes)
            }
            stream.finish()
        } catch {
            stream.fail(error)
        }
    }
}
