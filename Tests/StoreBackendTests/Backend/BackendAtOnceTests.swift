import StoreBackend
import StoreModel
import TestSupport
import Testing

@Suite("A developer's server that many ask at once", .bounded)
struct BackendAtOnceTests {
    @Test("X5, R5.7: 64 clients send receipts at once, and each transaction is credited once", arguments: engines)
    func sameUser(dialect: SQLDialect) async throws {
        try await BackendSample.with(dialect) { sample in
            let news = try await Self.record(sample, as: Array(repeating: sample.mary, count: 64))
            #expect(news == Self.transactions.count)
            #expect(try await sample.credits(of: sample.mary) == Int64(100 * Self.transactions.count))
        }
    }

    @Test(
        "P27: Sent by many users at once, each transaction is one user's, and credited to that one", arguments: engines)
    func manyUsers(dialect: SQLDialect) async throws {
        try await BackendSample.with(dialect) { sample in
            let users = try (0..<8).map { try BackendUser(id: "user \($0)") }
            _ = try await Self.record(sample, as: users)
            var owned = 0
            for user in users {
                let own = try await sample.backend.entitlements(of: user, at: BackendSample.now).count
                #expect(try await sample.credits(of: user) == Int64(100 * own), "\(user.id)")
                owned += own
            }
            #expect(owned == Self.transactions.count)
        }
    }

    private static let transactions = (1...20).map { BackendSample.bought(BackendSample.credits, Int64($0)) }

    /// Every client sends receipts of four purchases, which others send in other receipts. Gives how many were new.
    private static func record(_ sample: BackendSample, as users: [BackendUser]) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (client, user) in users.enumerated() {
                group.addTask {
                    var count = 0
                    for part in 0..<5 {
                        let bought = (0..<4).map { transactions[(client * 7 + part * 4 + $0) % transactions.count] }
                        let proof = try sample.proof(bought)
                        let recorded = try await sample.backend.record(proof, for: user, at: BackendSample.now)
                        count += recorded.count { $0.isNew && $0.state == .granted }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
    }
}
