import StoreModel

/// The tables of balances, of what they were credited, and of what was spent.
struct BalanceTable {
    /// What a transaction has credited.
    struct Credit: Hashable, Sendable {
        let userID: String
        let balance: Balance
        let isTakenBack: Bool
    }

    let connection: any BackendConnection

    init(_ connection: any BackendConnection) {
        self.connection = connection
    }

    func balances(of user: BackendUser) throws -> [Balance] {
        try connection.run(
            "SELECT name, amount FROM backend_balance WHERE user_id = $1 ORDER BY name", [.text(user.id)]
        ).map { Balance(name: try $0.requiredText(0), amount: try $0.requiredInteger(1)) }
    }

    func amount(of name: String, userID: String) throws -> Int64 {
        try connection.run(
            "SELECT amount FROM backend_balance WHERE user_id = $1 AND name = $2", [.text(userID), .text(name)]
        ).first?.requiredInteger(0) ?? 0
    }

    /// Adds to a balance, or takes from it, and says what it is then.
    @discardableResult
    func add(_ amount: Int64, to name: String, userID: String) throws -> Int64 {
        let (sum, overflows) = try self.amount(of: name, userID: userID).addingReportingOverflow(amount)
        guard !overflows else { throw BackendError(.invalidValue, "No balance can hold so much.", parameter: "amount") }
        try connection.run(
            """
            INSERT INTO backend_balance (user_id, name, amount) VALUES ($1, $2, $3)
            ON CONFLICT (user_id, name) DO UPDATE SET amount = $3
            """, [.text(userID), .text(name), .integer(sum)])
        return sum
    }

    func credit(of transaction: VerifiedTransaction) throws -> Credit? {
        try connection.run(
            """
            SELECT user_id, name, amount, is_taken_back FROM backend_credit
            WHERE environment = $1 AND transaction_id = $2
            """, [SQLValue(transaction.environment), SQLValue(transaction.transactionID)]
        ).first.map { row in
            Credit(
                userID: try row.requiredText(0),
                balance: Balance(name: try row.requiredText(1), amount: try row.requiredInteger(2)),
                isTakenBack: try row.requiredInteger(3) != 0)
        }
    }

    /// Remembers what a transaction has credited, so that exactly that is taken back.
    func remember(_ credit: Credit, of transaction: VerifiedTransaction) throws {
        let values: [SQLValue] = [
            SQLValue(transaction.environment), SQLValue(transaction.transactionID), .text(credit.userID),
            .text(credit.balance.name), .integer(credit.balance.amount), .integer(credit.isTakenBack ? 1 : 0),
        ]
        try connection.run(
            """
            INSERT INTO backend_credit (environment, transaction_id, user_id, name, amount, is_taken_back)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (environment, transaction_id) DO UPDATE SET is_taken_back = $6
            """, values)
    }

    // MARK: - Spending

    /// What was spent under a key.
    struct Spend: Hashable, Sendable {
        let balance: Balance
        let amountLeft: Int64
    }

    func spend(key: String, of user: BackendUser) throws -> Spend? {
        try connection.run(
            "SELECT name, amount, amount_left FROM backend_spend WHERE user_id = $1 AND spend_key = $2",
            [.text(user.id), .text(key)]
        ).first.map { row in
            Spend(
                balance: Balance(name: try row.requiredText(0), amount: try row.requiredInteger(1)),
                amountLeft: try row.requiredInteger(2))
        }
    }

    func remember(_ spend: Spend, key: String, of user: BackendUser, at now: Instant) throws {
        let values: [SQLValue] = [
            .text(user.id), .text(key), .text(spend.balance.name), .integer(spend.balance.amount),
            .integer(spend.amountLeft), SQLValue(now),
        ]
        try connection.run(
            """
            INSERT INTO backend_spend (user_id, spend_key, name, amount, amount_left, spent_at)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (user_id, spend_key) DO NOTHING
            """, values)
    }
}
