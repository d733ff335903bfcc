import StoreModel

/// Says what users have at an instant.
struct Entitlements {
    let connection: any BackendConnection
    let settings: BackendSettings
    let lists: ListCache

    init(_ connection: any BackendConnection, settings: BackendSettings, lists: ListCache) {
        self.connection = connection
        self.settings = settings
        self.lists = lists
    }

    /// What a user has and had, the newest purchase first.
    ///
    /// A subscription has one period at a time, that which ``SubscriptionRecord/deciding(at:)`` names. What a restore has made
    /// of a period that is known is left out.
    func all(of user: BackendUser, at now: Instant) throws -> [Entitlement] {
        let rows = try PurchaseTable(connection).transactions(of: user, atMost: settings.limits.entitlementsPerUser)
        let ends = try endsOfNonRenewing(rows.map(\.transaction))
        let takenBack = Set(rows.lazy.map(\.transaction).filter(\.isTakenBack).map { Place($0, $0.transactionID) })
        let subscriptions = Dictionary(grouping: rows.lazy.map(\.transaction).filter { $0.expiresDate != nil }) {
            Place($0, $0.originalTransactionID)
        }.mapValues { periods in
            let record = SubscriptionRecord(periods: periods)
            let moment = record.moment(at: now)
            return (record: record, moment: moment, period: record.deciding(at: moment)?.transactionID)
        }
        return rows.compactMap { row in
            let transaction = row.transaction
            let original = Place(transaction, transaction.originalTransactionID)
            let end = transaction.expiresDate.map { max($0, row.graceEnds ?? $0) } ?? ends[transaction.transactionID]
            // What was restored from a purchase that was refunded afterwards is taken back with it.
            var isInForce = !transaction.isTakenBack && !(end == nil && takenBack.contains(original))
            if transaction.expiresDate != nil, let subscription = subscriptions[original] {
                guard !subscription.record.isRestored(transaction) else { return nil }
                let isDeciding = subscription.period == transaction.transactionID
                isInForce = isInForce && isDeciding && end.map { subscription.moment < $0 } ?? true
            } else {
                isInForce = isInForce && end.map { now < $0 } ?? true
            }
            return Entitlement(transaction: transaction, expires: end, isInForce: isInForce)
        }
    }

    /// A transaction has its number in one environment.
    private struct Place: Hashable {
        let environment: StoreEnvironment
        let transactionID: TransactionID

        init(_ transaction: VerifiedTransaction, _ id: TransactionID) {
            (environment, transactionID) = (transaction.environment, id)
        }
    }

    /// Until when subscriptions last that do not renew themselves: their periods are counted here, one behind the other.
    private func endsOfNonRenewing(_ transactions: [VerifiedTransaction]) throws -> [TransactionID: Instant] {
        var products = ProductLookup(ProductTable(connection, cache: lists))
        var ends: [TransactionID: Instant] = [:]
        var running: [NonRenewing: Instant] = [:]
        for transaction in transactions.reversed() where transaction.expiresDate == nil && !transaction.isTakenBack {
            guard transaction.kind.map({ $0 == .nonRenewing }) ?? true,
                let product = try products.product(transaction.productID, of: transaction.bundleID),
                product.kind == .nonRenewing, let period = product.period
            else { continue }
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
