public import StoreModel

/// What was done, to be read later. Entries are never changed or removed.
public struct AuditEntry: Hashable, Sendable {
    /// The kinds of entries. More may come.
    public struct Action: RawRepresentable, Codable, Hashable, Sendable {
        /// The word that the database has.
        public let rawValue: String

        /// Makes an action from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A list of products was published.
        public static let listPublished = Action(rawValue: "list_published")
        /// An app said that the store does not know a listed product.
        public static let productUnknown = Action(rawValue: "product_unknown")
        /// A version of a content was added.
        public static let contentAdded = Action(rawValue: "content_added")
        /// A version of a content was removed.
        public static let contentRemoved = Action(rawValue: "content_removed")
        /// A user got a version of a content to download.
        public static let contentGranted = Action(rawValue: "content_granted")
        /// An account was made.
        public static let userAdded = Action(rawValue: "user_added")
        /// The password of an account was changed.
        public static let passwordChanged = Action(rawValue: "password_changed")
        /// An account was removed.
        public static let userRemoved = Action(rawValue: "user_removed")
        /// Somebody signed in.
        public static let signedIn = Action(rawValue: "signed_in")
        /// Somebody signed out.
        public static let signedOut = Action(rawValue: "signed_out")
        /// As many passwords were tried as may be; further ones are refused for a while.
        public static let guessesExhausted = Action(rawValue: "guesses_exhausted")
        /// A transaction was stated for the first time.
        public static let purchaseRecorded = Action(rawValue: "purchase_recorded")
        /// The store stated something else about a transaction than before.
        public static let purchaseChanged = Action(rawValue: "purchase_changed")
        /// A purchase got its first user.
        public static let ownerFirst = Action(rawValue: "owner_first")
        /// A purchase went to another user.
        public static let ownerTransferred = Action(rawValue: "owner_transferred")
        /// A purchase got a further user.
        public static let ownerShared = Action(rawValue: "owner_shared")
        /// A user brought a purchase of another's and was refused.
        public static let ownerRefused = Action(rawValue: "owner_refused")
        /// A proof was refused.
        public static let proofRefused = Action(rawValue: "proof_refused")
        /// A balance was credited.
        public static let credited = Action(rawValue: "credited")
        /// A credit was taken back.
        public static let creditTakenBack = Action(rawValue: "credit_taken_back")
        /// The store has told something.
        public static let notified = Action(rawValue: "notified")
        /// An app was allowed to ask a customer about a subscription.
        public static let prompted = Action(rawValue: "prompted")
        /// Something was spent of a balance.
        public static let spent = Action(rawValue: "spent")
    }

    /// The number of the entry; later ones are higher.
    public let number: Int64
    /// When it was done.
    public let instant: Instant
    /// What was done.
    public let action: Action
    /// The id of the user whom it concerns.
    public let userID: String?
    /// What that user is called; nil if the account is none of the backend's own, or was removed.
    public let userName: String?
    /// The transaction that it concerns.
    public let transactionID: TransactionID?
    /// The environment of that transaction.
    public let environment: StoreEnvironment?
    /// The product that it concerns.
    public let productID: ProductID?
    /// The rest, in words.
    public let detail: String
}
