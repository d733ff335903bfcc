package import StoreDatabase
package import StoreModel
import StoreSigning

/// The tokens with which programs of the operator use the control interface. The store keeps their hashes only.
package enum OperatorTokens {
    /// How many random bytes a token is made of.
    package static let byteCount = 32
    /// Names of tokens, in characters.
    package static let longestName = 100
    /// Tokens, those that were revoked too.
    package static let most = 10_000

    private static let prefix = "till_"

    /// The token of some random bytes.
    package static func token(of random: [UInt8]) -> String { prefix + Hexadecimal.encode(random) }

    /// Whether a text has the form of a token; what has not is refused without looking further.
    package static func isWellFormed(_ text: some StringProtocol) -> Bool {
        text.utf8.count == prefix.utf8.count + 2 * byteCount && text.hasPrefix(prefix)
            && text.utf8.dropFirst(prefix.utf8.count).allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }

    /// What is known of a token but itself.
    package struct Entry: Hashable, Sendable {
        package let name: String
        package let createdAt: Instant
        package let revokedAt: Instant?
    }

    /// Lets a token in, by a name that none ever had.
    package static func add(
        _ token: String, name: String, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        let name = try CatalogueText.line(name, atMost: longestName, field: "name")
        let count = try transaction.value("SELECT count(*) FROM operator_token", as: Int.self)
        guard count < most else { throw CatalogueError(.limitReached, "there are at most \(most) tokens") }
        let added = try transaction.execute(
            "INSERT INTO operator_token (token_hash, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            hash(token), name, now)
        guard added == 1 else {
            throw CatalogueError(.nameTaken, "there is or was a token of this name; take another", field: "name")
        }
    }

    /// The name of a token that is let in; nil for every other text.
    package static func name(of token: String, in transaction: any ReadTransaction) throws -> String? {
        guard isWellFormed(token) else { return nil }
        return try transaction.optional(
            "SELECT name FROM operator_token WHERE token_hash = $1 AND revoked_at IS NULL", hash(token)
        ) { try $0.value(0) }
    }

    /// Every token there ever was, by name.
    package static func all(in transaction: any ReadTransaction) throws -> [Entry] {
        try transaction.query("SELECT name, created_at, revoked_at FROM operator_token ORDER BY name") { row in
            var cells = row.cells
            return try Entry(name: cells.next(), createdAt: cells.next(), revokedAt: cells.next())
        }
    }

    /// Lets a token in no more.
    package static func revoke(
        name: String, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        let found = try transaction.execute(
            "UPDATE operator_token SET revoked_at = coalesce(revoked_at, $2) WHERE name = $1", name, now)
        guard found == 1 else { throw CatalogueError(.nameUnknown, "there is no token of this name", field: "name") }
    }

    private static func hash(_ token: String) throws -> [UInt8] { try DigestAlgorithm.sha256.digest(token.utf8) }
}
