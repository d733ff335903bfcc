import StoreBackend
import StoreModel
import TestSupport
import Testing

@Suite("A developer's server that many ask at once", .bounded)
struct BackendAtOnceTests {
    @Test("X5, R5.7: 64 clients send receipts at once, and each transaction is credited once", arguments: engines)
    func sameUser(dialect: SQLDialect) async throws {
        try await Self.with(dialect) { backend in
            let user = try BackendUser(id: "me")
            let news = try await Self.record(backend, as: Array(repeating: user, count: 64))
            #expect(news == Self.transactions.count)
            let credited = Int64(100 * Self.transactions.count)
            #expect(try await backend.balances(of: user) == [Balance(name: "credits", amount: credited)])
        }
    }

    @Test(
        "P27: Sent by many users at once, each transaction is one user's, and credited to that one", arguments: engines)
    func manyUsers(dialect: SQLDialect) async throws {
        try await Self.with(dialect) { backend in
            let users = try (0..<8).map { try BackendUser(id: "user \($0)") }
            _ = try await Self.record(backend, as: users)
            var (owned, credited) = (0, Int64(0))
            for user in users {
                let own = try await backend.entitlements(of: user, at: FulfilmentLedgerTests.now).count
                let amount = try await backend.balances(of: user).reduce(0) { $0 + $1.amount }
                #expect(amount == Int64(100 * own), "\(user.id)")
                owned += own
                credited += amount
            }
            #expect(owned == Self.transactions.count)
            #expect(credited == Int64(100 * Self.transactions.count))
        }
    }

    private static let transactions: [VerifiedTransaction] = (1...20).map { number in
        var transaction = FulfilmentLedgerTests.bought
        transaction.transactionID = FulfilmentLedgerTests.id(Int64(number))
        transaction.originalTransactionID = transaction.transactionID
        transaction.kind = .consumable
        return transaction
    }

    /// A server with a list of one product.
    private static func with(_ dialect: SQLDialect, _ body: (Backend) async throws -> Void) async throws {
        try await BackendPlace.with(dialect) { place in
            let (bundleID, productID) = (transactions[0].bundleID, transactions[0].productID)
            let backend = Backend(
                database: try place.open(), verifier: Vouching(transactions: transactions),
                settings: BackendSettings(bundleIDs: [bundleID]))
            try await backend.prepare(at: FulfilmentLedgerTests.now)
            let credits = ListedProduct(productID, kind: .consumable, credit: Balance(name: "credits", amount: 100))
            let list = ProductList(bundleID: bundleID, products: [credits])
            _ = try await backend.publish(list, at: FulfilmentLedgerTests.now)
            try await body(backend)
            backend.database.close()
        }
    }

    /// Every client sends receipts of a few purchases each, which others have too. Gives how many were new to the server.
    private static func record(_ backend: Backend, as users: [BackendUser]) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (client, user) in users.enumerated() {
                group.addTask {
                    var count = 0
                    for part in 0..<5 {
                        let proof = ProofOfPayment(.appReceipt, [UInt8(client % 20), UInt8(part)])
                        let recorded = try await backend.record(proof, for: user, at: FulfilmentLedgerTests.now)
                        count += recorded.count { $0.isNew && $0.state == .granted }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// Takes two bytes for the receipt of four purchases.
    private struct Vouching: PaymentVerifier {
        let transactions: [VerifiedTransaction]

        func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
            let (client, part) = (Int(proof.bytes[0]), Int(proof.bytes[1]))
            let chosen = (0..<4).map { transactions[(client * 7 + part * 4 + $0) % transactions.count] }
            return VerifiedPayment(environment: .sandbox, bundleID: chosen[0].bundleID, transactions: chosen)
        }
    }
}
