/// Why the backend refuses, or fails. Its text is safe to log and to show to a developer.
public struct BackendError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors. More may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word that answers over HTTP have.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The proof is none of the forms that stores give.
        public static let malformedProof = Code(rawValue: "malformed_proof")
        /// The proof exceeds a limit, which the message names.
        public static let proofTooLarge = Code(rawValue: "proof_too_large")
        /// The proof was not signed by a trusted store, or was changed afterwards.
        public static let untrustedProof = Code(rawValue: "untrusted_proof")
        /// The proof is of another app.
        public static let wrongApp = Code(rawValue: "wrong_app")
        /// The proof is of an environment that this backend does not take.
        public static let wrongEnvironment = Code(rawValue: "wrong_environment")
        /// Nothing in the proof pays for this product.
        public static let notPaid = Code(rawValue: "not_paid")
        /// The request says another quantity than was bought.
        public static let wrongQuantity = Code(rawValue: "wrong_quantity")
        /// The transaction belongs to another user.
        public static let belongsToAnother = Code(rawValue: "belongs_to_another")
        /// The purchase was refunded or withdrawn.
        public static let revoked = Code(rawValue: "revoked")
        /// The subscription has ended.
        public static let expired = Code(rawValue: "expired")
        /// The product is in no list of this backend, and never was.
        public static let unknownProduct = Code(rawValue: "unknown_product")
        /// There is no such content, or none for this version of the app.
        public static let unknownContent = Code(rawValue: "unknown_content")
        /// There is no such user, or the password or token is wrong.
        public static let notSignedIn = Code(rawValue: "not_signed_in")
        /// The name of the user is taken.
        public static let nameTaken = Code(rawValue: "name_taken")
        /// There is no such user.
        public static let unknownUser = Code(rawValue: "unknown_user")
        /// The app is none of this backend's.
        public static let unknownApp = Code(rawValue: "unknown_app")
        /// There is no such subscription, or it is another user's.
        public static let unknownSubscription = Code(rawValue: "unknown_subscription")
        /// The key was used before, for something else.
        public static let keyReused = Code(rawValue: "key_reused")
        /// The balance does not reach.
        public static let balanceTooLow = Code(rawValue: "balance_too_low")
        /// A value of the request breaks a rule, which the message names.
        public static let invalidValue = Code(rawValue: "invalid_value")
        /// There were too many requests; a later one may be taken.
        public static let tooManyRequests = Code(rawValue: "too_many_requests")
        /// A content that is listed is not on the server, or its file cannot be read or written.
        public static let contentUnavailable = Code(rawValue: "content_unavailable")
        /// The store could not be asked, or did not answer as a store does; a later try may succeed.
        public static let storeUnavailable = Code(rawValue: "store_unavailable")
        /// The store does not take the shared secret or the key of this backend, which its operator must set right.
        public static let storeKeyRefused = Code(rawValue: "store_key_refused")
        /// The store knows no such transaction.
        public static let unknownTransaction = Code(rawValue: "unknown_transaction")
        /// The database failed.
        public static let database = Code(rawValue: "database")
        /// Another transaction of the database was in the way; the same one may succeed when it is run again.
        public static let databaseBusy = Code(rawValue: "database_busy")
        /// The connection to the database broke while a transaction was written, so that nobody knows whether it was. The
        /// same request finds what was written, and does what was not.
        public static let outcomeUnknown = Code(rawValue: "outcome_unknown")
    }

    /// The kind of error.
    public var code: Code
    /// What happened, why, and what to do.
    public var message: String
    /// The parameter that is wrong, if one is.
    public var parameter: String?
    /// After how many seconds another try is worth it, if that is known.
    public var retryAfter: Int?

    /// Makes an error.
    public init(_ code: Code, _ message: String, parameter: String? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.parameter = parameter
        self.retryAfter = retryAfter
    }

    /// Whether the same request may succeed later.
    public var isRetryable: Bool {
        [.tooManyRequests, .storeUnavailable, .database, .databaseBusy, .outcomeUnknown, .contentUnavailable]
            .contains(code)
    }

    /// The message.
    public var description: String { message }
}
