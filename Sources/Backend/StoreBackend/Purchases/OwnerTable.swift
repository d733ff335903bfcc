import StoreModel

/// The table of whom purchases belong to.
///
/// A purchase is an original transaction with everything that was renewed or restored from it.
struct OwnerTable {
    /// What became of the wish to have a purchase.
    enum Claim: Hashable, Sendable {
        /// It was this user's already.
        case own
        /// Nobody had it.
        case first
        /// Another had it.
        case transferred
        /// Another has it too.
        case shared
        /// Another has it.
        case refused

        var action: AuditEntry.Action? {
            switch self {
            case .own: nil
            case .first: .ownerFirst
            case .transferred: .ownerTransferred
            case .shared: .ownerShared
            case .refused: .ownerRefused
            }
        }
    }

    let connection: any BackendConnection

    init(_ connection: any BackendConnection) {
        self.connection = connection
    }

    /// The ids of the users of a purchase, who has had it longest first.
    func users(of transaction: VerifiedTransaction) throws -> [String] {
        try connection.run(
            """
            SELECT user_id FROM backend_owner WHERE environment = $1 AND original_transaction_id = $2
            ORDER BY since, user_id
            """, [SQLValue(transaction.environment), SQLValue(transaction.originalTransactionID)]
        ).map { try $0.requiredText(0) }
    }

    /// Gives a purchase to a user if the policy lets them have it, and notes it in the audit.
    ///
    /// - Parameter knowsUsers: whether users are accounts of the backend's own, so that a token that is none's names nobody.
    func claim(
        _ transaction: VerifiedTransaction, for user: BackendUser, settings: BackendSettings, knowsUsers: Bool,
        at now: Instant
    ) throws -> Claim {
        let owners = try users(of: transaction)
        var named = settings.honorsAppAccountTokens ? transaction.appAccountToken : nil
        if knowsUsers, let token = named, token != user.appAccountToken,
            try !AccountTable(connection).hasAccount("\(token)")
        {
            named = nil
        }
        let claim = Self.claim(for: user, named: named, owners: owners, settings: settings)
        switch claim {
        case .own, .refused: break
        case .first, .shared: try add(user, to: transaction, at: now)
        case .transferred:
            try connection.run(
                "DELETE FROM backend_owner WHERE environment = $1 AND original_transaction_id = $2",
                [SQLValue(transaction.environment), SQLValue(transaction.originalTransactionID)])
            try add(user, to: transaction, at: now)
        }
        if let action = claim.action {
            let others = owners.isEmpty ? "" : "had by \(owners.joined(separator: ", "))"
            try AuditTable(connection).note(action, of: user.id, transaction: transaction, others, at: now)
        }
        return claim
    }

    /// The decision alone.
    ///
    /// - Parameter named: whom the purchase names, if that is one of the users: it is that one's under every policy.
    static func claim(
        for user: BackendUser, named: AppAccountToken?, owners: [String], settings: BackendSettings
    ) -> Claim {
        if owners.contains(user.id) { return .own }
        if let named, let own = user.appAccountToken {
            guard named == own else { return .refused }
            return owners.isEmpty ? .first : .transferred
        }
        if owners.isEmpty { return .first }
        switch settings.ownership {
        case .keep: return .refused
        case .transfer: return .transferred
        case .share: return owners.count < settings.limits.usersPerPurchase ? .shared : .refused
        }
    }

    private func add(_ user: BackendUser, to transaction: VerifiedTransaction, at now: Instant) throws {
        try connection.run(
            """
            INSERT INTO backend_owner (environment, original_transaction_id, user_id, since) VALUES ($1, $2, $3, $4)
            ON CONFLICT (environment, original_transaction_id, user_id) DO NOTHING
            """,
            [
                SQLValue(transaction.environment), SQLValue(transaction.originalTransactionID), .text(user.id),
                SQLValue(now),
            ])
    }
}
