import Foundation
import StoreDatabase
import Synchronization

/// Writers that each make a transaction, wait until it is durable, and make the next.
final class StorageContestant: Contestant, Sendable {
    /// What the database lives in, which must not go away before it.
    private let place: any Sendable
    private let database: any Database
    private let ids = Atomic<Int64>(0)

    /// Writes to a database with the schema ``schema()``.
    init(_ database: any Database, in place: any Sendable) {
        (self.database, self.place) = (database, place)
    }

    static func schema() throws -> Schema {
        try Schema(
            "bench",
            [
                Migration(
                    1, "postings",
                    [
                        """
                        CREATE TABLE posting (
                            id \(.integer) NOT NULL PRIMARY KEY, customer_id \(.integer) NOT NULL,
                            posted_at \(.integer) NOT NULL, kind \(.text) NOT NULL, amount \(.integer) NOT NULL,
                            content \(.bytes) NOT NULL
                        ) \(.table)
                        """,
                        "CREATE INDEX posting_customer ON posting (customer_id, posted_at)",
                    ])
            ])
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start.advanced(by: .seconds(seconds))
        let done = try FirstThread.wait { try await self.write(until: end, clock) }
        let elapsed = (clock.now - start) / .seconds(1)
        return Rate(operations: done, seconds: elapsed)
    }

    private func write(until end: ContinuousClock.Instant, _ clock: ContinuousClock) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<StorageRow.writers {
                group.addTask {
                    var done = 0
                    while clock.now < end {
                        let rows = Int64(StorageRow.rowsPerTransaction)
                        let first = self.ids.add(rows, ordering: .relaxed).oldValue + 1
                        try await self.database.write { try Self.post(first, $0) }
                        done += 1
                    }
                    return done
                }
            }
            return try await group.reduce(0, +)
        }
    }

    private static func post(_ first: Int64, _ transaction: any WriteTransaction) throws {
        for row in 0..<Int64(StorageRow.rowsPerTransaction) {
            let id = first + row
            try transaction.execute(
                "INSERT INTO posting (id, customer_id, posted_at, kind, amount, content) VALUES ($1, $2, $3, $4, $5, $6)",
                id, id * 7919 % 10007, 1_700_000_000_000 + id, row % 2 == 1 ? "debit" : "credit", 100 * row,
                StorageRow.content)
        }
    }
}
