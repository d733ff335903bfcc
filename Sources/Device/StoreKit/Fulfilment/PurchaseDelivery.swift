/// What the app is to do for the customer about a transaction.
public struct PurchaseDelivery: Sendable {
    /// What is done.
    // Closed: what the store says of a transaction is that it holds, or that it does not.
    public enum Act: String, Hashable, Sendable {
        /// Give what was bought, for the first time or again after a refund was reversed.
        case grant
        /// Take back what was given: it was refunded, withdrawn, or replaced by an upgrade.
        case takeBack
    }

    /// What was bought; its signature is good.
    public let transaction: Transaction
    /// What is done.
    public let act: Act
    /// How often what the store says of the transaction has changed, 1 being the purchase.
    public let revision: Int
}
