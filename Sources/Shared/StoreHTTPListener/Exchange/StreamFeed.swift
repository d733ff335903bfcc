import CMicroHTTPD
import StoreHTTP
import Synchronization

/// Brings the pieces of a response's body from its stream to the library, a few at a time.
///
/// It begins when the library asks for the first piece: the body of a response to HEAD is never made.
final class StreamFeed: Sendable {
    /// How much may wait for the client before the writer of the stream has to.
    private static let room = 128 * 1024

    private struct State {
        var pieces: [[UInt8]] = []
        /// How much of the first piece the library has.
        var taken = 0
        /// How much of all pieces it has.
        var total = 0
        var waiting = 0
        var end: Result<Void, any Error>?
        var writer: CheckedContinuation<Bool, Never>?
        var isStarted = false
        var isStopped = false
    }

    private let stream: BodyStream
    private let exchange: Exchange
    private let state = Mutex(State())

    init(_ stream: BodyStream, exchange: Exchange) {
        self.stream = stream
        self.exchange = exchange
    }

    static let read: MHD_ContentReaderCallback = { context, _, buffer, size in
        guard let context, let buffer else { return -2 }
        let feed = Unmanaged<StreamFeed>.fromOpaque(context).takeUnretainedValue()
        return feed.read(UnsafeMutableRawBufferPointer(start: buffer, count: size))
    }

    static let release: MHD_ContentReaderFreeCallback = { context in
        guard let context else { return }
        Unmanaged<StreamFeed>.fromOpaque(context).takeRetainedValue().stop()
    }

    /// Bytes of the body that the library took.
    var taken: Int { state.withLock { $0.total } }

    /// The library has stopped reading.
    func stop() {
        let writer = state.withLock { state in
            state.isStopped = true
            state.pieces = []
            defer { state.writer = nil }
            return state.writer
        }
        stream.giveUp()
        writer?.resume(returning: false)
    }

    // MARK: The library's side

    private enum Reading {
        case some(Int)
        case end
        case failure
        case nothing
    }

    /// Fills a buffer; -1 at the end, -2 if the rest will never come, 0 if the connection was suspended.
    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard exchange.attend() != nil else { return -2 }
        defer { exchange.leave() }
        startPumping()
        while true {
            exchange.work()
            switch takeSome(into: buffer) {
            case .some(let count):
                exchange.connection.stay(in: .writing)
                return count
            case .end: return -1
            case .failure:
                exchange.connection.abortResponse()
                return -2
            case .nothing:
                switch exchange.pause(.paused, unless: { _ in hasNews }) {
                case .YES: return 0
                case .NO: return -2
                case nil: continue
                }
            }
        }
    }

    private var hasNews: Bool { state.withLock { !$0.pieces.isEmpty || $0.end != nil || $0.isStopped } }

    private func takeSome(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        let (reading, writer) = state.withLock { state -> (Reading, CheckedContinuation<Bool, Never>?) in
            guard !state.isStopped else { return (.failure, nil) }
            guard let piece = state.pieces.first else {
                switch state.end {
                case .success: return (.end, nil)
                case .failure: return (.failure, nil)
                case nil: return (.nothing, nil)
                }
            }
            let count = min(buffer.count, piece.count - state.taken)
            buffer.copyBytes(from: piece[state.taken..<(state.taken + count)])
            state.taken += count
            state.total += count
            state.waiting -= count
            if state.taken == piece.count {
                state.pieces.removeFirst()
                state.taken = 0
            }
            guard state.waiting < Self.room / 2 else { return (.some(count), nil) }
            defer { state.writer = nil }
            return (.some(count), state.writer)
        }
        writer?.resume(returning: true)
        return reading
    }

    // MARK: The stream's side

    private func startPumping() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { return }
        exchange.hostsHandler()
        Task(executorPreference: exchange) {
            do {
                while let piece = try await self.stream.next() {
                    guard await self.push(piece) else { return }
                }
                self.end(.success(()))
            } catch {
                self.end(.failure(error))
            }
        }
    }

    /// Adds a piece and waits for room; false if the reader has stopped.
    private func push(_ piece: [UInt8]) async -> Bool {
        guard !piece.isEmpty else { return true }
        let (isWanted, isFull) = state.withLock { state in
            guard !state.isStopped else { return (false, false) }
            state.pieces.append(piece)
            state.waiting += piece.count
            return (true, state.waiting >= Self.room)
        }
        guard isWanted else { return false }
        exchange.wake()
        guard isFull else { return true }
        return await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if state.isStopped { return false }
                if state.waiting < Self.room { return true }
                state.writer = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func end(_ result: Result<Void, any Error>) {
        state.withLock { $0.end = result }
        exchange.wake()
    }
}
