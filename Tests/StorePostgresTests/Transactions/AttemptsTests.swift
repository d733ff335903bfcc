import StoreDatabase
import TestSupport
import Testing

@testable import StorePostgres

@Suite("Trying again")
struct AttemptsTests {
    private func attempts(_ isolation: TransactionIsolation? = .serializable) -> Attempts {
        var (limits, databaseLimits) = (PostgresLimits(), DatabaseLimits())
        (limits.connectionAttempts, databaseLimits.serializationAttempts) = (3, 5)
        return Attempts(isolation, limits, databaseLimits, Pause(longest: 100) { 7 })
    }

    @Test("Each cause has its own number of attempts")
    func numbers() {
        var attempts = attempts()
        for _ in 0..<2 { #expect(attempts.millisecondsBeforeNext(after: .connection) != nil) }
        #expect(attempts.millisecondsBeforeNext(after: .connection) == nil)
        for _ in 0..<4 { #expect(attempts.millisecondsBeforeNext(after: .conflict) != nil) }
        #expect(attempts.millisecondsBeforeNext(after: .conflict) == nil)
        #expect(attempts.millisecondsBeforeNext(after: .duplicate) == 0)
        #expect(attempts.millisecondsBeforeNext(after: .duplicate) == nil)
    }

    @Test("After three conflicts a closure is alone, and need not wait")
    func alone() {
        var attempts = attempts()
        var (seen, waits): ([Bool], [Int]) = ([], [])
        for _ in 0..<4 {
            waits.append(attempts.millisecondsBeforeNext(after: .conflict) ?? -1)
            seen.append(attempts.shouldBeAlone)
        }
        #expect(seen == [false, false, true, true])
        #expect(waits == [2, 4, 0, 0])
    }

    @Test("A row that is there already is looked at once more only where all of a transaction is one state")
    func duplicates() {
        for isolation in [TransactionIsolation.readCommitted, nil] {
            var attempts = attempts(isolation)
            #expect(attempts.millisecondsBeforeNext(after: .duplicate) == nil)
        }
    }

    @Test("Pauses grow to their limit, and are of random length")
    func pauses() {
        var longest = Pause(longest: 100) { .max }
        #expect((0..<9).map { _ in longest.nextMilliseconds() } == [2, 4, 8, 16, 32, 64, 16, 16, 16])
        let random = RandomizedRun.generator(named: "pauses")
        let source = SourceOfRandom(random)
        var pause = Pause(longest: 100) { source.next() }
        let lengths = (0..<1000).map { _ in pause.nextMilliseconds() }
        #expect(lengths.allSatisfy { (1...100).contains($0) })
        #expect(Set(lengths).count > 50)
    }
}

private final class SourceOfRandom {
    private var generator: SplitMix64

    init(_ generator: SplitMix64) { self.generator = generator }

    func next() -> UInt64 { generator.next() }
}
