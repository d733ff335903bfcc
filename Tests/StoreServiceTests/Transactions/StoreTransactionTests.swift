import StorageTestSupport
import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import Testing

@Suite struct StoreTransactionTests {
    private func database() async throws -> any Database { try await StoreDatabases.inMemory(.current()).sandbox }

    private func read(_ id: TransactionID, from database: any Database) async throws -> StoreTransaction {
        try await database.read { transaction in
            try transaction.one(StoreTransaction.selection + " WHERE store_transaction.id = $1", id) {
                try StoreTransaction($0)
            }
        }
    }

    @Test("A transaction is read as it was written, with and without what a row may leave out")
    func written() async throws {
        let database = try await database()
        var restore = try SampleTransaction.subscription(3)
        restore.orderID = nil
        restore.restoredID = try SampleTransaction.id(2)
        restore.originalID = try SampleTransaction.id(2)
        restore.originalPurchaseDate = Instant(millisecondsSinceEpoch: 1_700_000_000_000)
        restore.reason = .renewal
        let all = try [SampleTransaction.consumable(1), SampleTransaction.subscription(2), restore]
        try await database.write { transaction in
            for one in all { try one.insert(in: transaction) }
        }
        for one in all { #expect(try await read(one.id, from: database) == one) }
    }

    @Test("A transaction that was taken back says when and why; the others do not")
    func revoked() async throws {
        let database = try await database()
        let (kept, taken) = try (SampleTransaction.consumable(1), SampleTransaction.consumable(2))
        let revocation = try TransactionRevocation(
            reason: .appIssue, revokedAt: Instant(millisecondsSinceEpoch: 1_800_000_500_000),
            refund: RefundID(number: 5))
        try await database.write { transaction in
            try kept.insert(in: transaction)
            try taken.insert(in: transaction)
            try transaction.execute(
                """
                INSERT INTO transaction_revocation (transaction_id, refund_id, reason, revoked_at)
                VALUES ($1, $2, $3, $4)
                """, taken.id, revocation.refund, revocation.reason, revocation.revokedAt)
        }
        #expect(try await read(kept.id, from: database).revocation == nil)
        #expect(try await read(taken.id, from: database).revocation == revocation)
    }
}
