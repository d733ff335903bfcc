import StoreHTTP

/// Reads the body of a request piece by piece. Belongs to the client's thread.
struct UploadSource {
    /// What there was to read.
    enum Piece {
        case bytes(Int)
        /// Nothing yet; the exchange is woken when there is.
        case later
        case failed(HTTPClientError)
    }

    private let body: ClientBody
    private let feed: UploadFeed?
    private var position = 0

    init(_ exchange: Exchange) {
        body = exchange.request.body
        if case .stream(_, let stream) = body {
            feed = UploadFeed(stream) { exchange.wake() }
        } else {
            feed = nil
        }
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Piece {
        let piece = next(into: buffer)
        guard case .bytes(let count) = piece else { return piece }
        position += count
        guard let length = body.length, count == 0 ? position < length : position > length else { return piece }
        return .failed(Self.error("The body of the request is not as long as was announced."))
    }

    private func next(into buffer: UnsafeMutableRawBufferPointer) -> Piece {
        switch body {
        case .empty: return .bytes(0)
        case .bytes(let bytes):
            let count = min(buffer.count, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            return .bytes(count)
        case .file(let part):
            let wanted = min(buffer.count, part.range.count - position)
            guard let bytes = part.file.read(at: part.range.lowerBound + position, count: wanted) else {
                return .failed(Self.error("The file that is the body of the request cannot be read."))
            }
            buffer.copyBytes(from: bytes)
            return .bytes(bytes.count)
        case .stream:
            return feed?.read(into: buffer) ?? .bytes(0)
        }
    }

    /// Goes back to the beginning or to another place, where the body can do that.
    mutating func seek(to offset: Int) -> Bool {
        guard body.isRepeatable, (0...(body.length ?? 0)).contains(offset) else { return false }
        position = offset
        return true
    }

    /// Says that no more will be read.
    func end() { feed?.end() }

    fileprivate static func error(_ message: String) -> HTTPClientError {
        HTTPClientError(.requestBody, message, outcome: .unknown)
    }
}

extension HTTPClientError {
    static let requestBodyFailed = UploadSource.error("Whoever makes the body of the request gave up before its end.")
}
