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
    /// The clock of a sandbox may be ahead of ours: what the store says of a period it says at a time of its own, and a period whose end
    /// was over by then has ended.
    func all(of user: BackendUser, at now: Instant) throws -> [Entitlement] {
        let rows = try PurchaseTable(connection).transactions(of: user, atMost: settings.limits.entitlementsPerUser)
        let ends = try endsOfNonRenewing(rows.map(\.transaction))
        let takenBack = Set(rows.lazy.map(\.transaction).filter(\.isTakenBack).map(Self.place))
        var running: Set<Place> = []
        return rows.map { row in
            let transaction = row.transaction
            let end = transaction.expiresDate.map { max($0, row.graceEnds ?? $0) } ?? ends[transaction.transactionID]
            // What was restored from a purchase that was refunded afterwards is taken back with it.
            var original = transaction
            original.transactionID = transaction.originalTransactionID
            let isLost = transaction.isTakenBack || end == nil && takenBack.contains(Self.place(original))
            let moment = transaction.expiresDate == nil ? now : max(now, transaction.statedAt)
            var isInForce = !isLost && end.map { moment < $0 } ?? true
            // A subscription has one period at a time: what a newer one replaced, as an upgrade does, gives nothing.
            if isInForce, transaction.expiresDate != nil { isInForce = running.insert(Self.place(original)).inserted }
            return Entitlement(transaction: transaction, expires: end, isInForce: isInForce)
        }
    }

    /// A transaction has its number in one environment.
    private static func place(_ transaction: VerifiedTransaction) -> Place {
        Place(environment: transaction.environment, transactionID: transaction.transactionID)
    }

    private struct Place: Hashable {
        let environment: StoreEnvironment
        let transactionID: TransactionID
    }

    /// Until when subscriptions last that do not renew themselves: their periods are counted here, one behind the other.
    private func endsOfNonRenewing(_ transactions: [VerifiedTransaction]) throws -> [TransactionID: Instant] {
        var periods: [BundleID: [ProductID: BillingPeriod]] = [:]
        for bundleID in Set(transactions.lazy.filter { $0.expiresDate == nil }.map(\.bundleID)) {
            let products = try ProductTable(connection, cache: lists).newestList(of: bundleID)?.products ?? []
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
