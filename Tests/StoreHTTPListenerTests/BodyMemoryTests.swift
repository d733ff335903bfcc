import Testing

@testable import StoreHTTPListener

@Suite("The memory of bodies")
struct BodyMemoryTests {
    private static let piece = BodyMemory.pieceBytes

    private func append(_ bytes: [UInt8], to body: inout ArrivingBody, from memory: BodyMemory) -> Bool {
        bytes.withUnsafeBytes { body.append($0, from: memory) }
    }

    @Test("A body is as it came, whatever the sizes of its parts", arguments: [1, 1000, piece, piece + 1, 3 * piece])
    func parts(size: Int) {
        let memory = BodyMemory(bytes: 10 * Self.piece)
        let sent = (0..<4 * Self.piece + 5).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0) }
        for _ in 0..<2 {
            var body = ArrivingBody()
            for start in stride(from: 0, to: sent.count, by: size) {
                #expect(append(Array(sent[start..<min(start + size, sent.count)]), to: &body, from: memory))
            }
            #expect(memory.taken == 5 * Self.piece)
            #expect(body.handOver(to: memory) == sent)
            // It is in other hands, and counts until the request ends.
            #expect(memory.taken == 5 * Self.piece)
            body.release(to: memory)
            #expect(memory.taken == 0)
        }
        var none = ArrivingBody()
        #expect(none.handOver(to: memory).isEmpty && memory.taken == 0)
    }

    @Test("Bodies together have no more than there is, and what one gives back the next one has")
    func limit() {
        let memory = BodyMemory(bytes: 3 * Self.piece)
        var (first, second) = (ArrivingBody(), ArrivingBody())
        #expect(append(Array(repeating: 1, count: 2 * Self.piece), to: &first, from: memory))
        #expect(append([2], to: &second, from: memory))
        #expect(append(Array(repeating: 2, count: Self.piece - 1), to: &second, from: memory))
        #expect(!append([2], to: &second, from: memory))
        second.release(to: memory)
        second.release(to: memory)
        #expect(memory.taken == 2 * Self.piece)
        #expect(append([1], to: &first, from: memory))
        #expect(memory.taken == 3 * Self.piece)
        first.release(to: memory)
        #expect(memory.taken == 0)
    }
}
