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

    /// How long a token opens anything unless its maker says otherwise.
    package static let usualLife = Duration.seconds(90 * 24 * 60 * 60)
    /// How exactly the last use is known: not every request writes.
    private static let useStep = Duration.seconds(60)

    /// What is known of a token but itself.
    package struct Entry: Hashable, Sendable {
        package let name: String
        /// Whose customers it may look after.
        package let environment: StoreEnvironment
        package let role: Role
        package let createdAt: Instant
        package let expiresAt: Instant
        /// To a minute.
        package let lastUsedAt: Instant?
        package let revokedAt: Instant?

        static let columns: SQL = "name, environment, role, created_at, expires_at, last_used_at, revoked_at"

        init(_ row: Row) throws {
            var cells = row.cells
            name = try cells.next()
            environment = try cells.next()
            role = Role(rawValue: try cells.next())
            createdAt = try cells.next()
            expiresAt = try cells.next()
            lastUsedAt = try cells.next()
            revokedAt = try cells.next()
        }

        /// Whether it is time to note that it was used.
        func isUseNews(at now: Instant) -> Bool { lastUsedAt.map { $0 + useStep <= now } ?? true }
    }

    /// What the bearer of a token may change; more may be added.
    package struct Role: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Everything.
        package static let `operator` = Role(rawValue: "operator")
    }

    /// Lets a token in, by a name that none ever had.
    package static func add(
        _ token: String, name: String, for environment: StoreEnvironment, life: Duration = usualLife, at now: Instant,
        in transaction: any WriteTransaction
    ) throws -> Entry {
        let name = try CatalogueText.line(name, atMost: longestName, field: "name")
        let count = try transaction.value("SELECT count(*) FROM operator_token", as: Int.self)
        guard count < most else { throw CatalogueError(.limitReached, "there are at most \(most) tokens") }
        let added = try transaction.execute(
            """
            INSERT INTO operator_token (token_hash, name, environment, role, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
            """, hash(token), name, environment, Role.operator.rawValue, now, now + life)
        guard added == 1, let entry = try find(token, at: now, in: transaction) else {
            throw CatalogueError(.nameTaken, "there is or was a token of this name; take another", field: "name")
        }
        return entry
    }

    /// Lets a token in, and notes that it was used; nil for every other text.
    package static func open(with token: String, at now: Instant, of catalogue: any Database) async throws -> Entry? {
        guard isWellFormed(token) else { return nil }
        let found = try await catalogue.lookUp { try find(token, at: now, in: $0) }
        if let found, found.isUseNews(at: now) {
            // Where nothing can be written, something can still be read.
            _ = try? await catalogue.write { transaction in
                try transaction.execute(
                    "UPDATE operator_token SET last_used_at = $2 WHERE token_hash = $1", hash(token), now)
            }
        }
        return found
    }

    private static func find(
        _ token: String, at now: Instant, in transaction: any ReadTransaction
    ) throws -> Entry? {
        try transaction.optional(
            """
            SELECT \(Entry.columns) FROM operator_token
            WHERE token_hash = $1 AND revoked_at IS NULL AND expires_at > $2
            """, hash(token), now, row: Entry.init)
    }

    /// Every token there ever was, by name.
    package static func all(in transaction: any ReadTransaction) throws -> [Entry] {
        try transaction.query("SELECT \(Entry.columns) FROM operator_token ORDER BY name", row: Entry.init)
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
