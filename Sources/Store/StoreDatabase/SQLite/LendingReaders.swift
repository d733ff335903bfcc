import Synchronization

/// Connections that are lent to callers which read on their own thread; they are opened when they are first needed.
final class LendingReaders: Sendable {
    private struct State {
        var free: [HandedOver<SQLiteReader>] = []
        var lent = 0
        var isClosed = false
        /// The callers of `close` that wait until the last connection is back.
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let limit: Int
    private let open: @Sendable () throws -> sending SQLiteReader

    init(limit: Int, open: @escaping @Sendable () throws -> sending SQLiteReader) {
        self.limit = limit
        self.open = open
    }

    /// Lends a connection for as long as `body` runs; nil if none is to be had.
    func lend<Result>(_ body: (SQLiteReader) throws -> Result) rethrows -> Result? {
        guard let reader = take() else { return nil }
        defer { takeBack(reader) }
        return try reader.value.map(body)
    }

    private func take() -> HandedOver<SQLiteReader>? {
        let (free, mayOpen) = state.withLock { state -> (HandedOver<SQLiteReader>?, Bool) in
            guard !state.isClosed, state.lent < limit else { return (nil, false) }
            state.lent += 1
            return (state.free.popLast(), true)
        }
        guard free == nil, mayOpen else { return free }
        // One that cannot be opened is told by the read that waits for another connection instead.
        let opened = try? HandedOver(open())
        if opened == nil { takeBack(nil) }
        return opened
    }

    private func takeBack(_ reader: HandedOver<SQLiteReader>?) {
        let isClosed = state.withLock { state in
            if let reader, !state.isClosed { state.free.append(reader) }
            return state.isClosed
        }
        if isClosed { reader?.giveBack() }
        let closing = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.lent -= 1
            guard state.lent == 0 else { return [] }
            defer { state.closing = [] }
            return state.closing
        }
        for continuation in closing { continuation.resume() }
    }

    /// Stops lending, and returns when every connection is closed.
    func close() async {
        let free = state.withLock { state in
            defer { state.free = [] }
            state.isClosed = true
            return state.free
        }
        for reader in free { reader.giveBack() }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.lent > 0 { state.closing.append(continuation) }
                return state.lent == 0
            }
            if isOver { continuation.resume() }
        }
    }
}
