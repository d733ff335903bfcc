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

    /// Tokens that are named before they end.
    private static let mostEnding = 20

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
        /// The team to which it is limited; nil for all.
        package let team: TeamID?
        /// The address of the member for whom it was made.
        package let member: String?
        /// Who made it; nil for one from before that was kept.
        package let madeBy: String?

        static let columns: SQL = """
            operator_token.name, operator_token.environment, operator_token.role, operator_token.created_at,
            operator_token.expires_at, operator_token.last_used_at, operator_token.revoked_at, operator_token.team_id,
            operator_token.member, operator_token.made_by
            """

        init(_ row: Row) throws {
            var cells = row.cells
            try self.init(&cells)
        }

        init(_ cells: inout RowCells) throws {
            name = try cells.next()
            environment = try cells.next()
            role = Role(rawValue: try cells.next())
            createdAt = try cells.next()
            expiresAt = try cells.next()
            lastUsedAt = try cells.next()
            revokedAt = try cells.next()
            team = try cells.next()
            member = try cells.next()
            madeBy = try cells.next()
        }

        /// The command that makes another one for the same, after `till`.
        package var successor: String {
            var words = "control-token create NAME --environment \(environment)"
            if let team, let member {
                words += " --member \(member) --team \(team)"
            } else if role != .operator {
                words += " --role \(role.rawValue)"
            }
            return words
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
        /// Everything of one team.
        package static let owner = Role(rawValue: "owner")
        /// Apps, products and prices of one team.
        package static let developer = Role(rawValue: "developer")
        /// Decides about what is submitted.
        package static let reviewer = Role(rawValue: "reviewer")
        /// Agreements, bank and tax data, and proceeds of one team.
        package static let finance = Role(rawValue: "finance")
        /// Customers and their purchases.
        package static let support = Role(rawValue: "support")

        package static let ofMembers: [Role] = [.owner, .developer, .reviewer, .finance, .support]
    }

    /// Lets a token in, by a name that none ever had. Only the owner does: a token makes no other.
    package static func add(
        _ token: String, name: String, for environment: StoreEnvironment, life: Duration = usualLife,
        role: Role = .operator, member: (team: TeamID, email: String)? = nil,
        _ change: CatalogueChange
    ) throws -> Entry {
        try requireOwner(change)
        var role = role
        if let member {
            // What a member may do is what a token of theirs may do; nobody gives more away.
            guard
                let found = try Teams.members(of: member.team, in: change.transaction).first(where: {
                    $0.email == member.email
                })
            else {
                throw CatalogueError(.nameUnknown, "nobody of this address is in team \(member.team)", field: "member")
            }
            role = found.role
        } else if role != .operator {
            guard [Role.reviewer, .support].contains(role) else {
                throw CatalogueError(
                    .valueInvalid, "a token of this role is made for a member of a team", field: "member")
            }
        }
        let name = try CatalogueText.line(name, atMost: longestName, field: "name")
        let count = try change.transaction.value("SELECT count(*) FROM operator_token", as: Int.self)
        guard count < most else { throw CatalogueError(.limitReached, "there are at most \(most) tokens") }
        let added = try CatalogueAudit.audit(.token(name), "token made", change) {
            try change.transaction.insertIfNew(
                into: "operator_token",
                [
                    "token_hash": hash(token), "name": name, "environment": environment, "role": role.rawValue,
                    "created_at": change.at, "expires_at": change.at + life, "team_id": member?.team,
                    "member": member?.email, "made_by": change.actor.text,
                ])
        }
        guard added, let entry = try find(token, at: change.at, in: change.transaction) else {
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

    /// The token of a name, also one that is over.
    static func named(_ name: String, in transaction: any ReadTransaction) throws -> Entry? {
        try transaction.optional(
            "SELECT \(Entry.columns) FROM operator_token WHERE name = $1", name, row: Entry.init)
    }

    /// The token of a name that opens something now.
    package static func named(
        _ name: String, at now: Instant, in transaction: any ReadTransaction
    ) throws -> Entry? {
        try named(name, in: transaction).flatMap { $0.revokedAt == nil && now < $0.expiresAt ? $0 : nil }
    }

    /// Every token there ever was, by name.
    package static func all(in transaction: any ReadTransaction) throws -> [Entry] {
        try transaction.query("SELECT \(Entry.columns) FROM operator_token ORDER BY name", row: Entry.init)
    }

    /// Tokens that end within a span and were not revoked, by name.
    package static func ending(
        within span: ClosedRange<Instant>, for environment: StoreEnvironment, in transaction: any ReadTransaction
    ) throws -> [Entry] {
        try transaction.query(
            """
            SELECT \(Entry.columns) FROM operator_token
            WHERE environment = $1 AND revoked_at IS NULL AND expires_at BETWEEN $2 AND $3 ORDER BY name LIMIT $4
            """, environment, span.lowerBound, span.upperBound, mostEnding, row: Entry.init)
    }

    /// Lets a token in no more. Only the owner does: one that was stolen ends no other.
    package static func revoke(
        name: String, _ change: CatalogueChange
    ) throws {
        try requireOwner(change)
        let found = try CatalogueAudit.audit(.token(name), "token revoked", change) {
            try change.transaction.execute(
                "UPDATE operator_token SET revoked_at = coalesce(revoked_at, $2) WHERE name = $1", name, change.at)
        }
        guard found == 1 else { throw CatalogueError(.nameUnknown, "there is no token of this name", field: "name") }
    }

    private static func requireOwner(_ change: CatalogueChange) throws(CatalogueError) {
        guard change.actor.keepsStore else {
            throw CatalogueError(
                .notAllowed,
                "tokens are made and revoked by whoever opened the console with the link of till console or a password",
                field: "Authorization", isNamed: true)
        }
    }

    /// Lets in no token of a member any more; of one with another role, only those made from now on.
    static func revokeAll(
        of email: String, in team: TeamID, at now: Instant, _ transaction: any WriteTransaction
    ) throws {
        try transaction.execute(
            """
            UPDATE operator_token SET revoked_at = coalesce(revoked_at, $3) WHERE team_id = $1 AND member = $2
            """, team, email, now)
    }

    private static func hash(_ token: String) throws -> [UInt8] { try DigestAlgorithm.sha256.digest(token.utf8) }
}
