import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService

/// What a test does to the purchases of the customer.
extension TestStore {
    /// The most of anything that is shown of one customer.
    private static let longestList = 100_000

    /// Buys something without the app, and gives the number of the transaction.
    func buy(_ order: TestOrder) async throws -> TransactionID {
        let sold = try await sell(order)
        guard let id = sold.bought?.id else {
            throw SKTestError(
                .invalidAction, "\(order.product) waits to be settled: the purchase \(SaleSummary.words(sold.state)).")
        }
        return id
    }

    /// Buys something without the app; it may wait for somebody.
    func sell(_ order: TestOrder) async throws -> SaleStatus {
        let product = order.product
        let sold: SaleStatus
        do {
            sold = try await Checkout(store).sell(
                order.selection, to: customer.description, app: bundle, key: nil, cause(of: order)
            ).status
            if order.cancelsAtOnce, let id = sold.bought?.originalID {
                _ = try await SubscriptionChanges(store).renew(
                    SubscriptionID(beganWith: id), false, cause(of: order))
            }
            if order.date != nil, !order.cancelsAtOnce, let id = sold.bought?.originalID {
                try await catchUp(SubscriptionID(beganWith: id))
            }
        } catch let error as ServiceError {
            throw SKTestError(.invalidProductIdentifier, "\(product) could not be bought: \(error.message)")
        } catch let error as SKTestError {
            throw error
        } catch {
            throw SKTestError(.serviceUnavailable, "\(product) could not be bought: \(error)")
        }
        guard [SaleState.purchased, .interrupted, .approval].contains(sold.state) else {
            throw SKTestError(
                .invalidAction, "\(product) could not be bought: the purchase \(SaleSummary.words(sold.state)).")
        }
        return sold
    }

    /// Renews what was bought in the past at each end of a period until now, as it had been renewed then.
    private func catchUp(_ id: SubscriptionID) async throws {
        let now = store.clocks.commerce()
        while let found = try await store.database.read({ try Subscriptions.find(id, in: $0) }),
            found.rules.endsAt <= now
        {
            let end = found.rules.endsAt
            do {
                let renewed = try await changes.forceRenewal(id, store.cause(.owner).at(end))
                // What does not renew any more, such as one whose card is declined, stays as it is.
                guard renewed.rules.endsAt > end else { return }
            } catch let error as ServiceError {
                // The store may be renewing it at this moment, because it is due.
                let again = try await store.database.read { try Subscriptions.find(id, in: $0) }
                guard let again, again.rules.state == .active else { return }
                guard again.rules.charge == .underWay || again.rules.endsAt > end else { throw error }
                try await Task.sleep(for: Self.renewal)
            }
        }
    }

    /// How long a renewal is left alone that is under way.
    private static let renewal = Duration.milliseconds(5)

    /// Whoever buys, at the time of the order.
    private func cause(of order: TestOrder) throws -> ChangeCause {
        let cause = store.cause(.owner)
        guard let date = order.date else { return cause }
        guard date <= store.clocks.commerce() else {
            throw SKTestError(.invalidAction, "Nothing is bought in the future; advance(to:) leads there.")
        }
        return cause.at(date)
    }

    /// Everything the customer has, and what waits to be settled.
    func contents() async throws -> [SKTestTransaction.Content] {
        let id = customer
        return try await store.database.read { transaction in
            let bought = try Transactions.list(of: id, after: nil, limit: Self.longestList, in: transaction)
            let waiting = try SaleStatus.list(of: id, after: nil, limit: Self.longestList, in: transaction)
                .compactMap(\.purchase).filter { $0.state == .interrupted || $0.state == .approval }
            let subscriptions = Dictionary(
                uniqueKeysWithValues: try Subscriptions.list(
                    .init(customer: id, limit: Self.longestList), in: transaction
                ).map { ($0.original, $0) })
            return bought.map { SKTestTransaction.Content($0, of: subscriptions[$0.originalID]) }
                + waiting.map(SKTestTransaction.Content.init(waiting:))
        }
    }

    func refund(_ identifier: Int) async throws {
        let id = try transactionID(identifier)
        let found = try await store.database.read { try Transactions.find(id, in: $0) }
        guard let found else { throw Self.unknown(identifier) }
        guard found.revocation == nil else {
            throw SKTestError(.invalidAction, "The transaction \(identifier) was refunded already.")
        }
        do {
            _ = try await RefundDriver(store).refund(.full(.other), of: id, store.cause(.owner))
        } catch let error as ServiceError where error.code == .notPaid {
            // Nothing was paid, so there is nothing to give back.
            _ = try await OperatorTransactions(store).revoke(id, reason: .other, store.cause(.owner))
        }
    }

    /// Settles what has interrupted a purchase, or has a subscription paid that could not be.
    func settle(_ identifier: Int) async throws {
        let id = customer
        if let number = TransactionID(String(identifier)),
            try await store.database.read({ try Transactions.find(number, in: $0) }) != nil
        {
            return try await resolve(subscription(of: identifier))
        }
        let found = try await store.database.read { transaction in
            try PurchaseID(String(identifier)).flatMap { try Purchases.find($0, in: transaction) }
        }
        guard let found, found.customer == id else { throw Self.unknown(identifier) }
        guard found.state == .interrupted else {
            throw SKTestError(.invalidAction, "The purchase \(identifier) has nothing that must be settled.")
        }
        _ = try await Checkout(store).settleInterruption(of: found.id.description, store.cause(.owner))
    }

    /// Forgets a transaction, or a purchase that waits to be settled.
    func forget(_ identifier: Int) async throws {
        let (id, owner) = (try transactionID(identifier), customer)
        let epoch = UUID().uuidString
        try await store.database.write { transaction in
            if try !Transactions.forget(id, in: transaction) {
                let found = try PurchaseID(String(identifier)).flatMap { try Purchases.find($0, in: transaction) }
                guard let found, found.customer == owner, found.state == .interrupted || found.state == .approval
                else {
                    throw Self.unknown(identifier)
                }
                try Transactions.forget(found.id.sale, in: transaction)
            }
            try StoreProperty.beginEpoch(epoch, in: transaction)
        }
    }

    /// Forgets everything the customer ever bought, or wanted to.
    func forgetEverything() async throws {
        let (id, epoch) = (customer, UUID().uuidString)
        try await store.database.write { transaction in
            for one in try Transactions.list(of: id, after: nil, limit: Self.longestList, in: transaction) {
                _ = try Transactions.forget(one.id, in: transaction)
            }
            for one in try SaleStatus.list(of: id, after: nil, limit: Self.longestList, in: transaction) {
                try Transactions.forget(one.id, in: transaction)
            }
            try StoreProperty.beginEpoch(epoch, in: transaction)
        }
    }

    func setInterruptsPurchases(_ interrupts: Bool) async throws {
        _ = try await Accounts(store).change(
            customer.description, .init(interruptsPurchases: interrupts), store.cause(.owner))
    }

    func move(to storefront: StorefrontRecord) async throws {
        _ = try await Accounts(store).change(
            customer.description, .init(storefront: StorefrontCode(storefront)), store.cause(.owner))
    }

    func transactionID(_ identifier: Int) throws -> TransactionID {
        guard let id = TransactionID(String(identifier)) else { throw Self.unknown(identifier) }
        return id
    }

    static func unknown(_ identifier: Int) -> SKTestError {
        SKTestError(.noTransactionFound, "There is no transaction \(identifier).")
    }
}
