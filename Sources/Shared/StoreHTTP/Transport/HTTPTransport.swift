import Synchronization

/// Carries requests to a service: in memory, or over a socket.
package protocol HTTPTransport: Sendable {
    /// Returns when the head of the response is there; its body may still be arriving.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

extension InMemoryTransport: HTTPTransport {}

/// A request as a client sends it.
package struct TransportRequest: Sendable {
    package var method: String
    package var target: String
    package var fields: HTTPFields
    package var body: RequestBody
    package var peer: PeerAddress
    package var isSecure: Bool

    package init(
        _ method: String, _ target: String, fields: HTTPFields = HTTPFields(), body: RequestBody = .empty,
        peer: PeerAddress = .local, isSecure: Bool = false
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.peer = peer
        self.isSecure = isSecure
    }

    package static func get(_ target: String, fields: HTTPFields = HTTPFields()) -> TransportRequest {
        TransportRequest("GET", target, fields: fields)
    }

    package static func post(_ target: String, _ text: String, as mediaType: String) -> TransportRequest {
        TransportRequest("POST", target, fields: ["Content-Type": mediaType], body: .collected(Array(text.utf8)))
    }

    /// The length that the header declares; nil for a body that is sent as it is made.
    var declaredLength: Int? {
        switch body {
        case .empty: 0
        case .collected(let bytes): bytes.count
        case .streaming: fields["Content-Length"].flatMap { Int($0) }
        }
    }
}

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
    private let transmission: BodyTransmission

    /// `ended` is called once, when the body was read to its end, has failed, or was given up.
    package init(_ body: ResponseBody, ended: @escaping @Sendable (ResponseEnd) -> Void = { _ in }) {
        self.body = body
        transmission = BodyTransmission(ended: ended)
    }

    /// All of it in one piece.
    package func collect() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in self { bytes += piece }
        return bytes
    }

    /// Closes the connection from the client's side.
    package func giveUp() {
        if case .stream(_, let stream) = body { stream.giveUp() }
        transmission.end(isComplete: false)
    }

    package func makeAsyncIterator() -> Iterator { Iterator(body: body, transmission: transmission) }

    package struct Iterator: AsyncIteratorProtocol {
        /// How much of a file is read at once.
        private static let filePiece = 64 * 1024

        fileprivate let body: ResponseBody
        fileprivate let transmission: BodyTransmission
        private var position = 0

        fileprivate init(body: ResponseBody, transmission: BodyTransmission) {
            self.body = body
            self.transmission = transmission
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
                transmission.sent(count)
                if piece == nil { transmission.end(isComplete: true) }
                return piece
            } catch {
                transmission.end(isComplete: false)
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

/// A body was shorter or longer than declared; the connection can then not be used any more.
package struct BodyLengthWrong: Error {}

/// Counts the bytes sent of a body, and reports its end once.
final class BodyTransmission: Sendable {
    private let state = Mutex<(bytes: Int, isOver: Bool)>((0, false))
    private let ended: @Sendable (ResponseEnd) -> Void

    init(ended: @escaping @Sendable (ResponseEnd) -> Void) {
        self.ended = ended
    }

    func sent(_ count: Int) { state.withLock { $0.bytes += count } }

    func end(isComplete: Bool) {
        let end = state.withLock { state -> ResponseEnd? in
            guard !state.isOver else { return nil }
            state.isOver = true
            return ResponseEnd(bytes: state.bytes, isComplete: isComplete)
        }
        if let end { ended(end) }
    }
}

extension HTTPResponse {
    /// The response as it is sent: with a date, with the length of its body if known, and without a body if the method
    /// or the status has none. A stream that is not sent is cancelled.
    package func prepared(for method: HTTPMethod, date: HTTPDate) -> HTTPResponse {
        var response = self
        if fields["Date"] == nil { response.fields["Date"] = date.text }
        response.fields["Content-Length"] = nil
        let length = body.length.map { max(0, $0) }
        if let length, status.rawValue >= 200, status != .noContent, status != .notModified {
            response.fields["Content-Length"] = String(length)
        }
        if method == .head || status.forbidsBody {
            if case .stream(_, let stream) = body { stream.giveUp() }
            response.body = .empty
        }
        return response
    }
}
