import StoreHTTP
import Synchronization

/// Brings a body that tasks make to the client's thread, one piece ahead.
final class UploadFeed: Sendable {
    private struct State {
        var piece: ArraySlice<UInt8> = []
        var ended: Result<Void, any Error>?
        var isGivenUp = false
        /// Woken when the piece has been read.
        var writer: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let stream: BodyStream
    private let wake: @Sendable () -> Void

    init(_ stream: BodyStream, wake: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.wake = wake
        // It ends when the body does or the request is over, one of which is sure to come.
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

    /// Waits until a piece has been read; false if nobody will read it.
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
