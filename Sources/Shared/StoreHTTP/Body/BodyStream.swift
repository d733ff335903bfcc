import Synchronization

/// A body that one writer passes to one reader, with a bounded buffer in between.
///
/// The writer has to wait when the limit is reached and is resumed when the reader has caught up. Either side may
/// cancel: the other notices at its next call.
package final class BodyStream: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    /// The result of a write.
    package enum WriteResult: Sendable {
        case keepWriting
        /// Accepted; write no more before being resumed.
        case waitUntilDrained
        /// Not accepted: the reader has gone, or the body has ended.
        case readerGone
    }

    private let state = Mutex(BodyStreamState())
    private let limit: Int

    /// A stream that holds up to `limit` bytes.
    package init(limit: Int = 256 * 1024) {
        self.limit = limit
    }

    // MARK: Writing

    /// Writes a piece. If the result is to wait, `drained` is called once, when there is room again or the reader has
    /// gone.
    package func write(_ piece: [UInt8], drained: @escaping @Sendable () -> Void) -> WriteResult {
        guard !piece.isEmpty else { return isReaderGone ? .readerGone : .keepWriting }
        let (reader, result) = state.withLock { $0.write(piece, limit: limit, drained) }
        reader?.resume(returning: piece)
        return result
    }

    /// Writes a piece and waits for room. Throws ``BodyReaderGone`` when the reader has gone.
    ///
    /// The cancellation of the task that waits ends the body as failed: the reader must not wait for a writer that left.
    package func write(_ piece: [UInt8]) async throws {
        try await withTaskCancellationHandler {
            // The continuation is resumed here or by `drained`, never by both: only the answer to wait keeps it.
            let wasRefused = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                switch write(piece, drained: { continuation.resume(returning: false) }) {
                case .keepWriting: continuation.resume(returning: false)
                case .readerGone: continuation.resume(returning: true)
                case .waitUntilDrained: break
                }
            }
            try Task.checkCancellation()
            if wasRefused || isReaderGone { throw BodyReaderGone() }
        } onCancel: {
            fail(CancellationError())
        }
    }

    /// Whether the reader has gone, so the rest need not be made.
    package var isReaderGone: Bool { state.withLock { $0.readerGone } }

    /// Ends the body.
    package func finish() { end(.success(())) }

    /// Ends the body with a failure. What was written before can still be read.
    package func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Void, any Error>) {
        let (reader, drained) = state.withLock { $0.end(result) }
        reader?.resume(with: result.map { nil })
        for wake in drained { wake() }
    }

    // MARK: Reading

    /// The next piece, or nil at the end. One reader at a time; its cancellation cancels the stream.
    package func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, drained) = state.withLock { $0.read(continuation, limit: limit) }
                if let result { continuation.resume(with: result) }
                for wake in drained { wake() }
            }
        } onCancel: {
            giveUp()
        }
    }

    /// Cancels the rest of the body.
    package func giveUp() {
        let (reader, drained) = state.withLock { $0.giveUp() }
        reader?.resume(throwing: CancellationError())
        for wake in drained { wake() }
    }

    /// All the rest in one piece; throws the refusal of a body that exceeds `limit` bytes.
    package func collect(limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() {
            guard bytes.count + piece.count <= limit else {
                giveUp()
                throw BodyPolicy.collected(limit: limit).refusal
            }
            bytes += piece
        }
        return bytes
    }

    package struct Iterator: AsyncIteratorProtocol {
        let stream: BodyStream

        package func next() async throws -> [UInt8]? { try await stream.next() }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(stream: self) }
}

/// The reader of the body has gone.
package struct BodyReaderGone: Error {}

/// The request that a body belongs to is over: its client has gone.
package struct RequestEnded: Error {
    package init() {}
}

/// Two tasks read one body at the same time.
package struct BodyReadTwice: Error {}

/// The state of a ``BodyStream``. Its functions run under a lock and return what to resume afterwards.
struct BodyStreamState {
    typealias Reader = CheckedContinuation<[UInt8]?, any Error>
    typealias Wake = @Sendable () -> Void

    /// Smaller pieces are joined, so a slow stream of bytes does not need an array for each.
    private static let smallPiece = 4096

    private var pieces: [[UInt8]] = []
    private var first = 0
    private var buffered = 0
    private var ended: Result<Void, any Error>?
    private(set) var readerGone = false
    private var reader: Reader?
    private var waiting: [Wake] = []

    mutating func write(
        _ piece: [UInt8], limit: Int, _ drained: @escaping Wake
    ) -> (Reader?, BodyStream.WriteResult) {
        if readerGone || ended != nil { return (nil, .readerGone) }
        if let reader {
            self.reader = nil
            return (reader, .keepWriting)
        }
        if first < pieces.count, pieces[pieces.count - 1].count + piece.count <= Self.smallPiece {
            pieces[pieces.count - 1] += piece
        } else {
            pieces.append(piece)
        }
        buffered += piece.count
        guard buffered >= limit else { return (nil, .keepWriting) }
        waiting.append(drained)
        return (nil, .waitUntilDrained)
    }

    mutating func end(_ result: Result<Void, any Error>) -> (Reader?, [Wake]) {
        guard ended == nil else { return (nil, []) }
        ended = result
        defer { reader = nil }
        return (reader, takeWaiting())
    }

    /// What to resume the reader with; nil if it has to wait.
    mutating func read(_ continuation: Reader, limit: Int) -> (Result<[UInt8]?, any Error>?, [Wake]) {
        if readerGone { return (.failure(CancellationError()), []) }
        if reader != nil { return (.failure(BodyReadTwice()), []) }
        if first < pieces.count {
            let piece = takePiece()
            return (.success(piece), buffered <= limit / 2 ? takeWaiting() : [])
        }
        if let ended { return (ended.map { nil }, []) }
        reader = continuation
        return (nil, [])
    }

    mutating func giveUp() -> (Reader?, [Wake]) {
        readerGone = true
        pieces = []
        first = 0
        buffered = 0
        defer { reader = nil }
        return (reader, takeWaiting())
    }

    private mutating func takePiece() -> [UInt8] {
        let piece = pieces[first]
        pieces[first] = []
        first += 1
        buffered -= piece.count
        // What was read is dropped from time to time, in case the reader never catches up.
        if first == pieces.count || first >= 64 {
            pieces.removeFirst(first)
            first = 0
        }
        return piece
    }

    private mutating func takeWaiting() -> [Wake] {
        defer { waiting = [] }
        return waiting
    }
}
