import StoreModel

/// Says what users have at an instant.
struct Entitlements {
    let connection: any BackendConnection
    let limit: Int

    init(_ connection: any BackendConnection, limit: Int) {
        self.connection = connection
        self.limit = limit
    }

    /// What a user has and had, the newest purchase first.
    func all(of user: BackendUser, at now: Instant) throws -> [Entitlement] {
        let rows = try PurchaseTable(connection).transactions(of: user, atMost: limit)
        let ends = try endsOfNonRenewing(rows.map(\.transaction))
        return rows.map { row in
            let transaction = row.transaction
            let end = transaction.expiresDate.map { max($0, row.graceEnds ?? $0) } ?? ends[transaction.transactionID]
            return Entitlement(transaction, expires: end, at: now)
        }
    }

    /// Until when subscriptions last that do not renew themselves: their periods are counted here, one behind the other.
    private func endsOfNonRenewing(_ transactions: [VerifiedTransaction]) throws -> [TransactionID: Instant] {
        var periods: [BundleID: [ProductID: BillingPeriod]] = [:]
        for bundleID in Set(transactions.lazy.filter { $0.expiresDate == nil }.map(\.bundleID)) {
            let products = try ProductTable(connection).newestList(of: bundleID)?.products ?? []
            for product in products where product.kind == .nonRenewing {
                periods[bundleID, default: [:]][product.productID] = product.period
            }
        }
        var ends: [TransactionID: Instant] = [:]
        var running: [NonRenewing: Instant] = [:]
        for transaction in transactions.reversed() where transaction.expiresDate == nil && !transaction.isTakenBack {
            guard let period = periods[transaction.bundleID]?[transaction.productID] else { continue }
            let subscription = NonRenewing(transaction)
            let start = max(transaction.purchaseDate, running[subscription] ?? transaction.purchaseDate)
            let end = start.adding(period, times: transaction.quantity)
            (running[subscription], ends[transaction.transactionID]) = (end, end)
        }
        return ends
    }

    /// What one is that does not renew itself: the product in an environment.
    private struct NonRenewing: Hashable {
        let environment: StoreEnvironment
        let bundleID: BundleID
        let productID: ProductID

        init(_ transaction: VerifiedTransaction) {
            (environment, bundleID, productID) = (transaction.environment, transaction.bundleID, transaction.productID)
        }
    }
}

extension Entitlement {
    init(_ transaction: VerifiedTransaction, expires: Instant?, at now: Instant) {
        self.transaction = transaction
        self.expires = expires
        isInForce = !transaction.isTakenBack && expires.map { now < $0 } ?? true
    }
}
