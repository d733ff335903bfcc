import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@Suite(.bounded) struct SignalWaiterTests {
    /// Waits that never end by time, and say when they have begun.
    private static let forever: @Sendable (Duration) async throws -> Void = { _ in
        try await Task.sleep(for: .seconds(600))
    }

    @Test("Whoever waits is woken by what is written, whenever it is written", arguments: StoreEngine.allCases)
    func neverLost(_ engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let database = databases.sandbox
            let waiters = SignalWaiters(pause: Self.forever)
            let follower = Task { try await waiters.follow(.purchases, of: database) }
            defer { follower.cancel() }
            try await waiters.untilFollowing(.purchases, of: database)
            for round in 0..<40 {
                let isWritten = Mutex(false)
                async let found = waiters.wait(for: "\(round)", on: .purchases, upTo: .seconds(60)) {
                    isWritten.withLock { $0 } ? round : nil
                }
                isWritten.withLock { $0 = true }
                try await database.write { try $0.signal(Signal(.purchases, subject: "\(round)")) }
                #expect(try await found == round)
            }
        }
    }

    @Test("What is there already is found without waiting")
    func atOnce() async throws {
        let waiters = SignalWaiters(pause: Self.forever)
        #expect(try await waiters.wait(for: "1", on: .purchases, upTo: .seconds(60)) { 7 } == 7)
    }

    @Test("When the time is over it looks once more, and gives what it finds")
    func late() async throws {
        let waiters = SignalWaiters(pause: { _ in })
        let looks = Mutex(0)
        let found: Int? = try await waiters.wait(for: "1", on: .purchases, upTo: .seconds(1)) {
            looks.withLock { count in
                count += 1
                return nil
            }
        }
        #expect(found == nil)
        #expect(looks.withLock { $0 } == 2)
        let last = try await waiters.wait(for: "1", on: .purchases, upTo: .zero) { nil as Int? }
        #expect(last == nil)
    }

    @Test("Whoever is cancelled waits no longer")
    func cancelled() async throws {
        let waiters = SignalWaiters(pause: Self.forever)
        let (looked, continuation) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            try await waiters.wait(for: "1", on: .purchases, upTo: .seconds(600)) {
                continuation.yield()
                return nil as Int?
            }
        }
        for await _ in looked { break }
        waiting.cancel()
        #expect(try await waiting.value == nil)
    }

    @Test("When the store is stopped everybody looks once more and goes, and nobody waits who comes later")
    func stopped() async throws {
        let waiters = SignalWaiters(pause: Self.forever)
        let (looked, continuation) = AsyncStream.makeStream(of: Void.self)
        let looks = Mutex(0)
        async let nothing: Int? = waiters.wait(for: "1", on: .purchases, upTo: .seconds(600)) {
            continuation.yield()
            looks.withLock { $0 += 1 }
            return nil
        }
        for await _ in looked { break }
        waiters.end()
        #expect(try await nothing == nil)
        #expect(looks.withLock { $0 } == 2)
        let later: Int? = try await waiters.wait(for: "1", on: .purchases, upTo: .seconds(600)) { nil }
        #expect(later == nil)
    }
}
