public import Foundation
public import StoreKit
import StoreModel

extension SKTestSession {
    /// Buys something as if outside the app, with options: its transaction comes to the app in `Transaction.updates`, and to observers
    /// of the queue.
    ///
    /// ```swift
    /// let bought = try await session.buyProduct(identifier: "monkeys.club", options: [.promotionalOffer(id: "spring")])
    /// ```
    ///
    /// A product that the customer owns already, and that is owned once, gives the transaction that there is. Options of a purchase in
    /// the app alone, such as `onStorefrontChange` and `custom`, change nothing, and neither does `simulatesAskToBuyInSandbox`:
    /// ``askToBuyEnabled`` says whether a purchase waits.
    ///
    /// - Throws: the error of ``setSimulatedError(_:forAPI:)``, or ``SKTestError`` for what the store refuses, and for a purchase that
    ///   somebody has to allow, or that was interrupted: it waits among ``allTransactions()``.
    @discardableResult
    public func buyProduct(
        identifier: Product.ID, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        if let failure = values.current.failure(of: .purchase) { throw failure.thrown }
        let order = try TestOrder(identifier, options)
        let id = try await settleAsync { try await $0.store.buy(order) }
        let journal = parts.scene.device.session.journal
        guard let signed = try journal.transaction(id)?.signed else {
            throw SKTestError(.serviceUnavailable, "The app has not heard of the transaction \(id).")
        }
        return Transaction(signed: signed)
    }
}

extension Product.PurchaseOption {
    /// What a subscription does that a test has bought in the past.
    // Closed: these are the cases that Apple's platforms have.
    public enum SubscriptionRenewalBehavior: Codable, Hashable, Sendable {
        /// It has renewed at each end of a period, and goes on.
        case renewUntilNow
        /// It was cancelled at once, and has ended with its first period.
        case cancelImmediately
    }

    /// Buys with a promotional offer of the configuration, without a signature.
    public static func promotionalOffer(id: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.testPromotionalOffer(id: id))
    }

    /// Buys with an offer for codes of the configuration, without a code.
    public static func codeOffer(referenceName: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.testCodeOffer(referenceName: referenceName))
    }

    /// Buys at an earlier time, by the time of the session.
    public static func purchaseDate(
        _ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow
    ) -> Product.PurchaseOption {
        Product.PurchaseOption(.testPurchaseDate(date, cancelsAtOnce: renewalBehavior == .cancelImmediately))
    }
}
