import StoreModel

/// The table of transactions, each as it was stated last. None is ever removed.
struct PurchaseTable {
    /// What a statement changed.
    enum Change: Hashable, Sendable {
        case new, changed, unchanged
    }

    static let columns = """
        p.environment, p.transaction_id, p.original_transaction_id, p.bundle_id, p.product_id, p.kind, p.quantity,
        p.purchased_at, p.originally_purchased_at, p.expires_at, p.revoked_at, p.is_upgraded, p.ownership,
        p.app_account_token, p.subscription_group, p.stated_at
        """

    let connection: any BackendConnection

    init(_ connection: any BackendConnection) {
        self.connection = connection
    }

    /// Takes in what the store says of a transaction, unless it has said something later before.
    ///
    /// Returns the transaction as it was stated last.
    func take(_ stated: VerifiedTransaction, at now: Instant) throws -> (VerifiedTransaction, Change) {
        guard let known = try transaction(stated.transactionID, in: stated.environment) else {
            try write(stated, at: now)
            return (stated, .new)
        }
        guard known.bundleID == stated.bundleID else {
            throw BackendError(.wrongApp, "The transaction was recorded for \(known.bundleID) before.")
        }
        let merged = stated.completed(from: known)
        guard merged.holds(over: known) else { return (known, .unchanged) }
        try write(merged, at: now)
        return (merged, merged.says(thatOf: known) ? .unchanged : .changed)
    }

    func transaction(_ id: TransactionID, in environment: StoreEnvironment) throws -> VerifiedTransaction? {
        try connection.run(
            "SELECT \(Self.columns) FROM backend_purchase p WHERE p.environment = $1 AND p.transaction_id = $2",
            [SQLValue(environment), SQLValue(id)]
        ).first.map(VerifiedTransaction.init)
    }

    /// All transactions of an original one, the newest first.
    func transactions(ofOriginal id: TransactionID, in environment: StoreEnvironment) throws -> [VerifiedTransaction] {
        try connection.run(
            """
            SELECT \(Self.columns) FROM backend_purchase p
            WHERE p.environment = $1 AND p.original_transaction_id = $2
            ORDER BY p.purchased_at DESC, p.transaction_id DESC
            """, [SQLValue(environment), SQLValue(id)]
        ).map(VerifiedTransaction.init)
    }

    /// All transactions of a user, the newest first, each with the end of the grace period behind it.
    func transactions(
        of user: BackendUser, atMost limit: Int
    ) throws -> [(transaction: VerifiedTransaction, graceEnds: Instant?)] {
        try connection.run(
            """
            SELECT \(Self.columns), r.grace_period_ends FROM backend_owner o
            JOIN backend_purchase p
              ON p.environment = o.environment AND p.original_transaction_id = o.original_transaction_id
            LEFT JOIN backend_renewal r
              ON r.environment = o.environment AND r.original_transaction_id = o.original_transaction_id
                AND r.renewal_date = p.expires_at
            WHERE o.user_id = $1 ORDER BY p.purchased_at DESC, p.transaction_id DESC LIMIT $2
            """, [.text(user.id), .integer(Int64(limit))]
        ).map { (try VerifiedTransaction($0), try $0.instant(16)) }
    }

    private func write(_ stated: VerifiedTransaction, at now: Instant) throws {
        let values: [SQLValue] = [
            SQLValue(stated.environment), SQLValue(stated.transactionID), SQLValue(stated.originalTransactionID),
            SQLValue(stated.bundleID), SQLValue(stated.productID), SQLValue(stated.kind?.rawValue),
            .integer(Int64(stated.quantity)), SQLValue(stated.purchaseDate), SQLValue(stated.originalPurchaseDate),
            SQLValue(stated.expiresDate), SQLValue(stated.revocationDate), .integer(stated.isUpgraded ? 1 : 0),
            .text(stated.ownership.rawValue), SQLValue(stated.appAccountToken?.description),
            SQLValue(stated.subscriptionGroup?.text), SQLValue(stated.statedAt), SQLValue(now),
        ]
        try connection.run(
            """
            INSERT INTO backend_purchase (
              environment, transaction_id, original_transaction_id, bundle_id, product_id, kind, quantity, purchased_at,
              originally_purchased_at, expires_at, revoked_at, is_upgraded, ownership, app_account_token,
              subscription_group, stated_at, recorded_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
            ON CONFLICT (environment, transaction_id) DO UPDATE SET
              kind = $6, expires_at = $10, revoked_at = $11, is_upgraded = $12, ownership = $13, app_account_token = $14,
              subscription_group = $15, stated_at = $16
            """, values)
    }
}

extension VerifiedTransaction {
    init(_ row: SQLRow) throws {
        self.init(
            environment: try row.environment(0), transactionID: try TransactionID(number: row.requiredInteger(1)),
            originalTransactionID: try TransactionID(number: row.requiredInteger(2)),
            bundleID: try BundleID(parsing: row.requiredText(3)),
            productID: try ProductID(parsing: row.requiredText(4)), kind: try row.text(5).map(ProductKind.init),
            quantity: Int(try row.requiredInteger(6)), purchaseDate: try row.requiredInstant(7),
            originalPurchaseDate: try row.requiredInstant(8), expiresDate: try row.instant(9),
            revocationDate: try row.instant(10), isUpgraded: try row.requiredInteger(11) != 0,
            ownership: OwnershipType(rawValue: try row.requiredText(12)),
            appAccountToken: try row.text(13).flatMap(AppAccountToken.init),
            subscriptionGroup: try row.text(14).flatMap(SubscriptionGroupID.init),
            statedAt: try row.requiredInstant(15))
    }

    /// Whether it gives nothing any more, whatever the time.
    var isTakenBack: Bool { revocationDate != nil || isUpgraded }

    /// The same statement, with what its form of proof leaves out taken from an earlier one. What was bought never changes,
    /// and an upgrade, which receipts of apps do not tell of, is never undone.
    func completed(from known: VerifiedTransaction) -> VerifiedTransaction {
        var completed = self
        completed.originalTransactionID = known.originalTransactionID
        completed.productID = known.productID
        completed.quantity = known.quantity
        completed.purchaseDate = known.purchaseDate
        completed.originalPurchaseDate = known.originalPurchaseDate
        completed.isUpgraded = isUpgraded || known.isUpgraded
        completed.kind = kind ?? known.kind
        completed.expiresDate = expiresDate ?? known.expiresDate
        completed.appAccountToken = appAccountToken ?? known.appAccountToken
        completed.subscriptionGroup = subscriptionGroup ?? known.subscriptionGroup
        return completed
    }

    /// Whether another statement differs in nothing but its instant.
    fileprivate func says(thatOf other: VerifiedTransaction) -> Bool {
        var same = other
        same.statedAt = statedAt
        return self == same
    }
}
