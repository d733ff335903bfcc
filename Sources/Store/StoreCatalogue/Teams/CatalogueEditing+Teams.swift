import StoreDatabase
package import StoreModel
package import StoreRules

/// A team with its members and agreements.
package struct TeamDetails: Hashable, Sendable {
    package let team: Team
    package let members: [TeamMember]
    package let agreements: [Agreement]
    package let finance: TeamFinance
    /// When it was so.
    package let at: Instant

    init(_ id: TeamID, at now: Instant, in transaction: any ReadTransaction) throws {
        team = try Teams.require(id, in: transaction)
        members = try Teams.members(of: id, in: transaction)
        agreements = try Agreements.list(of: id, in: transaction)
        finance = try TeamFinance.of(id, in: transaction)
        at = now
    }
}

extension CatalogueEditing {
    /// The teams after one that the actor may see.
    package func teams(after id: TeamID?, limit: Int) async throws -> [Team] {
        try await read(for: .members) { transaction in
            if let own = actor.team { return try [Teams.require(own, in: transaction)] }
            return try Teams.list(after: id, limit: limit, in: transaction)
        }
    }

    package func team(_ id: TeamID) async throws -> TeamDetails {
        try requireTeam(id)
        let now = now()
        return try await read(for: .members) { try TeamDetails(id, at: now, in: $0) }
    }

    /// Takes in a team, which sells nothing yet.
    package func addTeam(_ id: TeamID, name: String) async throws -> Team {
        try await write(for: .teams) { try Teams.add(id, name: name, $0) }
    }

    package func putMember(
        _ email: String, name: String, role: OperatorTokens.Role, of id: TeamID
    ) async throws -> TeamDetails {
        try await change(id, for: .members) {
            _ = try Teams.putMember(email, name: name, role: role, of: id, $0)
        }
    }

    package func removeMember(_ email: String, of id: TeamID) async throws -> TeamDetails {
        try await change(id, for: .members) { try Teams.removeMember(email, of: id, $0) }
    }

    /// Keeps a team from selling anything new; nil lets it sell again.
    package func setSuspended(because reason: String?, _ id: TeamID) async throws -> TeamDetails {
        try await change(id, for: .teams) { _ = try Teams.setSuspended(because: reason, id, $0) }
    }

    /// Notes that a team agrees.
    package func accept(
        _ kind: AgreementKind, of id: TeamID, by name: String, until end: Instant?, text version: Int? = nil
    ) async throws -> TeamDetails {
        try await change(id, for: .finance) {
            _ = try Agreements.accept(kind, of: id, by: name, until: end, text: version, $0)
        }
    }

    /// Ends an agreement of a team now.
    package func end(_ kind: AgreementKind, of id: TeamID, because reason: String) async throws -> TeamDetails {
        try await change(id, for: .teams) { _ = try Agreements.end(kind, of: id, because: reason, $0) }
    }

    package func finance(of id: TeamID) async throws -> TeamFinance {
        try requireTeam(id)
        return try await read(for: .finance) { transaction in
            _ = try Teams.require(id, in: transaction)
            return try TeamFinance.of(id, in: transaction)
        }
    }

    /// Sets bank and tax data of a team.
    ///
    /// - Parameter merging: gives the data anew, of what they are.
    package func setFinance(
        of id: TeamID, _ merging: @escaping @Sendable (TeamFinance) throws -> TeamFinance
    ) async throws -> TeamFinance {
        try requireTeam(id)
        return try await write(for: .finance) { change in
            try merging(TeamFinance.of(id, in: change.transaction)).put(of: id, change)
        }
    }

    /// The apps of a team, and what is missing before it could be paid.
    package func payable(of id: TeamID) async throws -> (apps: [CatalogueApp], missing: [String]) {
        try requireTeam(id)
        return try await read(for: .finance) { transaction in
            _ = try Teams.require(id, in: transaction)
            return (try Catalogue.sellers(of: id, in: transaction), try TeamFinance.of(id, in: transaction).missing)
        }
    }

    /// Changes a team, and gives it as it is then.
    private func change(
        _ id: TeamID, for work: OperatorWork,
        _ body: @escaping @Sendable (CatalogueChange) throws -> Void
    ) async throws -> TeamDetails {
        try requireTeam(id)
        return try await write(for: work) { change in
            try body(change)
            return try TeamDetails(id, at: change.at, in: change.transaction)
        }
    }

    /// Refuses another team than the actor's.
    func requireTeam(_ id: TeamID) throws(CatalogueError) {
        guard actor.team == nil || actor.team == id else {
            throw CatalogueError(.teamUnknown, "you have no team \(id)", field: "teamId")
        }
    }
}
