import CLinux
import Foundation
import StoreFoundation
import Synchronization

/// The memory for bodies of requests, while they arrive and until the requests end: pieces of one size, which the system
/// gives and gets back.
///
/// The allocator keeps what was freed for requests of like sizes. Bodies come in all sizes and end in any order, so what a
/// flood of them leaves would stay with the process. A piece fits every body, and what is beyond a reserve of pieces is
/// returned at once. A body that is complete is a copy by the allocator, and counts like its pieces; after a flood the
/// allocator is told to return what it keeps.
final class BodyMemory: Sendable {
    static let pieceBytes = 16 * 1024
    /// How many pieces are kept for the bodies to come.
    private static let reserve = 64
    /// From what on it was a flood, in pieces.
    private static let flood = 16 * 1024 * 1024 / pieceBytes

    private struct State {
        var free: [BodyPiece] = []
        var taken = 0
        /// The most that was taken since there was little.
        var peak = 0

        /// Whether a flood is over, which is noticed once.
        mutating func isAfterFlood() -> Bool {
            guard peak >= flood, taken <= peak / 8 else { return false }
            peak = taken
            return true
        }
    }

    private let most: Int
    private let state = Mutex(State())

    /// - Parameter bytes: how much there is of it.
    init(bytes: Int) {
        most = max(1, bytes / Self.pieceBytes)
    }

    /// What is counted for bodies now, in bytes.
    var taken: Int { state.withLock { $0.taken } * Self.pieceBytes }

    /// A piece for a body; nil if all are taken, or the system has none.
    fileprivate func take() -> BodyPiece? {
        let (isFree, piece) = state.withLock { state -> (Bool, BodyPiece?) in
            guard state.taken < most else { return (false, nil) }
            state.taken += 1
            state.peak = max(state.peak, state.taken)
            return (true, state.free.popLast())
        }
        guard isFree else { return nil }
        if let made = piece ?? BodyPiece(bytes: Self.pieceBytes) { return made }
        release(1)
        return nil
    }

    /// Takes pieces back, which still count.
    fileprivate func giveBack(_ pieces: [BodyPiece]) {
        state.withLock { $0.free += pieces.prefix(Self.reserve - $0.free.count) }
    }

    /// Counts so many pieces no more.
    fileprivate func release(_ count: Int) {
        let isAfterFlood = state.withLock { state in
            state.taken -= count
            return state.isAfterFlood()
        }
        if isAfterFlood { OwnThread.start(named: "memory") { malloc_trim(0) } }
    }
}

/// Pages of the system; they are returned with the object.
// Safe: only the body that has taken it reads or writes it, under the lock of its exchange.
private final class BodyPiece: @unchecked Sendable {
    private let pages: UnsafeMutableRawBufferPointer

    init?(bytes: Int) {
        let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start, start != MAP_FAILED else { return nil }
        pages = UnsafeMutableRawBufferPointer(start: start, count: bytes)
    }

    deinit { munmap(pages.baseAddress, pages.count) }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        UnsafeMutableRawBufferPointer(rebasing: pages[offset..<offset + bytes.count]).copyMemory(from: bytes)
    }

    func read(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: pages[..<count]) }
}

/// A body as far as it has arrived.
struct ArrivingBody: Sendable {
    private var pieces: [BodyPiece] = []
    private var count = 0
    /// How many pieces are counted for it.
    private var counted = 0

    /// Adds what has arrived; false if there is no memory for it.
    mutating func append(_ bytes: UnsafeRawBufferPointer, from memory: BodyMemory) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let offset = count % BodyMemory.pieceBytes
            if offset == 0 {
                guard let piece = memory.take() else { return false }
                pieces.append(piece)
                counted += 1
            }
            let part = rest.prefix(BodyMemory.pieceBytes - offset)
            pieces.last?.write(UnsafeRawBufferPointer(rebasing: part), at: offset)
            count += part.count
            rest = rest.dropFirst(part.count)
        }
        return true
    }

    /// The whole body. Its pieces are given back, and it counts until it is released.
    mutating func handOver(to memory: BodyMemory) -> [UInt8] {
        defer {
            memory.giveBack(pieces)
            pieces = []
            count = 0
        }
        return bytes
    }

    private var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            for piece in pieces {
                let part = piece.read(min(BodyMemory.pieceBytes, count - filled))
                UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<filled + part.count]
                )
                .copyMemory(from: part)
                filled += part.count
            }
        }
    }

    /// Gives its memory back, and counts no more.
    mutating func release(to memory: BodyMemory) {
        guard counted > 0 else { return }
        memory.giveBack(pieces)
        memory.release(counted)
        self = ArrivingBody()
    }
}
