import Synchronization

/// A body on its way from one writer to one reader, with no more in between than a limit.
///
/// The writer is told to wait when the limit is reached and woken when the reader has caught up. Either side may give up:
/// the other then finds out at its next step.
package final class BodyStream: AsyncSequence, Sendable {
    package typealias Element = [UInt8]

    /// What became of a piece that was written.
    package enum WriteResult: Sendable {
        case keepWriting
        /// Accepted; write no more before being woken.
        case waitUntilDrained
        /// Not accepted: nobody reads any more, or the body has ended.
        case readerGone
    }

    private let state = Mutex(BodyStreamState())
    private let limit: Int

    /// A stream that holds up to `limit` bytes.
    package init(limit: Int = 256 * 1024) {
        self.limit = limit
    }

    // MARK: Writing

    /// Hands over a piece. `drained` is called once, when there is room again, if the answer is to wait; or when the
    /// reader is gone.
    package func write(_ piece: [UInt8], drained: @escaping @Sendable () -> Void) -> WriteResult {
        guard !piece.isEmpty else { return isReaderGone ? .readerGone : .keepWriting }
        let (reader, result) = state.withLock { $0.write(piece, limit: limit, drained) }
        reader?.resume(returning: piece)
        return result
    }

    /// Hands over a piece and waits for room. Throws ``BodyReaderGone`` when nobody reads any more.
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

    /// Whether nobody will read the rest, so that a writer need not make it.
    package var isReaderGone: Bool { state.withLock { $0.readerGone } }

    /// Says that the body is complete.
    package func finish() { end(.success(())) }

    /// Says that the rest will never come. What was written before is still read.
    package func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Void, any Error>) {
        let (reader, drained) = state.withLock { $0.end(result) }
        reader?.resume(with: result.map { nil })
        for wake in drained { wake() }
    }

    // MARK: Reading

    /// The next piece, or nil at the end. One reader at a time; its cancellation gives the stream up.
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

    /// Says that nobody will read the rest.
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

/// Nobody reads the body any more.
package struct BodyReaderGone: Error {}

/// Two tasks read one body at the same time.
package struct BodyReadTwice: Error {}
