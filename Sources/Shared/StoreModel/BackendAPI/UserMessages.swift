/// A name and a password: `POST /v1/users` makes an account of them, `POST /v1/sessions` signs in.
package struct AccountRequest: Codable, Hashable, Sendable {
    package var name: String
    package var password: String

    package init(name: String, password: String) {
        self.name = name
        self.password = password
    }
}

/// A user who has signed in on this device.
package struct SignedInAnswer: Codable, Hashable, Sendable {
    package var userId: String
    package var name: String
    /// The secret that later requests carry.
    package var token: String
    package var expires: Instant

    package init(userId: String, name: String, token: String, expires: Instant) {
        self.userId = userId
        self.name = name
        self.token = token
        self.expires = expires
    }
}

/// Whose token it is: `GET /v1/user`.
package struct UserAnswer: Codable, Hashable, Sendable {
    package var userId: String
    package var name: String

    package init(userId: String, name: String) {
        self.userId = userId
        self.name = name
    }
}

/// The balances of a user: `GET /v1/balances`.
package struct BalancesAnswer: Codable, Hashable, Sendable {
    package var balances: [UserBalance]

    package init(balances: [UserBalance]) {
        self.balances = balances
    }
}

/// How much a user has of something that is used up.
public struct UserBalance: Codable, Hashable, Sendable {
    /// What it is of.
    public var name: String
    /// How much there is; less than nothing where more was spent than was left after a refund.
    public var amount: Int64

    /// Makes one from its parts.
    public init(name: String, amount: Int64) {
        self.name = name
        self.amount = amount
    }
}

/// Takes from a balance: `POST /v1/balances/{name}/spend`, with an `Idempotency-Key`.
package struct SpendRequest: Codable, Hashable, Sendable {
    package var amount: Int64

    package init(amount: Int64) {
        self.amount = amount
    }
}

/// Whether an app may ask a customer about a subscription, and why or why not:
/// `POST /v1/subscriptions/{originalTransactionId}/prompts`.
public struct PromptAnswer: Codable, Hashable, Sendable {
    /// The kinds of answers. More may come.
    public struct Code: WireValue {
        /// The word on the wire.
        public let rawValue: String

        /// Any word, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The app may ask, once.
        public static let ask = Code(rawValue: "ask")
        /// The customer was asked in this period.
        public static let asked = Code(rawValue: "asked")
        /// The customer was asked too short a time ago.
        public static let tooSoon = Code(rawValue: "too_soon")
        /// It renews by itself.
        public static let renews = Code(rawValue: "renews")
        /// It runs for a while yet.
        public static let runs = Code(rawValue: "runs")
        /// It was taken back.
        public static let revoked = Code(rawValue: "revoked")

        /// The words that this version knows.
        public static let known: Set<Code> = [.ask, .asked, .tooSoon, .renews, .runs, .revoked]
    }

    /// Whether the app may ask.
    public var mayPrompt: Bool
    /// The kind of the answer.
    public var code: Code
    /// Why, in a sentence. Where the developer has a reason for the time between two questions, that is in it.
    public var reason: String
    /// When the answer may be another, if only time has to pass.
    public var notBefore: Instant?

    /// Makes an answer.
    public init(_ code: Code, _ reason: String, notBefore: Instant? = nil) {
        mayPrompt = code == .ask
        self.code = code
        self.reason = reason
        self.notBefore = notBefore
    }
}
