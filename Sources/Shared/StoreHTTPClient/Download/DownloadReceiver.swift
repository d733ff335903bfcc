import StoreHTTP
import Synchronization

/// Passes a response from the client's thread to the disk thread through a small buffer: a full one applies
/// back-pressure.
final class DownloadReceiver: ResponseReceiver {
    private static let limit = 1 << 20

    private struct State {
        var head: ResponseHead?
        var pieces: [UInt8] = []
        /// Buffers that the disk thread has emptied, for reuse.
        var spare: [UInt8] = []
        var ended: Result<Void, HTTPClientError>?
        var isScheduled = false
        var mustWake = false
    }

    let wantsDecompression = false
    private let state = Mutex(State())
    private let disk: DiskThread
    private let exchange = Mutex<Exchange?>(nil)
    private let writer: DownloadWriter

    init(_ writer: DownloadWriter, on disk: DiskThread) {
        self.writer = writer
        self.disk = disk
    }

    // MARK: On the client's thread

    func receive(_ head: ResponseHead, of exchange: Exchange) -> HTTPClientError? {
        self.exchange.withLock { $0 = exchange }
        change { $0.head = head }
        return nil
    }

    func receive(_ piece: UnsafeRawBufferPointer, of exchange: Exchange) -> PieceResult {
        var isFull = false
        change { state in
            isFull = state.pieces.count >= Self.limit
            if isFull { state.mustWake = true } else { state.pieces.append(contentsOf: piece) }
        }
        return isFull ? .later : .taken
    }

    func end(_ result: Result<Void, HTTPClientError>) {
        change { $0.ended = result }
    }

    private func change(_ body: (inout State) -> Void) {
        let mustSchedule = state.withLock { state in
            body(&state)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { disk.post { self.drain() } }
    }

    // MARK: On the disk thread

    private func drain() {
        while let taken = take() {
            let exchange = exchange.withLock { $0 }
            if taken.mustWake { exchange?.wake() }
            let wasWanted = writer.isWanted
            if let head = taken.head { writer.receive(head) }
            if !taken.pieces.isEmpty { writer.receive(taken.pieces) }
            if wasWanted, !writer.isWanted { exchange?.cancel() }
            giveBack(taken.pieces)
            if let ended = taken.ended {
                self.exchange.withLock { $0 = nil }
                writer.end(ended)
                return
            }
        }
    }

    private func take() -> State? {
        state.withLock { state in
            guard state.head != nil || !state.pieces.isEmpty || state.ended != nil else {
                state.isScheduled = false
                return nil
            }
            var taken = State()
            swap(&taken.head, &state.head)
            swap(&taken.ended, &state.ended)
            swap(&taken.mustWake, &state.mustWake)
            swap(&taken.pieces, &state.pieces)
            swap(&state.pieces, &state.spare)
            return taken
        }
    }

    private func giveBack(_ pieces: consuming [UInt8]) {
        pieces.removeAll(keepingCapacity: true)
        let empty = pieces
        state.withLock { $0.spare = empty }
    }
}
