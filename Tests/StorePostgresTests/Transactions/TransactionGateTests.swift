import PostgresTestServer
import Synchronization
import TestSupport
import Testing

@testable import StorePostgres

@Suite("The gate of writing transactions", .bounded)
struct TransactionGateTests {
    @Test("Whoever is alone is alone, and everybody gets in at last")
    func alone() async throws {
        let (gate, census) = (TransactionGate(), Census())
        let rounds = RandomizedRun.cases(200)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    try await onThread {
                        for round in 0..<rounds {
                            let alone = (round + thread) % 5 == 0
                            gate.enter(alone: alone)
                            census.enter(alone: alone)
                            census.leave(alone: alone)
                            gate.leave(alone: alone)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(census.faults == 0)
        #expect(census.entries == 8 * rounds)
    }
}

/// Counts who is inside, and how often somebody was not alone who should have been.
private final class Census: Sendable {
    private let state = Mutex((many: 0, alone: 0, entries: 0, faults: 0))

    var entries: Int { state.withLock { $0.entries } }
    var faults: Int { state.withLock { $0.faults } }

    func enter(alone: Bool) {
        state.withLock { state in
            if alone { state.alone += 1 } else { state.many += 1 }
            state.entries += 1
            if state.alone > 1 || state.alone == 1 && state.many > 0 { state.faults += 1 }
        }
    }

    func leave(alone: Bool) {
        state.withLock { if alone { $0.alone -= 1 } else { $0.many -= 1 } }
    }
}
