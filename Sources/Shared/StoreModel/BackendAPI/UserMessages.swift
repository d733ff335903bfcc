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

/// Whether the app may show the store's question: `POST /v1/subscriptions/{originalTransactionId}/prompts`.
package struct PromptAnswer: Codable, Hashable, Sendable {
    package var mayPrompt: Bool

    package init(mayPrompt: Bool) {
        self.mayPrompt = mayPrompt
    }
}
