import Synchronization
import Testing

@testable import StoreSigning

struct RandomNumbersTests {
    /// A source that counts, in bytes of which eight are one number.
    private final class Counting: Sendable {
        private let drawn = Mutex<UInt64>(0)

        var count: UInt64 { drawn.withLock { $0 } }

        func bytes(_ count: Int) -> [UInt8] {
            drawn.withLock { drawn in
                (0..<count / 8).flatMap { _ in
                    drawn += 1
                    return withUnsafeBytes(of: drawn) { Array($0) }
                }
            }
        }
    }

    @Test("Every number of the source is given out once, to whoever asks")
    func once() async {
        let source = Counting()
        let numbers = RandomNumbers(RandomBytes { source.bytes($0) })
        let given = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 { group.addTask { (0..<100).map { _ in numbers.next() } } }
            return await group.reduce(into: [UInt64]()) { $0 += $1 }
        }
        #expect(Set(given).count == 800)
        #expect(given.allSatisfy { (1...source.count).contains($0) })
        #expect(source.count < 800 + 64)
    }

    @Test("Numbers of the real source differ, also between two of these")
    func differ() {
        let (first, second) = (RandomNumbers(), RandomNumbers())
        let given = (0..<500).flatMap { _ in [first.next(), second.next()] }
        #expect(Set(given).count == 1000)
    }

    @Test("Where the source fails, the system's numbers take its place")
    func failing() {
        struct Broken: Error {}
        let numbers = RandomNumbers(RandomBytes { _ in throw Broken() })
        #expect(Set((0..<100).map { _ in numbers.next() }).count == 100)
    }
}
