import StoreDatabase
package import StoreModel

/// Whose money somebody may see.
package struct FinanceScope: Hashable, Sendable {
    /// The team; nil for all of them.
    package let team: TeamID?
    package let name: String?
    /// The apps of the team, and where its items lie; nil for those of all teams.
    package let apps: [CatalogueApp]?
    /// Bank and tax data without which nothing could be paid out to the team.
    package let missing: [String]

    /// The numbers of the apps; nil for those of all teams.
    package var ids: [AppID]? { apps.map { $0.map(\.id) } }
}

extension CatalogueEditing {
    /// Whose money the actor sees: that of the team that is named, that of the actor's own team without one, or that of all
    /// teams where the actor is of none.
    package func financed(_ wanted: TeamID?) async throws -> FinanceScope {
        if let wanted { try requireTeam(wanted) }
        return try await read(for: .finance) { transaction in
            guard let team = wanted ?? actor.team else {
                return FinanceScope(team: nil, name: nil, apps: nil, missing: [])
            }
            let found = try Teams.require(team, in: transaction)
            return FinanceScope(
                team: team, name: found.name, apps: try Catalogue.sellers(of: team, in: transaction),
                missing: try TeamFinance.of(team, in: transaction).missing)
        }
    }

    /// The teams whose money the actor sees, in the order of their ids.
    package func financedTeams(limit: Int) async throws -> [Team] {
        try await read(for: .finance) { transaction in
            if let team = actor.team { return [try Teams.require(team, in: transaction)] }
            return try Teams.list(limit: limit, in: transaction)
        }
    }
}
