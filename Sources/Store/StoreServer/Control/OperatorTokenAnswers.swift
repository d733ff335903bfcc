package import StoreModel

/// Which token is meant.
package struct OperatorTokenName: Codable, Hashable, Sendable {
    package let name: String

    package init(name: String) {
        self.name = name
    }
}

/// A token that was just made. It is shown this once.
package struct NewOperatorToken: Codable, Hashable, Sendable {
    package let name: String
    package let token: String
}

/// Every token there ever was.
package struct OperatorTokenList: Codable, Hashable, Sendable {
    package struct Entry: Codable, Hashable, Sendable {
        package let name: String
        package let createdAt: Instant
        package let revokedAt: Instant?
    }

    package let tokens: [Entry]
}
