import Foundation
import StoreFoundation
import StoreLog
import StoreModel
import TestSupport
import Testing

/// What happens to lines of the log that nobody takes.
@Suite("The queue of the log", .bounded)
struct LogQueueTests {
    /// A pipe of a page, as a log's reader has it.
    private struct Reader {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            let result = pipe(&ends)
            try #require(result == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        /// Everything that is written until the other end is closed.
        func lines() async -> [String] {
            await OwnThread.run(named: "reader") { [reading] in
                var (all, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
                while true {
                    let count = read(reading, &piece, piece.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    all += piece.prefix(count)
                }
                close(reading)
                return String(decoding: all, as: UTF8.self)
                    .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            }
        }
    }

    /// More than a pipe takes by itself.
    private static let waitingBytes = 200_000
    private static let line = Array((String(repeating: "x", count: 99) + "\n").utf8)

    private func queue(_ descriptor: Int32) -> LogQueue {
        LogQueue(descriptor, format: .text, waitingBytes: Self.waitingBytes, time: { .init(millisecondsSinceEpoch: 0) })
    }

    private func note(_ sentence: String, lines: Int) -> String {
        "1970-01-01T00:00:00.000Z WARNING \(sentence)  event=log.lines_lost lines=\(lines)"
    }

    @Test("A reader that does not read delays nobody who logs, and is told what it missed once it reads")
    func stuckReader() async throws {
        let reader = try Reader()
        let log = queue(reader.writing)
        // More than the pipe and the queue hold, whatever the size of a pipe is here.
        let count = 20_000
        for _ in 0..<count { log.add(Self.line) }
        #expect(await !log.flush(within: .zero))
        let lost = log.lost
        #expect(lost > 0)

        async let read = reader.lines()
        #expect(await log.flush(within: .seconds(600)))
        log.add(Array("after\n".utf8))
        #expect(await log.flush(within: .seconds(600)))
        close(reader.writing)
        let lines = await read
        #expect(log.lost == lost)
        #expect(lines.filter { $0.hasPrefix("x") }.count == count - lost)
        // The system may let the queue's thread begin late, so that lines are missing at more than one place.
        let missing = lines.compactMap { line in line.split(separator: " lines=").dropFirst().first.flatMap { Int($0) }
        }
        #expect(missing.reduce(0, +) == lost)
        #expect(lines.last == "after")
    }

    @Test("A reader that is gone ends nothing, and whoever reads next is told what is missing")
    func closedReader() async throws {
        let gone = try Reader()
        close(gone.reading)
        let log = queue(gone.writing)
        log.add(Self.line)
        #expect(await log.flush(within: .seconds(600)))
        #expect(log.lost == 1)

        let next = try Reader()
        try #require(dup2(next.writing, gone.writing) >= 0)
        close(next.writing)
        log.add(Array("after\n".utf8))
        #expect(await log.flush(within: .seconds(600)))
        close(gone.writing)
        #expect(await next.lines() == [note("1 line could not be written.", lines: 1), "after"])
        #expect(log.lost == 1)
    }

    @Test("A full disk loses lines, and the log says how many when there is room again")
    func fullDisk() async throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        let log = queue(full)
        for _ in 0..<3 { log.add(Self.line) }
        #expect(await log.flush(within: .seconds(600)))
        #expect(log.lost == 3)

        let reader = try Reader()
        try #require(dup2(reader.writing, full) >= 0)
        close(reader.writing)
        log.add(Array("after\n".utf8))
        #expect(await log.flush(within: .seconds(600)))
        close(full)
        #expect(await reader.lines() == [note("3 lines could not be written.", lines: 3), "after"])
    }
}
