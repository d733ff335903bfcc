import StoreHTTP
import Synchronization

/// Passes the head of a response to the task that waits for it, and the body to a stream with back-pressure.
final class StreamingReceiver: ResponseReceiver {
    typealias Waiting = CheckedContinuation<TransportResponse, any Error>

    private struct State {
        var waiting: Waiting?
        var mustWait = false
    }

    private let state: Mutex<State>
    private let stream: BodyStream

    // A decompressed body would have to be buffered while paused.
    let wantsDecompression = false

    init(limit: Int, waiting: Waiting) {
        stream = BodyStream(limit: limit)
        state = Mutex(State(waiting: waiting))
    }

    func receive(_ head: ResponseHead, of exchange: Exchange) -> HTTPClientError? {
        var body = TransportBody(.empty)
        if exchange.request.method != .head, !head.status.forbidsBody {
            let observer = ReleaseObserver { exchange.cancel() }
            body = TransportBody(.stream(length: head.contentLength, stream)) { _ in observer.notify() }
        }
        let response = TransportResponse(head.status, fields: head.fields, body: body)
        takeWaiting()?.resume(returning: response)
        return nil
    }

    func receive(_ piece: UnsafeRawBufferPointer, of exchange: Exchange) -> PieceResult {
        if state.withLock({ $0.mustWait }) { return .later }
        // Marked before writing: the reader may have caught up before the answer is here.
        state.withLock { $0.mustWait = true }
        let result = stream.write(Array(piece)) { [self] in
            state.withLock { $0.mustWait = false }
            exchange.wake()
        }
        switch result {
        case .keepWriting: state.withLock { $0.mustWait = false }
        case .waitUntilDrained: break
        case .readerGone: return .refused(.abandoned)
        }
        return .taken
    }

    func end(_ result: Result<Void, HTTPClientError>) {
        switch result {
        case .success:
            stream.finish()
            takeWaiting()?.resume(throwing: HTTPClientError.headMissing)
        case .failure(let error):
            stream.fail(error)
            takeWaiting()?.resume(throwing: error)
        }
    }

    private func takeWaiting() -> Waiting? {
        state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
    }
}

extension HTTPClientError {
    static let abandoned = HTTPClientError(
        .cancelled, "The request was given up before its response was complete.", outcome: .unknown)
}

/// Called when the body was read, cancelled or released.
private final class ReleaseObserver: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    func notify() { action() }

    deinit { action() }
}
