import StoreDatabase
package import StoreModel
package import StoreSigning

/// A link that was just made. It is told this once.
package struct NewInvitation: Hashable, Sendable {
    package let link: String
    package let invitation: Invitation
}

/// The people of a team or of the store, and how they come in.
package struct PeopleDetails: Hashable, Sendable {
    package let invitations: [Invitation]
    package let sessions: [ListedSession]
    /// Those who are asked for a code, as people are found.
    package let withFactor: Set<String>
    /// Those who have a password.
    package let withPassword: Set<String>
}

// MARK: Invitations

extension CatalogueEditing {
    /// Invites somebody into a team, or among the store's own people. The link is told this once.
    ///
    /// - Parameter team: nil for the store.
    package func invite(
        _ email: String, name: String, role: OperatorTokens.Role, to team: TeamID?, _ random: RandomBytes
    ) async throws -> NewInvitation {
        try requireKeeper(of: team)
        let email = try EmailAddress(email)
        let name = try CatalogueText.line(name, atMost: Teams.longestName, field: "name")
        try team == nil ? OperatorTokens.Role.requireOfStore(role) : OperatorTokens.Role.requireOfMember(role)
        let draft = try Invitations.Draft(
            actor.keepsStore ? .claim : .membership, team: team, email, name: name, role: role, random)
        return try await write(for: .members) { change in
            try require(team, change)
            return try NewInvitation(link: draft.link, invitation: Invitations.add(draft, change))
        }
    }

    /// Makes a link by which a member sets another password.
    ///
    /// Whoever is in other teams too, or of the store, gets one from the store only: it opens all of that.
    package func recoverMember(
        _ email: String, of team: TeamID?, _ random: RandomBytes
    ) async throws -> NewInvitation {
        try requireKeeper(of: team)
        let email = try EmailAddress(email)
        return try await write(for: .members) { change in
            try require(team, change)
            let member = try member(email, of: team, in: change.transaction)
            let draft = try Invitations.Draft(
                .password, team: team, email, name: member.name, role: member.role, random)
            return try NewInvitation(link: draft.link, invitation: Invitations.add(draft, change))
        }
    }

    package func revokeInvitation(_ id: String, of team: TeamID?) async throws -> Invitation {
        try requireKeeper(of: team)
        return try await write(for: .members) { change in
            try require(team, change)
            return try Invitations.revoke(id, of: team, change)
        }
    }

    /// Who is on the way in, and who is in.
    package func people(of team: TeamID?) async throws -> PeopleDetails {
        try requireVisible(team)
        let now = now()
        return try await read(for: .members) { transaction in
            if let team { _ = try Teams.require(team, in: transaction) }
            // Of whom the team has entered itself it learns nothing.
            let keys = try People.accepted(in: team, transaction)
            let sessions = try OperatorSessions.list(
                of: nil, team: team, isOfStore: team == nil, at: now, in: transaction)
            let withPassword = try transaction.query("SELECT person_key FROM person") {
                try $0.value(0, as: String.self)
            }
            return PeopleDetails(
                invitations: try Invitations.list(of: team, at: now, in: transaction),
                sessions: sessions.filter { $0.person.map(keys.contains) ?? true },
                withFactor: try SecondFactors.asked(in: transaction).intersection(keys),
                withPassword: Set(withPassword).intersection(keys))
        }
    }

    /// Ends a session of somebody of the team, or of the store.
    package func endSession(_ id: String, of team: TeamID?) async throws {
        try requireKeeper(of: team)
        try await write(for: .members) { change in
            try require(team, change)
            let sessions = try OperatorSessions.list(
                of: nil, team: team, isOfStore: team == nil, at: change.at, in: change.transaction)
            guard sessions.contains(where: { $0.id == id }),
                try OperatorSessions.end(id: id, of: nil, team: team, at: change.at, in: change.transaction)
            else { throw CatalogueError(.nameUnknown, "there is no session of this id", field: "sessionId") }
            try CatalogueAudit.append(Self.subject(team), "session \(id) ended", change)
        }
    }

    /// Asks a member who has lost the authenticator app for no code any more, and ends the member's sessions.
    package func resetSecondFactor(of email: String, in team: TeamID?) async throws {
        try requireKeeper(of: team)
        let email = try EmailAddress(email)
        try await write(for: .members) { change in
            try require(team, change)
            _ = try member(email, of: team, in: change.transaction)
            let key = People.key(of: email)
            try SecondFactors.remove(of: key, because: "reset", change)
            try OperatorSessions.endAll(of: key, at: change.at, in: change.transaction)
        }
    }

    /// Asks whoever has the machine of the store for no code any more.
    package func resetOwnersSecondFactor() async throws {
        try requireKeeper(of: nil)
        try await write { try SecondFactors.remove(of: SecondFactors.owner, because: "reset", $0) }
    }

    private static func subject(_ team: TeamID?) -> CatalogueAudit.Subject { team.map { .team($0) } ?? .store }

    /// The member of an address, whom nobody but the store changes who belongs elsewhere too.
    private func member(
        _ email: EmailAddress, of team: TeamID?, in transaction: any ReadTransaction
    ) throws -> Membership {
        let all = try People.memberships(of: People.key(of: email), in: transaction)
        guard let own = all.first(where: { $0.team == team }) else {
            throw CatalogueError(
                .nameUnknown, "nobody of this address has come in here by an invitation", field: "email")
        }
        // A token of the store's reaches none of the store's own people by a team that they are in.
        let isOfStore = all.contains { $0.team == nil }
        guard all.count == 1 || actor.keepsStore || actor.team == nil && !isOfStore else {
            throw CatalogueError(
                .notAllowed, "the member is in other teams too, or of the store: only the store does this",
                field: "email")
        }
        return own
    }

    /// Refuses who may not change the people of a team, or of the store.
    package func requirePeople(of team: TeamID?) throws(CatalogueError) { try requireKeeper(of: team) }

    private func requireKeeper(of team: TeamID?) throws(CatalogueError) {
        try requireVisible(team)
        guard team == nil else { return }
        guard actor.keepsStore else {
            throw CatalogueError(
                .notAllowed,
                "the store's own people are looked after by its owner, and by those of them who may do everything",
                field: "Authorization", isNamed: true)
        }
    }

    private func requireVisible(_ team: TeamID?) throws(CatalogueError) {
        if let team { return try requireTeam(team) }
        guard actor.team == nil else {
            throw CatalogueError(
                .notAllowed, "a team sees nobody of the store", field: "Authorization", isNamed: true)
        }
    }

    private func require(_ team: TeamID?, _ change: CatalogueChange) throws {
        try change.require(.members, in: .production)
        if let team { _ = try Teams.require(team, in: change.transaction) }
    }
}

// MARK: The store's own people

extension CatalogueEditing {
    package func storePeople() async throws -> [StoreMember] {
        try requireVisible(nil)
        return try await read(for: .members) { try StoreMembers.list(in: $0) }
    }

    package func putStoreMember(
        _ email: String, name: String, role: OperatorTokens.Role
    ) async throws -> [StoreMember] {
        try requireKeeper(of: nil)
        let email = try EmailAddress(email)
        return try await write(for: .members) { change in
            try StoreMembers.put(email, name: name, role: role, change)
            return try StoreMembers.list(in: change.transaction)
        }
    }

    package func removeStoreMember(_ email: String) async throws -> [StoreMember] {
        try requireKeeper(of: nil)
        let email = try EmailAddress(email)
        return try await write(for: .members) { change in
            try StoreMembers.remove(email, change)
            return try StoreMembers.list(in: change.transaction)
        }
    }

    /// The roles that come in only with a second factor.
    package func rolesWithSecondFactor() async throws -> [OperatorTokens.Role] {
        try await read(for: .members) { transaction in
            try SecondFactors.requiredRoles(in: transaction).sorted { $0.rawValue < $1.rawValue }
        }
    }

    package func requireSecondFactor(of roles: Set<OperatorTokens.Role>) async throws -> [OperatorTokens.Role] {
        try requireKeeper(of: nil)
        return try await write(for: .teams) { change in
            try SecondFactors.require(of: roles, change)
            return try SecondFactors.requiredRoles(in: change.transaction).sorted { $0.rawValue < $1.rawValue }
        }
    }
}

// MARK: Applications

extension CatalogueEditing {
    package func applications(limit: Int) async throws -> [TeamApplication] {
        try requireVisible(nil)
        return try await read(for: .teams) { try TeamApplications.list(limit: limit, in: $0) }
    }

    package func approveApplication(_ id: String) async throws -> TeamApplication {
        try requireVisible(nil)
        return try await write(for: .teams) { change in
            try change.require(.teams, in: .production)
            return try TeamApplications.approve(id, change)
        }
    }

    package func refuseApplication(_ id: String, because reason: String) async throws -> TeamApplication {
        try requireVisible(nil)
        return try await write(for: .teams) { change in
            try change.require(.teams, in: .production)
            return try TeamApplications.refuse(id, because: reason, change)
        }
    }

    /// What suspending a team takes from customers' sight.
    package func salesOfTeam(_ id: TeamID) async throws -> TeamSales {
        try requireTeam(id)
        return try await read(for: .members) { try TeamSales(id, in: $0) }
    }
}

/// What a team sells, in numbers.
package struct TeamSales: Hashable, Sendable {
    package let apps: Int
    /// Products that customers can buy in production now, as far as their review says so.
    package let products: Int
    package let items: Int

    init(_ id: TeamID, in transaction: any ReadTransaction) throws {
        apps = try transaction.value("SELECT count(*) FROM app WHERE team_id = $1", id, as: Int.self)
        products = try transaction.value(
            """
            SELECT count(*) FROM product JOIN app ON app.app_id = product.app_id
            WHERE app.team_id = $1 AND product.is_live = 1
                AND (product.removed_at IS NULL OR product.drafted_at IS NOT NULL)
            """, id, as: Int.self)
        items = try transaction.value("SELECT count(*) FROM item WHERE team_id = $1", id, as: Int.self)
    }
}
