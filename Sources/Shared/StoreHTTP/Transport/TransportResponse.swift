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
    private let passage: BodyPassage

    /// `ended` is called once, when the body was read to its end, has failed, or was given up.
    package init(_ body: ResponseBody, ended: @escaping @Sendable (ResponseEnd) -> Void = { _ in }) {
        self.body = body
        passage = BodyPassage(ended: ended)
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
        passage.end(isComplete: false)
    }

    package func makeAsyncIterator() -> Iterator { Iterator(body: body, passage: passage) }

    package struct Iterator: AsyncIteratorProtocol {
        /// How much of a file is read at once.
        private static let filePiece = 64 * 1024

        fileprivate let body: ResponseBody
        fileprivate let passage: BodyPassage
        private var position = 0

        fileprivate init(body: ResponseBody, passage: BodyPassage) {
            self.body = body
            self.passage = passage
        }

        package mutating func next() async throws -> [UInt8]? {
            do {
                let piece = try await read()
                let count = piece?.count ?? 0
                position += count
                if let length = body.length, position > length || piece == nil && position < length {
                    if case .stream(_, let stream) = body { stream.giveUp() }
                    throw BodyLengthWrong()
                }
                passage.passed(count)
                if piece == nil { passage.end(isComplete: true) }
                return piece
            } catch {
                passage.end(isComplete: false)
                throw error
            }
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
