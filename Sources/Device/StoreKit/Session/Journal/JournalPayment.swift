package import StoreModel

/// A payment as the journal has it.
package struct JournalPayment: Hashable, Sendable {
    /// How far it has come.
    // Closed: the states are those of the journal's own file.
    package enum State: String, Hashable, Sendable {
        /// Nothing is known of what the store thinks of it.
        case added
        /// The customer said yes: from here on it may be paid.
        case confirmed
        /// There is a transaction for it.
        case purchased
        /// It has come to nothing.
        case failed
    }

    package let key: PurchaseKey
    /// Rises with every payment and every transaction of the journal.
    package var number: Int64
    package var product: String
    package var quantity: Int
    package var username: String?
    package var state: State
    package var failure: SessionFailure?
    package var transaction: TransactionID?
    /// The process that looks after it.
    package var owner: String
    package var addedAt: Instant

    package init(
        key: PurchaseKey, number: Int64 = 0, product: String, quantity: Int, username: String? = nil,
        state: State = .added, failure: SessionFailure? = nil, transaction: TransactionID? = nil, owner: String,
        addedAt: Instant
    ) {
        self.key = key
        self.number = number
        self.product = product
        self.quantity = quantity
        self.username = username
        self.state = state
        self.failure = failure
        self.transaction = transaction
        self.owner = owner
        self.addedAt = addedAt
    }

    /// Whether it is not known yet what becomes of it.
    package var isOpen: Bool { state == .added || state == .confirmed }

    /// What the store is to keep with the transaction: the user name of the app, if it is a UUID.
    package var accountToken: AppAccountToken? { username.flatMap { AppAccountToken($0) } }
}
