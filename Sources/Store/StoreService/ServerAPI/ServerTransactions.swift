import StoreCatalogue
package import StoreDatabase
import StoreModel
import StoreSigning

/// What developers' servers read of the customers of their apps: each answer is signed at this moment of the customer's clock.
package struct ServerTransactions: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Some signed transactions, and where those begin that follow.
    package struct Page: Sendable {
        package let signed: [String]
        /// What to ask for as `revision` to get what follows, now or later.
        package let revision: String
        package let hasMore: Bool
    }

    /// A transaction.
    package func info(_ id: String, for caller: ServerCaller) async throws -> String {
        let store = store
        let (found, signing) = try await store.database.lookUp { transaction in
            guard case .transaction(let found) = try ServerSubject(id, for: caller, store, in: transaction) else {
                throw ServerAPIError(.appTransactionIDNotSupported, "\(id) is an app transaction, and no transaction")
            }
            return (found, try Signing(of: found.customerID, app: found.appID, store, in: transaction))
        }
        return try signing.sign(found, store)
    }

    /// A page of what a customer has, in the order in which it was changed.
    ///
    /// - Parameter revision: where the page begins; nil for the first one.
    package func history(
        of id: String, _ filter: HistoryFilter, after revision: String?, for caller: ServerCaller
    ) async throws -> Page {
        let (store, secret) = (store, try await store.pageSecret.secret())
        let (found, place, signing) = try await store.database.read { transaction in
            let scope = try Self.scope(of: id, for: caller, store, in: transaction)
            let places = try ServerPlaces("history \(filter.text)", of: scope, by: secret, in: transaction)
            let after = try revision.map { try places.numbers(in: $0).first }
            let found = try TransactionHistory(of: scope, filter, after: after ?? nil, in: transaction)
            return (
                found, try places.text([found.place]),
                try Signing(of: scope.customer, app: scope.app, store, in: transaction)
            )
        }
        return Page(
            signed: try found.transactions.map { try signing.sign($0, store) }, revision: place, hasMore: found.hasMore)
    }

    /// Transactions of a page of refunds.
    private static let refundPage = 20
    /// Those that the first version of the interface tells, which has no pages.
    private static let mostRefunds = 500

    /// Transactions for which money was given back, by when they were revoked.
    ///
    /// - Parameter isPaged: whether it is a page; otherwise all of them.
    package func refunds(
        of id: String, after revision: String?, isPaged: Bool, for caller: ServerCaller
    ) async throws -> Page {
        let (store, limit) = (store, isPaged ? Self.refundPage : Self.mostRefunds)
        let secret = try await store.pageSecret.secret()
        let (found, place, signing) = try await store.database.read { transaction in
            let scope = try Self.scope(of: id, for: caller, store, in: transaction)
            let places = try ServerPlaces("refunds", of: scope, by: secret, in: transaction)
            let after = try revision.map { try places.numbers(in: $0) }
            let start = (at: after?.first ?? Int64.min, id: after?.last ?? 0)
            let found = try TransactionRevisions.refunded(
                of: scope, after: start, limit: limit + 1, in: transaction)
            let last = found.prefix(limit).last.map {
                [$0.revocation?.revokedAt.millisecondsSinceEpoch ?? start.at, $0.id.number]
            }
            return (
                found, try places.text(last ?? [start.at, start.id]),
                try Signing(of: scope.customer, app: scope.app, store, in: transaction)
            )
        }
        return Page(
            signed: try found.prefix(limit).map { try signing.sign($0, store) }, revision: place,
            hasMore: found.count > limit)
    }

    /// The transactions of an order; nil if the app has no order of this id.
    package func order(_ id: String, for caller: ServerCaller) async throws -> [String]? {
        let store = store
        guard let sale = OrderID(id)?.sale(in: store.environment) else { return nil }
        let found = try await store.database.lookUp { transaction -> (StoreTransaction, Signing)? in
            guard let found = try Transactions.find(order: sale, in: transaction), found.appID == caller.app else {
                return nil
            }
            return (found, try Signing(of: found.customerID, app: found.appID, store, in: transaction))
        }
        return try found.map { [try $1.sign($0, store)] }
    }

    /// A customer's download of the app.
    package func appTransaction(of id: String, for caller: ServerCaller) async throws -> String {
        let store = store
        let payload = try await store.database.lookUp { transaction in
            let scope = try Self.scope(of: id, for: caller, store, in: transaction)
            guard let found = try AppDownload.find(of: scope.customer, app: scope.app, in: transaction) else {
                throw ServerAPIError(
                    .noAppTransaction, "customer \(scope.customer) never signed in on a device that has \(scope.bundle)"
                )
            }
            let commerce = try Signing(of: scope.customer, app: scope.app, store, in: transaction).commerce
            return try found.payload(of: scope.bundle, in: store.environment, at: commerce, transaction)
        }
        return try store.signers.jws.sign(encoding: payload, at: payload.receiptCreationDate)
    }

    /// Whose data an id of the path means: a customer, if the account is there, and the app of the caller.
    static func scope(
        of id: String, for caller: ServerCaller, _ store: EnvironmentStore, in transaction: any ReadTransaction
    ) throws -> CustomerScope {
        let subject = try ServerSubject(id, for: caller, store, in: transaction)
        let customer = try Customers.require(subject.customer, in: transaction)
        guard customer.deletedAt == nil else {
            throw ServerAPIError(.accountNotFound, "the account \(customer.id), whose this is, was deleted")
        }
        return CustomerScope(
            customer: customer.id, app: caller.app, bundle: caller.bundle, storefront: customer.storefront)
    }

    /// What is signed for a customer besides what it is about.
    struct Signing: Sendable {
        let download: AppTransactionID?
        let commerce: Instant

        init(
            of customer: CustomerID, app: AppID, _ store: EnvironmentStore, in transaction: any ReadTransaction
        ) throws {
            download = try AppDownload.find(of: customer, app: app, in: transaction)?.number
            commerce = store.clocks.now(by: try CustomerClock.of(customer, in: transaction)).commerce
        }

        func sign(_ found: StoreTransaction, _ store: EnvironmentStore) throws -> String {
            try store.signers.jws.sign(
                encoding: found.payload(in: store.environment, appTransaction: download, signedAt: commerce),
                at: commerce)
        }
    }
}

/// What an id means that a developer's server names: a transaction of its app, or a customer's download of it.
// Closed: the interface has these two.
package enum ServerSubject: Sendable {
    case transaction(StoreTransaction)
    case download(AppDownload)

    var customer: CustomerID {
        switch self {
        case .transaction(let found): found.customerID
        case .download(let found): found.customer
        }
    }

    /// Finds what an id means; another app's is unknown.
    ///
    /// - Parameters:
    ///   - malformed: the code for what is no id.
    ///   - unknown: the code for what there is not.
    package init(
        _ text: String, for caller: ServerCaller, _ store: EnvironmentStore,
        malformed: ServerAPIError.Code = .invalidTransactionID, unknown: ServerAPIError.Code = .transactionNotFound,
        in transaction: any ReadTransaction
    ) throws {
        guard let id = TransactionID(text), let download = AppTransactionID(text) else {
            throw ServerAPIError(malformed, "\(text) is no id: an id is a decimal number")
        }
        if let place = id.environment, place != store.environment {
            throw ServerAPIError(unknown, "\(id) is of the \(place), and this is the \(store.environment): ask there")
        }
        let isDownload = id.number >= NumberSeries.firstAppTransaction(of: store.environment)
        if !isDownload, let found = try Transactions.find(id, in: transaction), found.appID == caller.app {
            self = .transaction(found)
        } else if let found = try AppDownload.find(download, of: caller.app, in: transaction) {
            self = .download(found)
        } else {
            throw ServerAPIError(unknown, "\(caller.bundle) has no transaction \(id) in the \(store.environment)")
        }
    }
}
