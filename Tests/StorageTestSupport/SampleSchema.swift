package import StoreDatabase
import Testing

extension Schema {
    /// Tables as a store has them: entries of customers, in order, and the sum of each customer.
    package static func sample() throws -> Schema {
        try Schema(
            "sample",
            [
                Migration(
                    1, "accounts",
                    [
                        """
                        CREATE TABLE account (
                            id \(.integer) NOT NULL PRIMARY KEY, name \(.text) NOT NULL,
                            balance \(.integer) NOT NULL CONSTRAINT balance_not_negative CHECK (balance >= 0)
                        ) \(.table)
                        """,
                        "CREATE UNIQUE INDEX account_name ON account (name)",
                    ]),
                Migration(
                    2, "entries",
                    [
                        """
                        CREATE TABLE entry (
                            account_id \(.integer) NOT NULL REFERENCES account (id) DEFERRABLE INITIALLY DEFERRED,
                            number \(.integer) NOT NULL, note \(.text), content \(.bytes),
                            PRIMARY KEY (account_id, number)
                        ) \(.keyedTable)
                        """
                    ]),
            ])
    }
}

extension WriteTransaction {
    /// Opens an account.
    package func openAccount(_ id: Int, named name: String, balance: Int = 0) throws {
        try execute("INSERT INTO account (id, name, balance) VALUES ($1, $2, $3)", id, name, balance)
    }

    /// Adds the next entry of an account; gives its number.
    @discardableResult
    package func addEntry(_ note: String?, to account: Int) throws -> Int {
        let number = try value(
            "SELECT coalesce(max(number), 0) + 1 FROM entry WHERE account_id = $1", account, as: Int.self)
        try execute("INSERT INTO entry (account_id, number, note) VALUES ($1, $2, $3)", account, number, note)
        return number
    }
}

extension ReadTransaction {
    /// The names of all accounts in order of their numbers.
    package func accountNames() throws -> [String] {
        try query("SELECT name FROM account ORDER BY id") { try $0.value(0) }
    }
}

/// Expects that these accounts are there, in order of their numbers.
func expectNames(
    _ names: [String], in database: any Database, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let found = try await database.read { try $0.accountNames() }
    #expect(found == names, sourceLocation: sourceLocation)
}
