package import StoreDatabase
package import StoreModel
import StoreSigning

/// Somebody who comes to the console by an address and a password.
package enum People {
    /// Bytes of a password.
    package static let passwordBytes = 10...PasswordHash.longestPassword

    /// What people are found by: addresses differ in more than capitals.
    package static func key(of email: EmailAddress) -> String { email.text.lowercased() }

    /// The hash of somebody's password; nil if there is none.
    package static func passwordHash(of key: String, in transaction: any ReadTransaction) throws -> String? {
        try transaction.optional("SELECT password_hash FROM person WHERE person_key = $1", key) { try $0.value(0) }
    }

    /// Sets a password, by which every session of the person that there was is over.
    ///
    /// - Parameter session: one that goes on.
    package static func setPassword(
        _ hash: String, of key: String, keeping session: String? = nil, at now: Instant,
        in transaction: any WriteTransaction
    ) throws {
        try transaction.insertOrUpdate(
            "person", ["password_hash": hash, "password_at": now], key: ["person_key": key])
        try OperatorSessions.endAll(of: key, but: session, at: now, in: transaction)
    }

    /// Forgets the password and the second factor of somebody who belongs nowhere any more: an invitation begins anew.
    static func forgetUnlessMember(_ key: String, at now: Instant, in transaction: any WriteTransaction) throws {
        guard try memberships(of: key, in: transaction).isEmpty else { return }
        for table in ["recovery_code", "second_factor"] as [SQL] {
            try transaction.execute("DELETE FROM \(table) WHERE subject = $1", key)
        }
        try transaction.execute("DELETE FROM person WHERE person_key = $1", key)
        try OperatorSessions.endAll(of: key, at: now, in: transaction)
    }

    /// Gives an address to whoever has a link of the store's, whatever somebody has set for it before: password, second factor,
    /// sessions and what was accepted are void.
    static func claim(_ key: String, at now: Instant, in transaction: any WriteTransaction) throws {
        try transaction.execute("UPDATE store_member SET accepted_at = NULL WHERE person_key = $1", key)
        try transaction.execute("UPDATE team_member SET accepted_at = NULL WHERE lower(email) = $1", key)
        try forgetUnlessMember(key, at: now, in: transaction)
    }

    /// Notes that somebody has come in where an invitation leads, or an application.
    static func accept(_ key: String, team: TeamID?, at now: Instant, in transaction: any WriteTransaction) throws {
        if let team {
            try transaction.execute(
                "UPDATE team_member SET accepted_at = $3 WHERE team_id = $2 AND lower(email) = $1", key, team, now)
        } else {
            try transaction.execute("UPDATE store_member SET accepted_at = $2 WHERE person_key = $1", key, now)
        }
    }

    /// Those who have come in to a team, or to the store.
    package static func accepted(in team: TeamID?, _ transaction: any ReadTransaction) throws -> Set<String> {
        let found: [String]
        if let team {
            found = try transaction.query(
                "SELECT lower(email) FROM team_member WHERE team_id = $1 AND accepted_at IS NOT NULL", team
            ) { try $0.value(0) }
        } else {
            found = try transaction.query("SELECT person_key FROM store_member WHERE accepted_at IS NOT NULL") {
                try $0.value(0)
            }
        }
        return Set(found)
    }

    /// Where somebody has come in, the store before teams.
    ///
    /// Whom somebody else has entered has not: an address is anybody's until its person has shown the password to an
    /// invitation, so that nobody gets a role by a password that was set elsewhere.
    package static func memberships(of key: String, in transaction: any ReadTransaction) throws -> [Membership] {
        let ofStore = try transaction.query(
            "SELECT email, name, role FROM store_member WHERE person_key = $1 AND accepted_at IS NOT NULL", key
        ) { row in
            var cells = row.cells
            return Membership(
                team: nil, teamName: nil, email: try cells.next(), name: try cells.next(),
                role: OperatorTokens.Role(rawValue: try cells.next()))
        }
        return try ofStore
            + transaction.query(
                """
                SELECT team.team_id, team.name, team_member.email, team_member.name, team_member.role
                FROM team_member JOIN team ON team.team_id = team_member.team_id
                WHERE lower(team_member.email) = $1 AND team_member.accepted_at IS NOT NULL ORDER BY team.team_id
                """, key
            ) { row in
                var cells = row.cells
                return Membership(
                    team: try cells.next(as: TeamID.self), teamName: try cells.next(), email: try cells.next(),
                    name: try cells.next(), role: OperatorTokens.Role(rawValue: try cells.next()))
            }
    }
}

/// What somebody may do, as one of a team or of the store.
package struct Membership: Hashable, Sendable {
    /// Nil for the store.
    package let team: TeamID?
    package let teamName: String?
    package let email: String
    package let name: String
    package let role: OperatorTokens.Role
}

/// Somebody of the store's own, who looks after all teams.
package struct StoreMember: Hashable, Sendable {
    package let email: String
    package let name: String
    package let role: OperatorTokens.Role
    package let addedAt: Instant

    package var key: String { email.lowercased() }
}

/// The store's own people.
package enum StoreMembers {
    package static let most = 1000

    package static func list(in transaction: any ReadTransaction) throws -> [StoreMember] {
        try transaction.query("SELECT email, name, role, added_at FROM store_member ORDER BY person_key") { row in
            var cells = row.cells
            return StoreMember(
                email: try cells.next(), name: try cells.next(), role: OperatorTokens.Role(rawValue: try cells.next()),
                addedAt: try cells.next())
        }
    }

    /// Takes somebody in, or gives another name or role.
    static func put(
        _ email: EmailAddress, name: String, role: OperatorTokens.Role, _ change: CatalogueChange
    ) throws {
        let name = try CatalogueText.line(name, atMost: Teams.longestName, field: "name")
        try OperatorTokens.Role.requireOfStore(role)
        let (key, all) = (People.key(of: email), try list(in: change.transaction))
        guard all.count < most || all.contains(where: { $0.key == key }) else {
            throw CatalogueError(.limitReached, "a store has at most \(most) people of its own")
        }
        try CatalogueAudit.audit(.store, "\(email.text) of the store: \(role.rawValue)", change) {
            try change.transaction.insertOrUpdate(
                "store_member", ["email": email.text, "name": name, "role": role.rawValue], key: ["person_key": key],
                new: ["added_at": change.at])
        }
    }

    static func remove(_ email: EmailAddress, _ change: CatalogueChange) throws {
        let key = People.key(of: email)
        guard try list(in: change.transaction).contains(where: { $0.key == key }) else {
            throw CatalogueError(.nameUnknown, "nobody of this address is of the store", field: "email")
        }
        try CatalogueAudit.audit(.store, "\(email.text) of the store: removed", change) {
            try change.transaction.execute("DELETE FROM store_member WHERE person_key = $1", key)
            try Invitations.revokeAll(for: key, team: nil, at: change.at, change.transaction)
            try People.forgetUnlessMember(key, at: change.at, in: change.transaction)
        }
    }
}

extension OperatorTokens.Role {
    /// What the store's own people may be.
    package static let ofStore: [OperatorTokens.Role] = [.operator, .reviewer, .finance, .support]

    static func requireOfStore(_ role: OperatorTokens.Role) throws(CatalogueError) {
        try require(role, among: ofStore)
    }

    static func requireOfMember(_ role: OperatorTokens.Role) throws(CatalogueError) {
        try require(role, among: ofMembers)
    }

    private static func require(
        _ role: OperatorTokens.Role, among known: [OperatorTokens.Role]
    ) throws(CatalogueError) {
        guard known.contains(role) else {
            throw CatalogueError(
                .valueInvalid, "it is one of \(known.map(\.rawValue).joined(separator: ", "))", field: "role")
        }
    }
}
