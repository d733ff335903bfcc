import StoreDatabase
package import StoreModel
package import StoreSigning

extension CatalogueEditing {
    /// Every token that there ever was.
    package func tokens() async throws -> [OperatorTokens.Entry] {
        try await read { try OperatorTokens.all(in: $0) }
    }

    /// Makes a token, which is known this once.
    ///
    /// - Parameters:
    ///   - life: how long it is good for.
    ///   - member: for whom of a team it is, who may do with it what the member may.
    package func addToken(
        _ name: String, for environment: StoreEnvironment, life: Duration = OperatorTokens.usualLife,
        role: OperatorTokens.Role = .operator, member: (team: TeamID, email: EmailAddress)? = nil,
        _ random: RandomBytes
    ) async throws -> (token: String, entry: OperatorTokens.Entry) {
        let token = OperatorTokens.token(of: try random(OperatorTokens.byteCount))
        let member = member.map { (team: $0.team, email: $0.email.text) }
        let entry = try await write { change in
            try OperatorTokens.add(
                token, name: name, for: environment, life: life, role: role, member: member, change)
        }
        return (token, entry)
    }

    package func revokeToken(_ name: String) async throws {
        try await write { try OperatorTokens.revoke(name: name, $0) }
    }

    /// Makes the last part of an address that opens the console once, for whoever owns the store.
    package func addConsoleLink(_ random: RandomBytes) async throws -> (link: String, expiresAt: Instant) {
        let link = Base64.encode(try random(OperatorSessions.byteCount), .url)
        return try await write { change in
            try OperatorSessions.addLink(link, at: change.at, in: change.transaction)
            return (link, change.at + OperatorSessions.linkLife)
        }
    }

    /// Refuses what the path of a request names of another team. An unknown app is refused too: an actor of a team makes none in
    /// passing.
    package func requireOwn(team: String?, app: BundleID?) async throws {
        guard let own = actor.team else { return }
        if let team, team != own.text {
            throw CatalogueError(.teamUnknown, "you have no team \(team)", field: "teamId")
        }
        guard let app else { return }
        guard try await database.lookUp({ try Catalogue.app(app, in: $0) })?.teamID == own else {
            throw CatalogueError(.appUnknown, "the team has no app of this bundle id", field: "bundleId")
        }
    }
}
