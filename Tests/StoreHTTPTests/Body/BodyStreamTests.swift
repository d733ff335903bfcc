import StoreHTTP
import Synchronization
import TestSupport
import Testing

/// One writer, one reader, and what happens when either leaves.
@Suite(.bounded) struct BodyStreamTests {
    @Test("Pieces arrive in order, then the end, again and again")
    func order() async throws {
        let stream = BodyStream()
        try await stream.write([1, 2])
        try await stream.write([3])
        stream.finish()
        #expect(try await stream.collect(limit: 10) == [1, 2, 3])
        #expect(try await stream.next() == nil)
    }

    @Test("Thousands of small writes arrive whole while the reader waits for them")
    func smallWrites() async throws {
        let stream = BodyStream(limit: 64)
        let count = RandomizedRun.cases(20_000)
        async let written: Void = {
            for number in 0..<count { try await stream.write([UInt8(truncatingIfNeeded: number)]) }
            stream.finish()
        }()
        let bytes = try await stream.collect(limit: .max)
        try await written
        #expect(bytes == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test("Writers and readers of any pace pass on every byte", arguments: [1, 7, 100, 5000])
    func paces(_ limit: Int) async throws {
        var random = RandomizedRun.generator(named: "body stream paces \(limit)")
        let pieces = (0..<RandomizedRun.cases(300)).map { _ in random.bytes(Int.random(in: 1...200, using: &random)) }
        let pauses = pieces.map { _ in Bool.random(using: &random) }
        let stream = BodyStream(limit: limit)
        async let written: Void = {
            for (piece, pause) in zip(pieces, pauses) {
                if pause { await Task.yield() }
                try await stream.write(piece)
            }
            stream.finish()
        }()
        var bytes: [UInt8] = []
        for try await piece in stream {
            bytes += piece
            if piece.count.isMultiple(of: 3) { await Task.yield() }
        }
        try await written
        #expect(bytes == pieces.flatMap { $0 })
    }

    @Test("The writer waits at the limit and is woken when half of it is read")
    func limit() async throws {
        let stream = BodyStream(limit: 10_000)
        let woken = Mutex(0)
        let wake: @Sendable () -> Void = { woken.withLock { $0 += 1 } }
        #expect(stream.write(Array(repeating: 1, count: 5000), drained: wake) == .keepWriting)
        #expect(stream.write(Array(repeating: 2, count: 5000), drained: wake) == .waitUntilDrained)
        #expect(woken.withLock { $0 } == 0)
        #expect(try await stream.next()?.count == 5000)
        #expect(woken.withLock { $0 } == 1)
        _ = try await stream.next()
        #expect(woken.withLock { $0 } == 1)
    }

    @Test("Two writers that wait are both woken")
    func twoWriters() async throws {
        let stream = BodyStream(limit: 1)
        async let first: Void = stream.write([1])
        async let second: Void = stream.write([2])
        var read = 0
        while read < 2 { read += try await stream.next()?.count ?? 0 }
        _ = try await (first, second)
        #expect(read == 2)
    }

    @Test("What was written before a failure is read before it")
    func failure() async throws {
        let stream = BodyStream()
        try await stream.write([1])
        stream.fail(Broken())
        #expect(try await stream.next() == [1])
        await #expect(throws: Broken.self) { try await stream.next() }
    }

    @Test("A reader that waits hears of the end")
    func waitingForEnd() async throws {
        let stream = BodyStream()
        async let piece = stream.next()
        await Task.yield()
        stream.finish()
        #expect(try await piece == nil)
    }

    @Test("A reader that waits hears of a failure")
    func waitingForFailure() async {
        let stream = BodyStream()
        let reader = Task { try await stream.next() }
        await Task.yield()
        stream.fail(Broken())
        await #expect(throws: Broken.self) { try await reader.value }
    }

    @Test("After the end nothing is taken")
    func afterEnd() async {
        let stream = BodyStream()
        stream.finish()
        #expect(stream.write([1], drained: {}) == .readerGone)
    }

    @Test("A writer hears that the reader has given up, also while it waits")
    func giveUp() async throws {
        let stream = BodyStream(limit: 1)
        let writer = Task { try await stream.write([1]) }
        // Whether the writer waits already or not, it must hear of it.
        await Task.yield()
        stream.giveUp()
        await #expect(throws: BodyReaderGone.self) { try await writer.value }
        #expect(stream.isReaderGone)
        await #expect(throws: CancellationError.self) { try await stream.next() }
    }

    @Test("A cancelled reader gives the stream up, whenever it is cancelled")
    func cancelledReader() async {
        for round in 0..<RandomizedRun.cases(500) {
            let stream = BodyStream(limit: 1)
            let reader = Task { try await stream.next() }
            await RandomizedRun.giveWay(round % 4)
            reader.cancel()
            let result = await reader.result
            #expect(throws: CancellationError.self) { try result.get() }
            await #expect(throws: BodyReaderGone.self) { try await stream.write([1]) }
        }
    }

    @Test("A cancelled writer fails the body, whenever it is cancelled")
    func cancelledWriter() async {
        for round in 0..<RandomizedRun.cases(500) {
            let stream = BodyStream(limit: 1)
            let writer = Task { try await stream.write([1]) }
            await RandomizedRun.giveWay(round % 4)
            writer.cancel()
            let result = await writer.result
            #expect(throws: CancellationError.self) { try result.get() }
            await #expect(throws: CancellationError.self) { while try await stream.next() != nil {} }
        }
    }

    @Test("Readers and writers that leave at random leave nobody waiting")
    func leaving() async {
        var random = RandomizedRun.generator(named: "body stream leaving")
        for _ in 0..<RandomizedRun.cases(300) {
            let stream = BodyStream(limit: Int.random(in: 1...8, using: &random))
            let (pieces, steps) = (Int.random(in: 0...20, using: &random), Int.random(in: 0...20, using: &random))
            let end = Int.random(in: 0...4, using: &random)
            let writer = Task {
                for number in 0..<pieces { try await stream.write([UInt8(number)]) }
                if end == 0 { stream.fail(Broken()) } else { stream.finish() }
            }
            let reader = Task { () -> Int in
                var read = 0
                while read < steps, try await stream.next() != nil { read += 1 }
                if end != 1 { stream.giveUp() }
                return read
            }
            if end == 1 { reader.cancel() }
            if end == 2 { writer.cancel() }
            _ = await reader.result
            stream.giveUp()
            _ = await writer.result
            #expect(stream.isReaderGone)
        }
    }

    @Test("Of two that read at once one is refused, and the other gets the piece")
    func secondReader() async throws {
        let stream = BodyStream()
        let refused = Mutex(0)
        let read: @Sendable () async throws -> [UInt8]? = {
            do {
                return try await stream.next()
            } catch is BodyReadTwice {
                refused.withLock { $0 += 1 }
                try await stream.write([7])
                return nil
            }
        }
        async let first = read()
        async let second = read()
        let pieces = try await [first, second].compactMap { $0 }
        #expect(pieces == [[7]])
        #expect(refused.withLock { $0 } == 1)
    }

    @Test("Collecting beyond the limit refuses and stops the writer")
    func collectLimit() async throws {
        let stream = BodyStream()
        try await stream.write([1, 2, 3])
        let error = await #expect(throws: APIError.self) { try await stream.collect(limit: 2) }
        #expect(error?.status == .contentTooLarge)
        #expect(stream.isReaderGone)
    }

    private struct Broken: Error {}
}
