package import StoreDatabase
package import StoreModel
import StoreSigning

/// A link by which somebody sets a password and comes in. The store keeps its hash only.
package struct Invitation: Hashable, Sendable {
    // Closed: each has its page.
    package enum Purpose: String, Sendable {
        /// Makes somebody a member.
        case membership
        /// The same by whoever keeps the store: it may also take an address over from whoever has set a password for it.
        case claim
        /// Lets a member set another password.
        case password
    }

    package let id: String
    package let purpose: Purpose
    /// Nil for the store's own people.
    package let team: TeamID?
    package let email: String
    package let name: String
    package let role: OperatorTokens.Role
    package let madeBy: String
    package let createdAt: Instant
    package let expiresAt: Instant
    package let usedAt: Instant?
    package let revokedAt: Instant?

    package var key: String { email.lowercased() }

    package func isOpen(at now: Instant) -> Bool { usedAt == nil && revokedAt == nil && now < expiresAt }

    fileprivate static let columns: SQL =
        "invitation_id, purpose, team_id, email, name, role, made_by, created_at, expires_at, used_at, revoked_at"

    fileprivate init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        purpose = Purpose(rawValue: try cells.next()) ?? .membership
        (team, email, name) = (try cells.next(), try cells.next(), try cells.next())
        role = OperatorTokens.Role(rawValue: try cells.next())
        madeBy = try cells.next()
        (createdAt, expiresAt) = (try cells.next(), try cells.next())
        (usedAt, revokedAt) = (try cells.next(), try cells.next())
    }
}

/// Links for people who are to come in.
package enum Invitations {
    /// How many random bytes a link is made of.
    package static let byteCount = 32
    private static let idBytes = 6
    /// How long a link to a team is good, and one to another password.
    package static let life = Duration.seconds(7 * 24 * 60 * 60)
    package static let passwordLife = Duration.seconds(60 * 60)
    /// How long those that are over are kept.
    private static let memory = Duration.seconds(90 * 24 * 60 * 60)
    /// Open ones of a team, or of the store.
    package static let most = 200

    /// What a link is made with.
    struct Draft {
        let purpose: Invitation.Purpose
        let team: TeamID?
        let email: EmailAddress
        let name: String
        let role: OperatorTokens.Role
        let link: String
        let id: String

        init(
            _ purpose: Invitation.Purpose, team: TeamID?, _ email: EmailAddress, name: String,
            role: OperatorTokens.Role, _ random: RandomBytes
        ) throws {
            (self.purpose, self.team, self.email, self.name, self.role) = (purpose, team, email, name, role)
            link = Base64.encode(try random(Invitations.byteCount), .url)
            id = Hexadecimal.encode(try random(Invitations.idBytes))
        }
    }

    /// Makes a link; those that were made for the same before open nothing any more.
    static func add(_ draft: Draft, _ change: CatalogueChange) throws -> Invitation {
        let (transaction, now, key) = (change.transaction, change.at, People.key(of: draft.email))
        try transaction.execute("DELETE FROM invitation WHERE expires_at < $1", now - memory)
        try revokeAll(for: key, team: draft.team, at: now, transaction)
        guard try list(of: draft.team, at: now, in: transaction).count < most else {
            throw CatalogueError(.limitReached, "at most \(most) links can be open at a time; take some back first")
        }
        let life = draft.purpose == .password ? passwordLife : life
        try transaction.insert(
            into: "invitation",
            [
                "invitation_id": draft.id, "link_hash": hash(draft.link), "purpose": draft.purpose.rawValue,
                "team_id": draft.team, "person_key": key, "email": draft.email.text, "name": draft.name,
                "role": draft.role.rawValue, "made_by": change.actor.text, "created_at": now, "expires_at": now + life,
            ])
        guard let made = try find(id: draft.id, in: transaction) else {
            throw DatabaseError(.unexpectedValue, "a link that was just made is not there")
        }
        return made
    }

    private static func find(id: String, in transaction: any ReadTransaction) throws -> Invitation? {
        try transaction.optional(
            "SELECT \(Invitation.columns) FROM invitation WHERE invitation_id = $1", id, row: Invitation.init)
    }

    /// The invitation of a link that is good now.
    package static func find(
        link: String, at now: Instant, in transaction: any ReadTransaction
    ) throws -> Invitation? {
        let found = try transaction.optional(
            "SELECT \(Invitation.columns) FROM invitation WHERE link_hash = $1", hash(link), row: Invitation.init)
        return found.flatMap { $0.isOpen(at: now) ? $0 : nil }
    }

    /// The open ones of a team, or of the store's own people; the newest first.
    package static func list(
        of team: TeamID?, at now: Instant, in transaction: any ReadTransaction
    ) throws -> [Invitation] {
        try transaction.query(
            """
            SELECT \(Invitation.columns) FROM invitation
            WHERE coalesce(team_id, '') = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2
            ORDER BY created_at DESC, invitation_id
            """, team?.text ?? "", now, row: Invitation.init)
    }

    static func revoke(_ id: String, of team: TeamID?, _ change: CatalogueChange) throws -> Invitation {
        guard let found = try find(id: id, in: change.transaction), found.team == team else {
            throw CatalogueError(.nameUnknown, "there is no invitation of this id", field: "invitationId")
        }
        try change.transaction.execute(
            "UPDATE invitation SET revoked_at = coalesce(revoked_at, $2) WHERE invitation_id = $1", id, change.at)
        return found
    }

    /// Takes back what is open for somebody.
    static func revokeAll(
        for key: String, team: TeamID?, at now: Instant, _ transaction: any WriteTransaction
    ) throws {
        try transaction.execute(
            """
            UPDATE invitation SET revoked_at = $3
            WHERE person_key = $1 AND coalesce(team_id, '') = $2 AND used_at IS NULL AND revoked_at IS NULL
            """, key, team?.text ?? "", now)
    }

    /// Uses a link up, and makes a member of whoever has it. Says nil if it is not good any more.
    ///
    /// - Parameter claims: whether what was set for the address before is void.
    package static func accept(
        _ link: String, claims: Bool = false, at now: Instant, in transaction: any WriteTransaction
    ) throws -> Invitation? {
        guard let found = try find(link: link, at: now, in: transaction) else { return nil }
        let used = try transaction.execute(
            "UPDATE invitation SET used_at = $2 WHERE link_hash = $1 AND used_at IS NULL AND revoked_at IS NULL",
            hash(link), now)
        guard used == 1 else { return nil }
        guard found.purpose != .password else { return found }
        if claims, found.purpose == .claim { try People.claim(found.key, at: now, in: transaction) }
        // The invitation was a decision of somebody who may; who comes by it is noted as the one who does.
        let actor = Actor(person: found.email, role: found.role, team: found.team)
        let change = CatalogueChange(actor, at: now, in: transaction)
        let email = try EmailAddress(found.email)
        if let team = found.team {
            _ = try Teams.enter(email.text, name: found.name, role: found.role, of: team, change)
        } else {
            try StoreMembers.put(email, name: found.name, role: found.role, change)
        }
        try People.accept(found.key, team: found.team, at: now, in: transaction)
        return found
    }

    private static func hash(_ link: String) throws -> [UInt8] { try DigestAlgorithm.sha256.digest(link.utf8) }
}
