/// The events of a form that is still arriving.
package struct MultipartEvents: AsyncSequence, Sendable {
    package typealias Element = MultipartParser.Event

    private let stream: BodyStream
    private let parser: MultipartParser

    init(_ stream: BodyStream, _ parser: MultipartParser) {
        self.stream = stream
        self.parser = parser
    }

    package func makeAsyncIterator() -> Iterator { Iterator(stream: stream, parser: parser) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let stream: BodyStream
        fileprivate var parser: MultipartParser
        private var waiting: ArraySlice<Element> = []
        private var ended = false

        fileprivate init(stream: BodyStream, parser: MultipartParser) {
            self.stream = stream
            self.parser = parser
        }

        package mutating func next() async throws -> Element? {
            while waiting.isEmpty, !ended {
                if let piece = try await stream.next() {
                    waiting = try parser.read(piece)[...]
                } else {
                    try parser.finish()
                    ended = true
                }
            }
            return waiting.popFirst()
        }
    }
}

extension HTTPRequest {
    /// The parts of a form as they arrive, from a body that is streamed.
    package func multipartEvents(limits: MultipartLimits = MultipartLimits()) throws(APIError) -> MultipartEvents {
        let parser = try MultipartParser(boundary: multipartBoundary(), limits: limits)
        return MultipartEvents(body.stream, parser)
    }

    private func multipartBoundary() throws(APIError) -> String {
        guard let type = fields.mediaType, type.essence == "multipart/form-data",
            let boundary = type.parameter("boundary")
        else {
            throw APIError(
                .unsupportedMediaType, code: "media_type_unsupported",
                "The body must be multipart/form-data, and name its boundary.", parameter: "Content-Type")
        }
        return boundary
    }
}

/// The limits of a `multipart/form-data` body.
package struct MultipartLimits: Hashable, Sendable {
    /// The longest boundary that the format allows.
    package static let boundaryBytes = 70

    package var parts: Int
    /// The fields of one part, in bytes; also the preamble.
    package var headBytes: Int
    /// The body of one part, in bytes.
    package var partBytes: Int

    package init(parts: Int = 64, headBytes: Int = 8 * 1024, partBytes: Int = HTTPLimits.collectedBodyBytes) {
        self.parts = parts
        self.headBytes = headBytes
        self.partBytes = partBytes
    }
}
