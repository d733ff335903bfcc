/// What fulfilling a transaction does for the customer.
// Closed: what the store says of a transaction is that it holds, or that it does not.
public enum FulfilmentAct: String, CaseIterable, Codable, Hashable, Sendable {
    /// Gives what was bought, for the first time or again after a refund was reversed.
    case grant
    /// Takes back what was given: it was refunded, withdrawn, or replaced by an upgrade.
    case takeBack = "take_back"
}

/// What came of fulfilling a transaction.
///
/// A transaction has a revision for each change of what the store says of it: bought, taken back, given back. Each
/// revision is fulfilled once.
public struct Fulfilment: Codable, Hashable, Sendable {
    /// The number of the newest revision, from 1 on.
    public var revision: Int
    /// What the newest revision does; nil where the first that was heard of a transaction is that it was taken back, so
    /// that there is nothing to give and nothing to take.
    public var act: FulfilmentAct?
    /// Whether this call did it. False where it was done before, and where there was nothing to do.
    public var isNew: Bool
    /// What the closure that did it returned.
    public var result: String?

    /// Makes one from its parts.
    public init(revision: Int, act: FulfilmentAct?, isNew: Bool, result: String? = nil) {
        self.revision = revision
        self.act = act
        self.isNew = isNew
        self.result = result
    }
}
