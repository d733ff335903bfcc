import StoreBackend
import StoreModel

/// A table of the developer's own with a balance in it, beside the ledger, and the connection to both.
final class CreditAccount {
    let connection: OwnConnection
    let ledger: SQLFulfilmentLedger

    /// An account in a new database.
    static func with<Result>(_ dialect: SQLDialect, _ body: (CreditAccount) async throws -> Result) async throws
        -> Result
    {
        try await BackendPlace.with(dialect) { place in
            let account = try CreditAccount(place)
            try account.prepare()
            return try await body(account)
        }
    }

    /// Another connection to the account of a database.
    init(_ place: BackendPlace) throws {
        connection = try place.connect()
        ledger = SQLFulfilmentLedger(connection)
    }

    func prepare() throws {
        if connection.dialect == .sqlite { try connection.run("PRAGMA journal_mode = WAL") }
        try ledger.prepare()
        try connection.run("CREATE TABLE account (name TEXT PRIMARY KEY, credits BIGINT NOT NULL)")
        try connection.run("INSERT INTO account (name, credits) VALUES ('me', 0)")
    }

    /// Grants or takes back 100 credits in a transaction of its own.
    @discardableResult
    func fulfil(_ transaction: VerifiedTransaction) throws -> Fulfilment {
        try ledger.fulfil(transaction, at: FulfilmentLedgerTests.now) { act in
            try credit(act == .grant ? 100 : -100)
            return act == .grant ? "credited 100" : "debited 100"
        }
    }

    func credit(_ amount: Int64) throws {
        try connection.run("UPDATE account SET credits = credits + $1 WHERE name = 'me'", [.integer(amount)])
    }

    func balance() throws -> Int64 { try connection.number("SELECT credits FROM account WHERE name = 'me'") ?? 0 }

    /// Runs something in a transaction that the developer begins and writes.
    func inTransaction(_ body: () throws -> Void) throws {
        try connection.run("BEGIN")
        try body()
        try connection.run("COMMIT")
    }
}

/// What a closure of the developer's own throws.
struct OwnFailure: Error {}
