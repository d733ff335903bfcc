/// A response as a client receives it: the head, and a body that may still be arriving.
package struct TransportResponse: Sendable {
    package let status: HTTPStatus
    package let fields: HTTPFields
    package let body: TransportBody

    package init(_ status: HTTPStatus, fields: HTTPFields, body: TransportBody) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// The body of a response on its way to the client. It is read once.
package struct TransportBody: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    private let body: ResponseBody
    private let ended: @Sendable () -> Void

    /// `ended` is called when the body was read to its end, or given up.
    package init(_ body: ResponseBody, ended: @escaping @Sendable () -> Void = {}) {
        self.body = body
        self.ended = ended
    }

    /// All of it in one piece.
    package func collect() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in self { bytes += piece }
        return bytes
    }

    /// Says that the client has closed the connection.
    package func giveUp() {
        if case .stream(_, let stream) = body { stream.giveUp() }
        ended()
    }

    package func makeAsyncIterator() -> Iterator { Iterator(body: body, ended: ended) }

    package struct Iterator: AsyncIteratorProtocol {
        /// How much of a file is read at once.
        private static let filePiece = 64 * 1024

        fileprivate let body: ResponseBody
        fileprivate let ended: @Sendable () -> Void
        private var position = 0

        fileprivate init(body: ResponseBody, ended: @escaping @Sendable () -> Void) {
            self.body = body
            self.ended = ended
        }

        package mutating func next() async throws -> [UInt8]? {
            let piece = try await read()
            position += piece?.count ?? 0
            if let length = body.length, position > length || piece == nil && position < length {
                if case .stream(_, let stream) = body { stream.giveUp() }
                ended()
                throw BodyLengthWrong()
            }
            if piece == nil { ended() }
            return piece
        }

        private func read() async throws -> [UInt8]? {
            switch body {
            case .empty: return nil
            case .bytes(let bytes): return position == 0 && !bytes.isEmpty ? bytes : nil
            case .file(let part):
                let piece = part.file.read(
                    at: part.range.lowerBound + position, count: Swift.min(Self.filePiece, part.range.count - position))
                return piece?.isEmpty == true ? nil : piece
            case .stream(_, let stream):
                return try await stream.next()
            }
        }
    }
}

/// A body turned out shorter or longer than its header said; the connection is then worth nothing any more.
package struct BodyLengthWrong: Error {}
