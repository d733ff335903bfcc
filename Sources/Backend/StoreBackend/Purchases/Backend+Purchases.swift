public import StoreModel

extension Backend {
    /// Verifies a proof and records everything that it shows to have been bought.
    ///
    /// The same proof again, or another one of the same transactions, changes nothing. A transaction of another user is
    /// ``Recorded/State/belongsToAnother`` unless the policy gives it to this one; a proof of that one transaction alone
    /// throws ``BackendError/Code/belongsToAnother``.
    public func record(
        _ proof: ProofOfPayment, for user: BackendUser, at now: Instant
    ) async throws -> [Recorded] {
        let payment = try await verified(proof, for: user, at: now)
        // The lowest id first, so that two proofs with the same transactions do not wait for each other.
        let order = payment.transactions.indices.sorted { one, other in
            payment.transactions[one].transactionID < payment.transactions[other].transactionID
        }
        let recorded = try await database.transaction { [self] connection in
            var recorder = recorder(connection, at: now)
            var recorded: [Int: Recorded] = [:]
            for index in order { recorded[index] = try recorder.record(payment.transactions[index], for: user) }
            return payment.transactions.indices.compactMap { recorded[$0] }
        }
        if recorded.count == 1, recorded[0].state == .belongsToAnother { throw Self.belongsToAnother }
        return recorded
    }

    /// What a user has and had, the newest purchase first, at most ``BackendLimits/entitlementsPerUser`` of it.
    ///
    /// That something was taken back is asked before its end, so that a refunded year gives nothing.
    public func entitlements(of user: BackendUser, at now: Instant) async throws -> [Entitlement] {
        try await database.transaction { [self] connection in
            try Entitlements(connection, settings: settings, lists: lists).all(of: user, at: now)
        }
    }

    static let belongsToAnother = BackendError(
        .belongsToAnother, "The purchase belongs to another user of this app; sign in as that one.")

    /// What a proof shows, if it is true, and of the apps and environments that this backend takes.
    func verified(_ proof: ProofOfPayment, for user: BackendUser, at now: Instant) async throws -> VerifiedPayment {
        do {
            let payment = try await verifier.verify(proof, at: now)
            try check(payment)
            return payment
        } catch let error as BackendError where !error.isRetryable {
            try await database.transaction { connection in
                try AuditTable(connection).note(.proofRefused, of: user.id, error.code.rawValue, at: now)
            }
            throw error
        }
    }

    private func check(_ payment: VerifiedPayment) throws {
        let apps = settings.bundleIDs.map(\.text).sorted().joined(separator: ", ")
        guard settings.bundleIDs.contains(payment.bundleID) else {
            throw BackendError(.wrongApp, "The proof is of \(payment.bundleID), and this backend is for \(apps).")
        }
        guard payment.transactions.count <= settings.limits.transactionsPerProof else {
            throw BackendError(
                .invalidValue, "A proof has at most \(settings.limits.transactionsPerProof) transactions.",
                parameter: "proof")
        }
        for transaction in payment.transactions {
            guard transaction.bundleID == payment.bundleID else {
                throw BackendError(
                    .wrongApp, "A transaction of \(transaction.bundleID) is in a proof of \(payment.bundleID).")
            }
            guard settings.environments.contains(transaction.environment),
                transaction.environment == payment.environment
            else {
                let taken = settings.environments.map(\.rawValue).sorted().joined(separator: ", ")
                throw BackendError(
                    .wrongEnvironment, "The proof is of the \(transaction.environment.rawValue), and \(taken) is taken."
                )
            }
            guard transaction.quantity >= 1 else {
                throw BackendError(.wrongQuantity, "A transaction says the quantity \(transaction.quantity).")
            }
        }
    }
}

/// Writes what the store says of transactions, and gives users what is theirs, within one transaction of the database.
struct PurchaseRecorder {
    let connection: any BackendConnection
    let settings: BackendSettings
    let now: Instant
    /// Whether users are accounts of the backend's own, of which it knows all.
    private let knowsUsers: Bool
    private var products: ProductLookup

    init(
        _ connection: any BackendConnection, settings: BackendSettings, lists: ListCache, knowsUsers: Bool,
        at now: Instant
    ) {
        self.connection = connection
        self.settings = settings
        self.knowsUsers = knowsUsers
        self.now = now
        products = ProductLookup(ProductTable(connection, cache: lists))
    }

    /// Takes in a transaction that a user has brought.
    mutating func record(_ stated: VerifiedTransaction, for user: BackendUser) throws -> Recorded {
        let (transaction, change) = try take(stated)
        let product = try products.product(transaction.productID, of: transaction.bundleID)
        let claim = try OwnerTable(connection).claim(
            transaction, for: user, settings: settings, knowsUsers: knowsUsers, at: now)
        func recorded(_ state: Recorded.State, isNew: Bool) throws -> Recorded {
            let balance = try state == .belongsToAnother ? nil : balance(of: transaction, for: user)
            return Recorded(
                transaction: transaction, isNew: isNew, state: state, isListed: product != nil, balance: balance)
        }
        guard claim != .refused else { return try recorded(.belongsToAnother, isNew: change == .new) }
        let isSettled = try settle(transaction, product: product, userID: user.id)
        return try recorded(
            transaction.isTakenBack ? .takenBack : .granted, isNew: change != .unchanged || claim != .own || isSettled)
    }

    /// Takes in what the store says of its own accord, and brings what the owner has in line with it.
    @discardableResult
    mutating func update(_ stated: VerifiedTransaction) throws -> (VerifiedTransaction, PurchaseTable.Change) {
        let (transaction, change) = try take(stated)
        if let owner = try OwnerTable(connection).users(of: transaction).first {
            let product = try products.product(transaction.productID, of: transaction.bundleID)
            _ = try settle(transaction, product: product, userID: owner)
        }
        return (transaction, change)
    }

    private func take(_ stated: VerifiedTransaction) throws -> (VerifiedTransaction, PurchaseTable.Change) {
        let (transaction, change) = try PurchaseTable(connection).take(stated, at: now)
        if change != .unchanged {
            let action: AuditEntry.Action = change == .new ? .purchaseRecorded : .purchaseChanged
            let state =
                transaction.revocationDate.map { "revoked at \($0.rfc3339)" }
                ?? (transaction.isUpgraded ? "upgraded" : "in force")
            try AuditTable(connection).note(action, transaction: transaction, state, at: now)
        }
        return (transaction, change)
    }
}
