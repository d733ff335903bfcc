import StoreHTTPClient
import TestSupport
import Testing

@testable import StoreKit

@Suite("One thing at a time", .bounded)
struct SingleFlightTests {
    @Test("Who comes while it is done gets that result; who comes afterwards has it done anew")
    func joining() async throws {
        let flight = SingleFlight()
        let count = Observed(0)
        let (gate, open) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await flight.run { () async throws(ConnectionError) in
                count.update { $0 += 1 }
                for await _ in gate {}
            }
        }
        try await count.wait { $0 > 0 }
        let second = Task { try await flight.run { () async throws(ConnectionError) in count.update { $0 += 10 } } }
        open.finish()
        try await first.value
        try await second.value
        let before = count.value
        #expect(before == 1 || before == 11)
        try await flight.run { () async throws(ConnectionError) in count.update { $0 += 100 } }
        #expect(count.value == before + 100)
    }

    @Test("Whoever asks again and again does not keep out those of lower priority, nor is given what was done before")
    func priorities() async throws {
        for _ in 0..<20 {
            let flight = SingleFlight()
            let count = Observed(0)
            let patient = Task(priority: .background) {
                try await flight.run { () async throws(ConnectionError) in count.update { $0 += 1 } }
            }
            let hasty = (0..<4).map { _ in
                Task(priority: .high) {
                    while count.value < 50 {
                        try await flight.run { () async throws(ConnectionError) in count.update { $0 += 1 } }
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
