import StoreHTTP
import Synchronization

/// Reads the body of a request piece by piece. Belongs to the client's thread.
struct UploadSource {
    /// The result of a read.
    enum Piece {
        case bytes(Int)
        /// Empty for now; the exchange is resumed when there is more.
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

    /// Seeks, if the body can be read again.
    mutating func seek(to offset: Int) -> Bool {
        guard body.isRepeatable, (0...(body.length ?? 0)).contains(offset) else { return false }
        position = offset
        return true
    }

    /// Stops reading.
    func end() { feed?.end() }

    fileprivate static func error(_ message: String) -> HTTPClientError {
        HTTPClientError(.requestBody, message, outcome: .unknown)
    }
}

extension HTTPClientError {
    static let requestBodyFailed = UploadSource.error("The body of the request ended before its end was sent.")
}

/// Passes a streamed body to the client's thread, one piece ahead.
final class UploadFeed: Sendable {
    private struct State {
        var piece: ArraySlice<UInt8> = []
        var ended: Result<Void, any Error>?
        var isGivenUp = false
        /// Resumed when the piece has been read.
        var writer: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let stream: BodyStream
    private let wake: @Sendable () -> Void

    init(_ stream: BodyStream, wake: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.wake = wake
        // It ends with the body or the request.
        Task { await pump() }
    }

    private func pump() async {
        var result: Result<Void, any Error> = .success(())
        do {
            while let piece = try await stream.next() {
                guard !piece.isEmpty else { continue }
                guard await offer(piece) else { break }
            }
        } catch {
            result = .failure(error)
        }
        let ended = result
        state.withLock { $0.ended = ended }
        wake()
    }

    /// Waits until a piece has been read; false if it never will be.
    private func offer(_ piece: [UInt8]) async -> Bool {
        await withCheckedContinuation { (writer: CheckedContinuation<Void, Never>) in
            let isGivenUp = state.withLock { state in
                guard !state.isGivenUp else { return true }
                state.piece = piece[...]
                state.writer = writer
                return false
            }
            if isGivenUp { writer.resume() } else { wake() }
        }
        return !state.withLock { $0.isGivenUp }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Piece {
        let (piece, writer) = state.withLock { state -> (UploadSource.Piece, CheckedContinuation<Void, Never>?) in
            guard !state.piece.isEmpty else {
                switch state.ended {
                case nil: return (.later, nil)
                case .success: return (.bytes(0), nil)
                case .failure: return (.failed(.requestBodyFailed), nil)
                }
            }
            let count = min(buffer.count, state.piece.count)
            buffer.copyBytes(from: state.piece.prefix(count))
            state.piece = state.piece.dropFirst(count)
            guard state.piece.isEmpty else { return (.bytes(count), nil) }
            defer { state.writer = nil }
            return (.bytes(count), state.writer)
        }
        writer?.resume()
        return piece
    }

    func end() {
        let writer = state.withLock { state in
            state.isGivenUp = true
            defer { state.writer = nil }
            return state.writer
        }
        writer?.resume()
        stream.giveUp()
    }
}
