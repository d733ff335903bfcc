public import StoreModel

extension Backend {
    /// The longest key of something that is spent, in bytes.
    static let longestSpendKey = 64

    /// What a user has left of everything that was ever credited.
    ///
    /// A balance is below zero where something was refunded that had been spent already: it is owed, and the next credit
    /// pays for it.
    public func balances(of user: BackendUser) async throws -> [Balance] {
        try await database.transaction { try BalanceTable($0).balances(of: user) }
    }

    /// Spends something of a balance, once for each key, and returns what is left. The same key again spends nothing and
    /// has the same answer.
    ///
    /// - Parameters:
    ///   - amount: how much.
    ///   - name: which balance.
    ///   - key: what the app has made up for this, 1 to 64 bytes; a repeated request has the same.
    public func spend(
        _ amount: Int64, of name: String, key: String, for user: BackendUser, at now: Instant
    ) async throws -> Balance {
        guard (1...settings.limits.balanceAmount).contains(amount) else {
            throw BackendError(
                .invalidValue, "What is spent is 1 to \(settings.limits.balanceAmount).", parameter: "amount")
        }
        guard (1...Self.longestSpendKey).contains(key.utf8.count), NameRule.flaw(of: key) == nil else {
            throw BackendError(
                .invalidValue, "A key has 1 to \(Self.longestSpendKey) bytes and no control characters.",
                parameter: "key")
        }
        guard NameRule.flaw(of: name) == nil else {
            throw BackendError(.invalidValue, "The name of a balance has no control characters.", parameter: "name")
        }
        let asked = Balance(name: name, amount: amount)
        return try await database.transaction { connection in
            let table = BalanceTable(connection)
            if let earlier = try table.spend(key: key, of: user) {
                guard earlier.balance == asked else {
                    throw BackendError(.keyReused, "The key was used to spend something else.", parameter: "key")
                }
                return Balance(name: name, amount: earlier.amountLeft)
            }
            let amountLeft = try table.amount(of: name, userID: user.id) - amount
            guard amountLeft >= 0 else {
                throw BackendError(
                    .balanceTooLow, "The balance does not reach: \(-amountLeft) more are needed.", parameter: "amount")
            }
            try table.add(-amount, to: name, userID: user.id)
            try table.remember(BalanceTable.Spend(balance: asked, amountLeft: amountLeft), key: key, of: user, at: now)
            try AuditTable(connection).note(.spent, of: user.id, "\(amount) \(name)", at: now)
            return Balance(name: name, amount: amountLeft)
        }
    }
}

/// An amount with its name: what a user has left, or what a product credits.
public struct Balance: Codable, Hashable, Sendable {
    /// What is counted, such as `credits`.
    public var name: String
    /// How many.
    public var amount: Int64

    /// Makes an amount.
    public init(name: String, amount: Int64) {
        self.name = name
        self.amount = amount
    }
}
