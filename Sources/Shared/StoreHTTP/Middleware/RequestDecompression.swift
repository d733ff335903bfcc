import StoreFoundation

/// Decompresses bodies of requests. The limit of the route holds for the decompressed body.
package struct RequestDecompression: Middleware {
    package init() {}

    package func receive(_ body: inout RequestBody, of request: HTTPRequest, policy: BodyPolicy) throws {
        let codings = request.fields.list("Content-Encoding").map { $0.lowercased() }.filter { $0 != "identity" }
        guard !codings.isEmpty else { return }
        guard codings == ["gzip"] || codings == ["x-gzip"] else {
            var error = APIError(
                .unsupportedMediaType, code: "encoding_unsupported", "The body may be compressed with gzip only.",
                parameter: "Content-Encoding")
            error.fields["Accept-Encoding"] = "gzip"
            throw error
        }
        switch body {
        case .empty: break
        case .collected(let bytes):
            do {
                body = .collected(try Inflater.gunzip(bytes, limit: policy.limit))
            } catch {
                throw Self.error(error, policy)
            }
        case .streaming(let stream): body = .streaming(Self.inflated(stream, policy))
        }
    }

    private static func inflated(_ source: BodyStream, _ policy: BodyPolicy) -> BodyStream {
        let result = BodyStream(limit: HTTPLimits.streamedBytes)
        Task(executorPreference: TaskThreads.executor) {
            do {
                guard let inflater = Inflater(limit: policy.limit) else { throw Inflater.Refusal.tooLarge }
                while let piece = try await source.next() {
                    // In small steps: a piece may become a thousand times larger, and the reader applies back-pressure.
                    for start in stride(from: 0, to: piece.count, by: 1024) {
                        try await result.write(inflater.inflate(Array(piece[start..<min(start + 1024, piece.count)])))
                    }
                }
                guard inflater.isComplete else { throw Inflater.Refusal.malformed }
                result.finish()
            } catch {
                source.giveUp()
                result.fail((error as? Inflater.Refusal).map { Self.error($0, policy) } ?? error)
            }
        }
        return result
    }

    private static func error(_ refusal: Inflater.Refusal, _ policy: BodyPolicy) -> APIError {
        switch refusal {
        case .tooLarge: policy.refusal
        case .malformed:
            APIError(.badRequest, code: "encoding_malformed", "The body is not what gzip makes.", parameter: "body")
        }
    }
}
