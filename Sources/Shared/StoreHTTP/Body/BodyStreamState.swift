/// What a ``BodyStream`` knows. Its steps run under a lock and return whom to wake after it.
struct BodyStreamState {
    typealias Reader = CheckedContinuation<[UInt8]?, any Error>
    typealias Wake = @Sendable () -> Void

    /// Pieces smaller than this are put together, so that a drip of bytes does not cost an array for each.
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

    /// What to resume the reader with; nothing if it has to wait.
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
        // Now and then what was read is dropped, so that a reader that never quite catches up costs nothing.
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
