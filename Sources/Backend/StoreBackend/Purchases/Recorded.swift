public import StoreModel

/// What became of one transaction of a proof.
public struct Recorded: Hashable, Sendable {
    /// What a user has of a transaction.
    // Closed: an app has to do something for each.
    public enum State: String, CaseIterable, Codable, Hashable, Sendable {
        /// The user has it.
        case granted
        /// It was refunded, withdrawn, or replaced by an upgrade.
        case takenBack = "taken_back"
        /// Another user has it, and the policy is that they keep it.
        case belongsToAnother = "belongs_to_another"
    }

    /// The transaction, as it was stated last.
    public let transaction: VerifiedTransaction
    /// Whether this was not known before: of the transaction, or that it is this user's.
    public let isNew: Bool
    /// What the user has of it.
    public let state: State
    /// Whether the product is in a list of its app, or was in one. One that never was credits nothing until it is.
    public let isListed: Bool
    /// The balance that it credits, as it is afterwards.
    public let balance: Balance?
}

/// What a user has, or had.
public struct Entitlement: Hashable, Sendable {
    /// The transaction that it comes from, as it was stated last.
    public let transaction: VerifiedTransaction
    /// Until when it holds; nil for good. The grace period of a subscription is counted.
    public let expires: Instant?
    /// Whether it holds at the instant that was asked for.
    public let isInForce: Bool
}
