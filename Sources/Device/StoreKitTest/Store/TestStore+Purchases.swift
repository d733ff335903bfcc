import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// What a test does to the purchases of the customer.
extension TestStore {
    /// The most of anything that is shown of one customer.
    private static let longestList = 100_000

    /// Buys something without the app.
    func buy(_ product: String) async throws {
        let order = OperatorPurchaseRequest(customer: customer.description, bundleId: bundle, productId: product)
        let response = try await transport(control).send(
            TransportRequest(
                "POST", "/control/v1/purchases", fields: ["Content-Type": "application/json"],
                body: .collected(Array(try JSONEncoder().encode(order)))))
        let body = Data(try await response.body.collect())
        guard (200..<300).contains(response.status.rawValue) else {
            let isUnknown = response.status == .notFound || response.status == .badRequest
            throw SKTestError(
                isUnknown ? .invalidProductIdentifier : .serviceUnavailable,
                "\(product) could not be bought: \(String(decoding: body, as: UTF8.self))")
        }
        let state = try JSONDecoder().decode(PurchaseState.self, from: body).state
        guard [Purchase.State.purchased, .interrupted].map(\.rawValue).contains(state) else {
            throw SKTestError(.invalidAction, "\(product) could not be bought: the purchase is \(state).")
        }
    }

    private struct PurchaseState: Decodable {
        var state: String
    }

    /// Everything the customer has, and what waits to be settled.
    func contents() async throws -> [SKTestTransaction.Content] {
        let id = customer
        return try await store.database.read { transaction in
            let bought = try Transactions.list(of: id, after: nil, limit: Self.longestList, in: transaction)
            let interrupted = try Purchases.list(of: id, after: nil, limit: Self.longestList, in: transaction)
                .filter { $0.state == .interrupted }
            return bought.map(SKTestTransaction.Content.init)
                + interrupted.map(SKTestTransaction.Content.init(interrupted:))
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
            _ = try await RefundRoad(store).refund(id, reason: .other)
        } catch let error as ServiceError where error.code == .notPaid {
            // Nothing was paid, so there is nothing to give back.
            let commerce = store.clocks.commerce()
            _ = try await store.database.write {
                try Refunds.revoke(id, reason: .other, at: commerce, in: $0)
            }
        }
    }

    /// Settles what has interrupted a purchase.
    func settle(_ identifier: Int) async throws {
        let id = customer
        _ = try await PurchaseRoad(store).handle(request: nil) { transaction, times in
            let found = try PurchaseID(String(identifier)).flatMap { try Purchases.find($0, in: transaction) }
            guard var found, found.customer == id else { throw Self.unknown(identifier) }
            guard found.state == .interrupted else {
                throw SKTestError(.invalidAction, "The purchase \(identifier) has nothing that must be settled.")
            }
            let event = try Purchases.confirmation(of: &found, at: times, in: transaction)
            return (found, event)
        }
    }

    /// Forgets a transaction, or a purchase that waits to be settled.
    func forget(_ identifier: Int) async throws {
        let (id, owner) = (try transactionID(identifier), customer)
        let epoch = UUID().uuidString
        try await store.database.write { transaction in
            if try !Transactions.forget(id, in: transaction) {
                let found = try PurchaseID(String(identifier)).flatMap { try Purchases.find($0, in: transaction) }
                guard let found, found.customer == owner, found.state == .interrupted else {
                    throw Self.unknown(identifier)
                }
                try Transactions.forget(found.id, in: transaction)
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
            for one in try Purchases.list(of: id, after: nil, limit: Self.longestList, in: transaction) {
                try Transactions.forget(one.id, in: transaction)
            }
            try StoreProperty.beginEpoch(epoch, in: transaction)
        }
    }

    func setInterruptsPurchases(_ interrupts: Bool) async throws {
        let id = customer
        try await store.database.write {
            try Customers.setInterruptsPurchases(interrupts, of: id, in: $0)
        }
    }

    func move(to storefront: StorefrontRecord) async throws {
        let id = customer
        try await store.database.write { try Customers.setStorefront(storefront, of: id, in: $0) }
    }

    private func transactionID(_ identifier: Int) throws -> TransactionID {
        guard let id = TransactionID(String(identifier)) else { throw Self.unknown(identifier) }
        return id
    }

    private static func unknown(_ identifier: Int) -> SKTestError {
        SKTestError(.noTransactionFound, "There is no transaction \(identifier).")
    }
}
