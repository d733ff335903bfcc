import Testing

@testable import StoreSigning

@Suite struct RecentChainsTests {
    private func value(_ recent: RecentChains<Int>, _ key: [UInt8]) -> Int? {
        key.withUnsafeBytes { recent.value(for: $0) }
    }

    @Test("Answers for exactly the bytes it was given") func answersExactlyBytes() {
        let recent = RecentChains<Int>()
        recent.remember(1, for: [1, 2, 3])
        recent.remember(2, for: [1, 2])
        #expect(value(recent, [1, 2, 3]) == 1)
        #expect(value(recent, [1, 2]) == 2)
        for other: [UInt8] in [[], [1], [1, 2, 4], [1, 2, 3, 0], [0, 2, 3]] { #expect(value(recent, other) == nil) }
        #expect(recent.value(for: UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
    }

    @Test("Answers for the same bytes in two pieces") func answersSameBytes() {
        let recent = RecentChains<Int>()
        let key: [UInt8] = [1, 2, 3]
        recent.remember(1, for: key)
        for cut in 0...3 {
            let found = key[..<cut].withUnsafeBytes { first in
                key[cut...].withUnsafeBytes { recent.value(for: first, $0) }
            }
            #expect(found == 1)
        }
        for (first, second) in [([1, 2], [3, 4]), ([1, 2], [4]), ([2], [2, 3]), ([1, 2], [])] as [([UInt8], [UInt8])] {
            #expect(first.withUnsafeBytes { left in second.withUnsafeBytes { recent.value(for: left, $0) } } == nil)
        }
    }

    @Test("Keeps the first answer for the same bytes") func keepsFirstAnswer() {
        let recent = RecentChains<Int>()
        recent.remember(1, for: [7])
        recent.remember(2, for: [7])
        #expect(value(recent, [7]) == 1)
    }

    @Test("Forgets the oldest beyond its limit") func forgetsOldestBeyond() {
        let recent = RecentChains<Int>()
        let limit = SigningLimits.cachedChains
        for number in 0..<(limit + 3) { recent.remember(number, for: [UInt8(number)]) }
        for number in 0..<3 { #expect(value(recent, [UInt8(number)]) == nil) }
        for number in 3..<(limit + 3) { #expect(value(recent, [UInt8(number)]) == number) }
        recent.remember(0, for: [0])
        #expect(value(recent, [0]) == 0)
        #expect(value(recent, [3]) == nil)
    }
}
