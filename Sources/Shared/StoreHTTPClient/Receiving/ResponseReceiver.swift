import StoreHTTP
import Synchronization

/// Receives one response. Called on the client's thread, which must not wait: head, pieces, and always once the end.
protocol ResponseReceiver: Sendable {
    /// Whether a compressed body is to be decompressed first.
    var wantsDecompression: Bool { get }

    /// Receives the head of the response; returns an error to refuse it.
    func receive(_ head: ResponseHead, of exchange: Exchange) -> HTTPClientError?

    func receive(_ piece: UnsafeRawBufferPointer, of exchange: Exchange) -> PieceResult

    func end(_ result: Result<Void, HTTPClientError>)
}

/// The result of receiving a piece of a body.
enum PieceResult {
    case taken
    /// Not taken; pass it again after the exchange was resumed.
    case later
    case refused(HTTPClientError)
}

/// The status and the fields of a response, before its body.
struct ResponseHead: Sendable {
    let status: HTTPStatus
    var fields: HTTPFields

    /// The length of the body, if the header has it.
    var contentLength: Int? {
        guard fields["Transfer-Encoding"] == nil else { return nil }
        return fields["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// Collects a response, up to a limit, for one task that waits for all of it.
final class CollectingReceiver: ResponseReceiver {
    typealias Waiting = CheckedContinuation<ClientResponse, any Error>

    private struct State {
        var head: ResponseHead?
        var body: [UInt8] = []
        var waiting: Waiting?
    }

    private let state: Mutex<State>
    private let limit: Int
    let wantsDecompression: Bool

    init(limit: Int, wantsDecompression: Bool, waiting: Waiting) {
        self.limit = limit
        self.wantsDecompression = wantsDecompression
        state = Mutex(State(waiting: waiting))
    }

    func receive(_ head: ResponseHead, of exchange: Exchange) -> HTTPClientError? {
        let isCompressed = wantsDecompression && head.fields["Content-Encoding"] != nil
        let length = exchange.request.method == .head ? 0 : head.contentLength ?? 0
        guard isCompressed || length <= limit else { return tooLarge }
        state.withLock {
            $0.head = head
            if isCompressed {
                $0.head?.fields["Content-Encoding"] = nil
                $0.head?.fields["Content-Length"] = nil
            } else {
                $0.body.reserveCapacity(length)
            }
        }
        return nil
    }

    func receive(_ piece: UnsafeRawBufferPointer, of exchange: Exchange) -> PieceResult {
        state.withLock {
            guard $0.body.count + piece.count <= limit else { return .refused(tooLarge) }
            $0.body.append(contentsOf: piece)
            return .taken
        }
    }

    func end(_ result: Result<Void, HTTPClientError>) {
        // Taken out by an exchange: Swift 6.3 releases the fields of the head once too often when the state is replaced while
        // a response made of it is on its way out, in optimised builds only.
        var taken = State()
        state.withLock { swap(&$0, &taken) }
        let waiting = taken.waiting
        let response = taken.head.map { ClientResponse($0.status, fields: $0.fields, body: taken.body) }
        switch (result, response) {
        case (.success, let response?): waiting?.resume(returning: response)
        case (.success, nil): waiting?.resume(throwing: HTTPClientError.headMissing)
        case (.failure(let error), _): waiting?.resume(throwing: error)
        }
    }

    private var tooLarge: HTTPClientError {
        let message = "The body of the response exceeds \(limit) bytes; ask for less, raise the limit or stream it."
        return HTTPClientError(.responseTooLarge, message, outcome: .answered)
    }
}

extension HTTPClientError {
    static let headMissing = HTTPClientError(.responseMalformed, "The response has no head.", outcome: .unknown)
}
