/// How much a customer has of something that is used up.
public struct Balance: Hashable, Sendable {
    /// The amount.
    public internal(set) var amount: Int64
    /// Whether it comes from a backup, so that some of it may have been spent since.
    public internal(set) var isStale: Bool

    init(_ amount: Int64, isStale: Bool = false) {
        self.amount = amount
        self.isStale = isStale
    }
}

/// What a vault keeps: what is unlocked, balances, which transactions were delivered, and what StoreKit knows of them.
///
/// ``Vault/change(_:)`` hands it to a closure, and keeps all that the closure did to it or nothing.
public struct VaultContents: Hashable, Sendable {
    /// What is unlocked, as far as the record can be read.
    public internal(set) var unlocks: Set<String> = []
    /// The balances by their names, as far as the record can be read.
    public internal(set) var balances: [String: Balance] = [:]
    /// The transactions that were delivered.
    var deliveries: Set<String> = []
    /// What StoreKit keeps beside these.
    var texts: [String: String] = [:]
    /// Entries of a kind that only a later version knows. They are kept.
    var others: [[UInt8]] = []
    /// How many entries of the record cannot be read.
    var lostEntries = 0

    init() {}

    var count: Int { unlocks.count + balances.count + deliveries.count + texts.count + others.count }

    // MARK: Reading

    /// Whether something is unlocked.
    ///
    /// - Throws: ``VaultError/Code/damaged`` if it is not there, but may be among what cannot be read.
    public func isUnlocked(_ name: String) throws -> Bool {
        if unlocks.contains(name) { return true }
        try requireComplete(name)
        return false
    }

    /// A balance; zero if there never was one.
    ///
    /// - Throws: ``VaultError/Code/damaged`` if it is not there, but may be among what cannot be read.
    public func balance(of name: String) throws -> Balance {
        if let balance = balances[name] { return balance }
        try requireComplete(name)
        return Balance(0)
    }

    /// Whether a transaction was delivered before.
    ///
    /// - Throws: ``VaultError/Code/damaged`` if it is not there, but may be among what cannot be read.
    public func isDelivered(_ transaction: String) throws -> Bool {
        if deliveries.contains(transaction) { return true }
        try requireComplete(transaction)
        return false
    }

    /// A text that was kept; nil if there never was one.
    ///
    /// - Throws: ``VaultError/Code/damaged`` if it is not there, but may be among what cannot be read.
    package func text(of name: String) throws -> String? {
        if let text = texts[name] { return text }
        try requireComplete(name)
        return nil
    }

    private func requireComplete(_ name: String) throws {
        guard lostEntries > 0 else { return }
        throw VaultError(
            .damaged,
            "\(name) is not among what can be read of the vault, and \(lostEntries) of its entries are damaged")
    }

    // MARK: Changing

    /// Unlocks something.
    public mutating func unlock(_ name: String) throws {
        try require(name)
        unlocks.insert(name)
    }

    /// Takes back what was unlocked.
    public mutating func takeBack(_ name: String) {
        unlocks.remove(name)
    }

    /// Notes that a transaction is delivered by this change, and says whether it had not been delivered before.
    ///
    /// ```swift
    /// try vault.change { purchases in
    ///     guard try purchases.deliver(transaction) else { return }
    ///     try purchases.add(10, to: "credits")
    /// }
    /// ```
    public mutating func deliver(_ transaction: String) throws -> Bool {
        try require(transaction)
        return deliveries.insert(transaction).inserted
    }

    /// Adds to a balance. One that is stale stays stale.
    public mutating func add(_ amount: Int64, to name: String) throws {
        try require(name)
        guard amount >= 0 else { throw VaultError(.invalidValue, "what is added to \(name) is less than nothing") }
        var balance = balances[name] ?? Balance(0)
        let (sum, overflows) = balance.amount.addingReportingOverflow(amount)
        guard !overflows else { throw VaultError(.tooLarge, "the balance of \(name) cannot be counted any more") }
        balance.amount = sum
        balances[name] = balance
    }

    /// Spends some of a balance.
    ///
    /// - Throws: ``VaultError/Code/balanceTooLow``, or ``VaultError/Code/staleBalance`` while nobody has confirmed the balance of
    ///   a backup: what is in it may have been spent after the backup was made.
    public mutating func spend(_ amount: Int64, of name: String) throws {
        guard amount >= 0 else { throw VaultError(.invalidValue, "what is spent of \(name) is less than nothing") }
        var balance = try balance(of: name)
        guard !balance.isStale else {
            throw VaultError(
                .staleBalance,
                "the balance of \(name) comes from a backup; confirm it by a restore or by asking the developer's server"
            )
        }
        guard balance.amount >= amount else {
            throw VaultError(.balanceTooLow, "\(amount) of \(name) were to be spent, and there are \(balance.amount)")
        }
        balance.amount -= amount
        balances[name] = balance
    }

    /// Sets a balance to what the developer's server says; it is not stale any more.
    public mutating func confirm(_ amount: Int64, of name: String) throws {
        try require(name)
        balances[name] = Balance(amount)
    }

    /// Keeps a text in the place of the one that there was.
    package mutating func keep(_ text: String, as name: String) throws {
        try require(name)
        guard text.utf8.count <= VaultLimits.textBytes else {
            throw VaultError(.tooLarge, "a text in a vault has \(VaultLimits.textBytes) bytes at most")
        }
        texts[name] = text
    }

    /// Takes all balances as they are, after a restore; none is stale any more.
    public mutating func confirmBalances() {
        for name in balances.keys { balances[name]?.isStale = false }
    }

    mutating func markStale() {
        for name in balances.keys { balances[name]?.isStale = true }
    }

    private func require(_ name: String) throws {
        guard !name.isEmpty, name.utf8.count <= VaultLimits.nameBytes else {
            throw VaultError(.invalidValue, "a name in a vault has 1 to \(VaultLimits.nameBytes) bytes")
        }
        guard count < VaultLimits.entries else {
            throw VaultError(.tooLarge, "a vault keeps \(VaultLimits.entries) entries at most")
        }
    }
}
