public import StoreModel

/// A transaction that a trusted store vouches for.
public struct VerifiedTransaction: Codable, Hashable, Sendable {
    /// The environment it was made in.
    public var environment: StoreEnvironment
    /// The id of this transaction.
    public var transactionID: TransactionID
    /// The id of the first transaction of the subscription, or of the one that was restored.
    public var originalTransactionID: TransactionID
    /// The app it was bought in.
    public var bundleID: BundleID
    /// The product.
    public var productID: ProductID
    /// The kind of the product; nil where the proof does not say it.
    public var kind: ProductKind?
    /// How many were bought.
    public var quantity: Int
    /// When the customer was charged, or the purchase was restored.
    public var purchaseDate: Instant
    /// When the original transaction was made.
    public var originalPurchaseDate: Instant
    /// When the period of a subscription ends.
    public var expiresDate: Instant?
    /// When it was refunded or withdrawn.
    public var revocationDate: Instant?
    /// Whether an upgrade replaced it.
    public var isUpgraded: Bool
    /// Whether the customer bought it or shares it with a family.
    public var ownership: OwnershipType
    /// The account of the developer's own that the app named.
    public var appAccountToken: AppAccountToken?
    /// The group of a subscription.
    public var subscriptionGroup: SubscriptionGroupID?
    /// When the store said this. Of two statements about one transaction the later one holds.
    public var statedAt: Instant

    /// Makes one from its fields.
    public init(
        environment: StoreEnvironment, transactionID: TransactionID, originalTransactionID: TransactionID,
        bundleID: BundleID, productID: ProductID, kind: ProductKind? = nil, quantity: Int = 1,
        purchaseDate: Instant, originalPurchaseDate: Instant, expiresDate: Instant? = nil,
        revocationDate: Instant? = nil, isUpgraded: Bool = false, ownership: OwnershipType = .purchased,
        appAccountToken: AppAccountToken? = nil, subscriptionGroup: SubscriptionGroupID? = nil, statedAt: Instant
    ) {
        self.environment = environment
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.bundleID = bundleID
        self.productID = productID
        self.kind = kind
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.expiresDate = expiresDate
        self.revocationDate = revocationDate
        self.isUpgraded = isUpgraded
        self.ownership = ownership
        self.appAccountToken = appAccountToken
        self.subscriptionGroup = subscriptionGroup
        self.statedAt = statedAt
    }

    /// Makes one from a payload that was verified; throws if it is of no store.
    public init(_ payload: TransactionPayload) throws {
        guard let environment = payload.environment.environment else {
            throw BackendError(
                .wrongEnvironment, "The transaction is of \(payload.environment.rawValue), which is no store.")
        }
        self.init(
            environment: environment, transactionID: payload.transactionId,
            originalTransactionID: payload.originalTransactionId, bundleID: payload.bundleId,
            productID: payload.productId, kind: payload.type, quantity: payload.quantity,
            purchaseDate: payload.purchaseDate, originalPurchaseDate: payload.originalPurchaseDate,
            expiresDate: payload.expiresDate, revocationDate: payload.revocationDate,
            isUpgraded: payload.isUpgraded ?? false, ownership: payload.inAppOwnershipType,
            appAccountToken: payload.appAccountToken, subscriptionGroup: payload.subscriptionGroupIdentifier,
            statedAt: payload.signedDate)
    }

    /// Whether it gives a right at an instant by what it says itself. That it was taken back is asked before its end. Of several
    /// periods of a subscription see ``VerifiedPayment/inForce(at:)``.
    public func isInForce(at instant: Instant) -> Bool {
        guard revocationDate == nil, !isUpgraded else { return false }
        return expiresDate.map { instant < $0 } ?? true
    }
}

/// What a proof shows after it was verified.
public struct VerifiedPayment: Hashable, Sendable {
    /// The environment of the store that vouches for it.
    public var environment: StoreEnvironment
    /// The app.
    public var bundleID: BundleID
    /// The transactions in it; of an app receipt all of the app that it lists.
    public var transactions: [VerifiedTransaction]

    /// Makes one from its parts.
    public init(environment: StoreEnvironment, bundleID: BundleID, transactions: [VerifiedTransaction]) {
        self.environment = environment
        self.bundleID = bundleID
        self.transactions = transactions
    }
}

/// Says whether a proof is true: by asking the store, or by its signature alone.
public protocol PaymentVerifier: Sendable {
    /// Verifies a proof, and the app and environment in it; throws ``BackendError``.
    ///
    /// - Parameter now: the time by the wall, which tokens for the store are made with and remembered verdicts grow old
    ///   by.
    func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment

    /// Throws ``BackendError`` for a proof that can be refused without asking anybody, as ``verify(_:at:)`` does too. What it
    /// refuses counts towards no limit of what is asked; what passes may be false still.
    func check(_ proof: ProofOfPayment, at now: Instant) throws
}

extension PaymentVerifier {
    /// Refuses nothing: everything is for ``verify(_:at:)``.
    public func check(_ proof: ProofOfPayment, at now: Instant) throws {}
}
