import StoreBackend
import StoreModel

/// Gives the credits of each purchase once, and takes back what was refunded.
struct CreditShop {
    let database: BackendDatabase

    /// Makes the tables.
    func prepare() async throws {
        try await database.transaction { connection in
            try SQLFulfilmentLedger(connection).prepare()
            try connection.run("CREATE TABLE account (name TEXT PRIMARY KEY, credits BIGINT NOT NULL)")
        }
    }

    /// Credits a verified purchase to an account; called again, it returns what was done.
    func fulfil(_ purchase: VerifiedTransaction, for account: String, at now: Instant) async throws -> Fulfilment {
        try await database.transaction { connection in
            try SQLFulfilmentLedger(connection).fulfilInTransaction(purchase, at: now) { act in
                let amount = Int64(100 * purchase.quantity) * (act == .grant ? 1 : -1)
                try connection.run(
                    """
                    INSERT INTO account (name, credits) VALUES ($1, $2)
                    ON CONFLICT (name) DO UPDATE SET credits = account.credits + excluded.credits
                    """, [.text(account), .integer(amount)])
                return "\(amount) credits"
            }
        }
    }
}
