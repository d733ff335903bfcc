import StoreHTTPClient
import Synchronization
import Testing

@testable import StoreKit

@Suite("One thing at a time", .timeLimit(.minutes(5)))
struct SingleFlightTests {
    /// How often something was done.
    private final class Count: Sendable {
        private let number = Mutex(0)

        var value: Int { number.withLock { $0 } }
        func add(_ more: Int) { number.withLock { $0 += more } }
    }

    @Test("Who comes while it is done gets that result; who comes afterwards has it done anew")
    func joining() async throws {
        let flight = SingleFlight()
        let count = Count()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await flight.run { () async throws(ConnectionError) in
                count.add(1)
                for await _ in gate {}
            }
        }
        while count.value == 0 { await Task.yield() }
        let second = Task { try await flight.run { () async throws(ConnectionError) in count.add(10) } }
        open.finish()
        try await first.value
        try await second.value
        let before = count.value
        #expect(before == 1 || before == 11)
        try await flight.run { () async throws(ConnectionError) in count.add(100) }
        #expect(count.value == before + 100)
    }

    @Test("Whoever asks again and again does not keep out those of lower priority, nor is given what was done before")
    func priorities() async throws {
        for _ in 0..<20 {
            let flight = SingleFlight()
            let count = Count()
            let patient = Task(priority: .background) {
                try await flight.run { () async throws(ConnectionError) in count.add(1) }
            }
            let hasty = (0..<4).map { _ in
                Task(priority: .high) {
                    while count.value < 50 {
                        try await flight.run { () async throws(ConnectionError) in count.add(1) }
                    }
                }
            }
            for task in hasty { try await task.value }
            try await patient.value
        }
    }

    @Test("A failure is told to all who waited for it, and the next has another try")
    func failure() async throws {
        let flight = SingleFlight()
        await #expect(throws: ConnectionError.self) {
            try await flight.run { () async throws(ConnectionError) in throw .abandoned }
        }
        try await flight.run { () async throws(ConnectionError) in }
    }
}
