/// A proof of payment, where it is sent as JSON: the Base64 of its bytes, or a signed transaction as it is.
package struct ProofRequest: Codable, Hashable, Sendable {
    package var proof: String

    package init(proof: String) {
        self.proof = proof
    }
}

/// What became of the transactions in a proof: `POST /v1/purchases`.
package struct RecordedAnswer: Codable, Hashable, Sendable {
    /// In the order of the proof.
    package var recorded: [RecordedPurchase]

    package init(recorded: [RecordedPurchase]) {
        self.recorded = recorded
    }
}

/// A purchase as the developer's own server has recorded it.
public struct RecordedPurchase: Codable, Hashable, Sendable {
    /// What has become of it.
    public struct State: WireValue {
        /// The word on the wire.
        public let rawValue: String

        /// Any word, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user has what was bought.
        public static let granted = State(rawValue: "granted")
        /// It was refunded or withdrawn.
        public static let takenBack = State(rawValue: "taken_back")
        /// Another user of the app has brought it first, and keeps it.
        public static let belongsToAnother = State(rawValue: "belongs_to_another")

        /// The words that this version knows.
        public static let known: Set<State> = [.granted, .takenBack, .belongsToAnother]
    }

    /// The transaction.
    public var transactionId: TransactionID
    /// The first transaction of the subscription, or the one that was restored.
    public var originalTransactionId: TransactionID
    /// The product.
    public var productId: ProductID
    /// How many were bought.
    public var quantity: Int
    /// The environment of the store.
    public var environment: StoreEnvironment
    /// Whether it was recorded now, and not before.
    public var isNew: Bool
    /// What has become of it.
    public var state: State
    /// When the period of a subscription ends.
    public var expires: Instant?
    /// The balance after it, if it adds to one.
    public var balance: UserBalance?

    /// Makes one from its parts.
    public init(
        transactionId: TransactionID, originalTransactionId: TransactionID, productId: ProductID, quantity: Int,
        environment: StoreEnvironment, isNew: Bool, state: State, expires: Instant? = nil, balance: UserBalance? = nil
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.quantity = quantity
        self.environment = environment
        self.isNew = isNew
        self.state = state
        self.expires = expires
        self.balance = balance
    }
}

/// Content that was paid for, and where it is: `POST /v1/content/{productId}`.
package struct ContentAnswer: Codable, Hashable, Sendable {
    package var productId: ProductID
    package var name: String
    package var version: String
    package var bytes: Int64
    /// The SHA-256 of the file, in hexadecimal digits.
    package var sha256: String
    /// Where the file is, on the same server.
    package var path: String

    package init(productId: ProductID, name: String, version: String, bytes: Int64, sha256: String, path: String) {
        self.productId = productId
        self.name = name
        self.version = version
        self.bytes = bytes
        self.sha256 = sha256
        self.path = path
    }
}

/// What a user has or had: `GET /v1/entitlements`.
package struct UserEntitlementsAnswer: Codable, Hashable, Sendable {
    /// The newest first.
    package var entitlements: [UserEntitlement]
    /// When the server said so, by its own clock.
    package var now: Instant

    package init(entitlements: [UserEntitlement], now: Instant) {
        self.entitlements = entitlements
        self.now = now
    }
}

/// Something that a user of the developer's own server has, or had.
public struct UserEntitlement: Codable, Hashable, Sendable {
    /// The product.
    public var productId: ProductID
    /// The kind of product, where it is known.
    public var kind: ProductKind?
    /// The transaction that gives it.
    public var transactionId: TransactionID
    /// The first transaction of the subscription, or the one that was restored.
    public var originalTransactionId: TransactionID
    /// The environment of the store.
    public var environment: StoreEnvironment
    /// How many were bought.
    public var quantity: Int
    /// When it was bought.
    public var purchased: Instant
    /// When the period of a subscription ends.
    public var expires: Instant?
    /// When it was refunded or withdrawn.
    public var revoked: Instant?
    /// Whether the user has it, as the server saw it when it answered.
    public var isInForce: Bool

    /// Makes one from its parts.
    public init(
        productId: ProductID, kind: ProductKind? = nil, transactionId: TransactionID,
        originalTransactionId: TransactionID, environment: StoreEnvironment, quantity: Int = 1, purchased: Instant,
        expires: Instant? = nil, revoked: Instant? = nil, isInForce: Bool
    ) {
        self.productId = productId
        self.kind = kind
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.environment = environment
        self.quantity = quantity
        self.purchased = purchased
        self.expires = expires
        self.revoked = revoked
        self.isInForce = isInForce
    }
}
