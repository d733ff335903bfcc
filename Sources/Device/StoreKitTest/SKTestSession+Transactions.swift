import StoreKit
import StoreModel

extension SKTestSession {
    /// Everything the customer has bought in this session, the oldest first, and purchases that wait for an issue to be
    /// resolved.
    public func allTransactions() -> [SKTestTransaction] {
        do {
            return try settle { try await $0.store.contents() }.map(SKTestTransaction.init)
        } catch {
            SessionLog.write("\(error.localizedDescription)")
            return []
        }
    }

    /// Forgets everything that was bought, as if it had never happened; it is also gone from the app's queue and receipt.
    ///
    /// A payment that the app has under way goes on.
    public func clearTransactions() {
        report { scene in
            scene.finish { !$0.isOpen }
            try await scene.store.forgetEverything()
        }
    }

    /// Forgets a transaction and what came of it, its renewals and its restored copies.
    public func deleteTransaction(identifier: UInt) throws {
        let number = Int(clamping: identifier)
        try settle { scene in
            try await scene.store.forget(number)
            scene.finish { $0.bought?.id.number == Int64(number) }
        }
    }

    /// Gives the customer the money back and takes back what was bought, at once.
    ///
    /// Observers hear of it by `paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)`.
    public func refundTransaction(identifier: UInt) throws {
        try settle { try await $0.store.refund(Int(clamping: identifier)) }
    }

    /// Resolves what has interrupted a purchase; the app gets its transaction.
    public func resolveIssueForTransaction(identifier: UInt) throws {
        try settle { try await $0.store.settle(Int(clamping: identifier)) }
    }

    /// Buys something as if outside the app: its observers get the transaction without having added a payment.
    ///
    /// While ``failTransactionsEnabled`` this throws an ``SKError`` of ``failureError``.
    public func buyProduct(productIdentifier: String) throws {
        if let code = values.current.failure { throw SKError(code) }
        try settle { _ = try await $0.store.sell(TestOrder(productIdentifier)) }
    }
}

/// The same for whoever keeps an identifier as `Int`.
extension SKTestSession {
    public func deleteTransaction(identifier: Int) throws {
        try deleteTransaction(identifier: UInt(clamping: identifier))
    }

    public func refundTransaction(identifier: Int) throws {
        try refundTransaction(identifier: UInt(clamping: identifier))
    }

    public func resolveIssueForTransaction(identifier: Int) throws {
        try resolveIssueForTransaction(identifier: UInt(clamping: identifier))
    }
}
