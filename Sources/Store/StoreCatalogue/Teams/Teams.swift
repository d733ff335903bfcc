package import StoreDatabase
package import StoreModel
import StoreRules

/// A developer, or several who sell together. Each app belongs to one.
package struct Team: Hashable, Sendable {
    package let id: TeamID
    package let name: String
    package let createdAt: Instant
    /// A suspended team sells nothing new; what was bought stays, and is restored and refunded.
    package let suspendedAt: Instant?
    package let suspensionReason: String?

    static let columns: SQL = "team.team_id, team.name, team.created_at, team.suspended_at, team.suspension_reason"

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        name = try cells.next()
        createdAt = try cells.next()
        suspendedAt = try cells.next()
        suspensionReason = try cells.next()
    }
}

/// Somebody in a team, and what they may do.
package struct TeamMember: Hashable, Sendable {
    package let email: String
    package let name: String
    package let role: OperatorTokens.Role
    package let addedAt: Instant

    static let columns: SQL = "email, name, role, added_at"

    init(_ row: Row) throws {
        var cells = row.cells
        email = try cells.next()
        name = try cells.next()
        role = OperatorTokens.Role(rawValue: try cells.next())
        addedAt = try cells.next()
    }
}

/// Those who sell, and who belongs to them.
///
/// All of it are synchronous functions over a transaction of the catalogue's database; every change gets its line in the
/// ``CatalogueAudit``.
package enum Teams {
    /// The team of what is entered without one.
    // Safe: the text keeps to the rule of team ids.
    package static let first = try! TeamID(parsing: "my-team")

    /// Teams of a store, members of a team, and the characters of their names.
    package static let most = 10_000
    package static let mostMembers = 200
    package static let longestName = 100
    package static let longestReason = 400

    package static func find(_ id: TeamID, in transaction: any ReadTransaction) throws -> Team? {
        try transaction.optional("SELECT \(Team.columns) FROM team WHERE team_id = $1", id, row: Team.init)
    }

    /// The teams of these apps.
    package static func find(
        ofApps ids: [AppID], in transaction: any ReadTransaction
    ) throws -> [AppID: Team] {
        let found = try transaction.query(
            """
            SELECT \(Team.columns), app.app_id FROM app JOIN team ON team.team_id = app.team_id
            WHERE app.app_id IN \(.numbers)
            """, of: ids
        ) { (try $0.value(5, as: AppID.self), try Team($0)) }
        return Dictionary(uniqueKeysWithValues: found)
    }

    package static func require(_ id: TeamID, in transaction: any ReadTransaction) throws -> Team {
        guard let team = try find(id, in: transaction) else {
            throw CatalogueError(.teamUnknown, "there is no team \(id)", field: "teamId")
        }
        return team
    }

    /// The teams after one, in order of their ids.
    package static func list(
        after id: TeamID? = nil, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Team] {
        try transaction.query(
            "SELECT \(Team.columns) FROM team WHERE team_id > $1 ORDER BY team_id LIMIT $2", id?.text ?? "", limit,
            row: Team.init)
    }

    /// Enrols a team. It has agreed to nothing yet, so that it can sell nothing that costs money.
    @discardableResult
    package static func add(
        _ id: TeamID, name: String, _ change: CatalogueChange
    ) throws -> Team {
        let name = try CatalogueText.line(name, atMost: longestName, field: "name")
        guard try find(id, in: change.transaction) == nil else {
            throw CatalogueError(.nameTaken, "there is a team \(id)", field: "teamId")
        }
        let count = try change.transaction.value("SELECT count(*) FROM team", as: Int.self)
        guard count < most else { throw CatalogueError(.limitReached, "a store has at most \(most) teams") }
        return try CatalogueAudit.audit(.team(id), "enrolled", change) {
            try change.transaction.insert(into: "team", ["team_id": id, "name": name, "created_at": change.at])
            return try require(id, in: change.transaction)
        }
    }

    /// Brings a team up to a file: enrols it if it is not there, and gives it its name.
    ///
    /// - Returns: how it was; nil if it is new.
    static func put(_ id: TeamID, name: String, _ change: CatalogueChange) throws -> Team? {
        let former = try find(id, in: change.transaction)
        guard former?.name != name else { return former }
        try change.require(.teams, in: .both)
        if id == first { _ = try ensure(id, change) }
        guard try find(id, in: change.transaction) != nil else {
            try add(id, name: name, change)
            return nil
        }
        _ = try CatalogueAudit.audit(.team(id), "renamed", change) {
            try change.transaction.update("team", ["name": name], where: ["team_id": id])
        }
        return former
    }

    /// The team of a product or app that somebody enters: the one that is named, else the first, which is made with both
    /// agreements if it is not there, so that a developer alone can begin.
    package static func ensure(
        _ id: TeamID?, _ change: CatalogueChange
    ) throws -> TeamID {
        if let id, id != first { return try require(id, in: change.transaction).id }
        guard try find(first, in: change.transaction) == nil else { return first }
        try add(first, name: "My team", change)
        for kind in [AgreementKind.free, .paid] {
            // The store begins with it, whoever asked for the first app.
            try Agreements.accept(
                kind, of: first, by: change.actor.text, CatalogueChange(.store, at: change.at, in: change.transaction))
        }
        return first
    }

    /// Keeps a team from selling anything new, or lets it sell again.
    package static func setSuspended(
        because reason: String?, _ id: TeamID, _ change: CatalogueChange
    ) throws -> Team {
        let reason = try reason.map { try CatalogueText.line($0, atMost: longestReason, field: "reason") }
        try change.require(.teams, in: .production)
        _ = try require(id, in: change.transaction)
        return try CatalogueAudit.audit(.team(id), reason == nil ? "reinstated" : "suspended", change) {
            try change.transaction.update(
                "team", ["suspended_at": reason == nil ? nil : change.at, "suspension_reason": reason],
                where: ["team_id": id])
            return try require(id, in: change.transaction)
        }
    }
}

extension Teams {
    package static func members(of id: TeamID, in transaction: any ReadTransaction) throws -> [TeamMember] {
        try transaction.query(
            "SELECT \(TeamMember.columns) FROM team_member WHERE team_id = $1 ORDER BY email", id, row: TeamMember.init)
    }

    /// Takes somebody into a team, or gives a member another name or role.
    package static func putMember(
        _ email: String, name: String, role: OperatorTokens.Role, of id: TeamID, _ change: CatalogueChange
    ) throws -> TeamMember {
        try change.require(.members, in: .production)
        return try enter(email, name: name, role: role, of: id, change)
    }

    /// The same for what was decided before, such as an invitation.
    static func enter(
        _ email: String, name: String, role: OperatorTokens.Role, of id: TeamID, _ change: CatalogueChange
    ) throws -> TeamMember {
        let typed = try EmailAddress(email).text
        let name = try CatalogueText.line(name, atMost: longestName, field: "name")
        try OperatorTokens.Role.requireOfMember(role)
        _ = try require(id, in: change.transaction)
        let members = try members(of: id, in: change.transaction)
        // Capitals make nobody else of somebody.
        let email = members.first { $0.email.lowercased() == typed.lowercased() }?.email ?? typed
        guard members.count < mostMembers || members.contains(where: { $0.email == email }) else {
            throw CatalogueError(.limitReached, "a team has at most \(mostMembers) members")
        }
        if role != .owner { try requireOwner(beside: email, members) }
        return try CatalogueAudit.audit(.team(id), "member \(email): \(role.rawValue)", change) {
            try change.transaction.insertOrUpdate(
                "team_member", ["name": name, "role": role.rawValue], key: ["team_id": id, "email": email],
                new: ["added_at": change.at])
            if members.contains(where: { $0.email == email && $0.role != role }) {
                try OperatorTokens.revokeAll(of: email, in: id, at: change.at, change.transaction)
            }
            guard let member = try self.members(of: id, in: change.transaction).first(where: { $0.email == email })
            else {
                throw DatabaseError(.unexpectedValue, "a member that was just entered is not there")
            }
            return member
        }
    }

    /// Takes somebody out of a team. The tokens that were made for them are revoked by themselves.
    package static func removeMember(
        _ email: String, of id: TeamID, _ change: CatalogueChange
    ) throws {
        try change.require(.members, in: .production)
        let email = try EmailAddress(email).text
        let members = try members(of: id, in: change.transaction)
        guard members.contains(where: { $0.email == email }) else {
            throw CatalogueError(.nameUnknown, "nobody of this address is in team \(id)", field: "email")
        }
        try requireOwner(beside: email, members)
        try CatalogueAudit.audit(.team(id), "member \(email): removed", change) {
            try change.transaction.execute("DELETE FROM team_member WHERE team_id = $1 AND email = $2", id, email)
            try OperatorTokens.revokeAll(of: email, in: id, at: change.at, change.transaction)
            try Invitations.revokeAll(for: email.lowercased(), team: id, at: change.at, change.transaction)
            try People.forgetUnlessMember(email.lowercased(), at: change.at, in: change.transaction)
        }
    }

    /// A team that has an owner keeps one.
    private static func requireOwner(beside email: String, _ members: [TeamMember]) throws(CatalogueError) {
        let owners = members.filter { $0.role == .owner }
        guard owners.map(\.email) != [email] else {
            throw CatalogueError(
                .valueInvalid, "this is the only owner of the team; make another member an owner first", field: "email")
        }
    }
}
