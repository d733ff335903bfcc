import Foundation
package import StoreDatabase
package import StoreModel
package import StoreSigning

/// The keys with which developers' servers ask the store: the App Store Server API. The store keeps the public halves.
///
/// A key is of a team and reaches every app of it, in one environment or in both. Its id and the issuer of its team stand in
/// every token that is signed with it.
package enum APIKeys {
    /// Keys of a team that were not revoked.
    package static let most = 50
    private static let longestName = 100
    /// How exactly the last use is known: not every request writes.
    package static let useStep = Duration.seconds(60)

    /// A key of a team.
    package struct Entry: Hashable, Sendable {
        package let id: String
        package let name: String
        package let team: TeamID
        /// The issuer of tokens that are signed with it: one UUID for all keys of a team.
        package let issuer: String
        /// Where it opens something; nil for both environments.
        package let environment: StoreEnvironment?
        /// In DER.
        package let publicKey: [UInt8]
        package let createdAt: Instant
        package let revokedAt: Instant?
        /// To a minute.
        package let usedAt: Instant?
        /// Who made it.
        package let actor: String

        fileprivate static let selection: SQL = """
            SELECT api_key.id, api_key.name, api_key.team_id, team.issuer_id, api_key.environment, api_key.public_key,
                api_key.created_at, api_key.revoked_at, api_key.used_at, api_key.actor
            FROM api_key JOIN team ON team.team_id = api_key.team_id
            """

        fileprivate init(_ row: Row) throws {
            var cells = row.cells
            (id, name, team) = (try cells.next(), try cells.next(), try cells.next())
            issuer = try cells.next(as: String?.self) ?? ""
            (environment, publicKey) = (try cells.next(), try cells.next())
            (createdAt, revokedAt, usedAt) = (try cells.next(), try cells.next(), try cells.next())
            actor = try cells.next()
        }

        /// Whether it opens something in an environment.
        package func reaches(_ wanted: StoreEnvironment) -> Bool { environment.map { $0 == wanted } ?? true }

        /// Where making or revoking it takes effect: one for both is of production too.
        fileprivate var scope: Actor.Scope { APIKeys.scope(of: environment) }
    }

    /// The key of an id, also one that was revoked.
    package static func find(_ id: String, in transaction: any ReadTransaction) throws -> Entry? {
        try transaction.optional(Entry.selection + " WHERE api_key.id = $1", id, row: Entry.init)
    }

    /// Every key there ever was, of a team if one is named, the oldest first.
    package static func list(of team: TeamID?, in transaction: any ReadTransaction) throws -> [Entry] {
        try transaction.query(
            Entry.selection + " WHERE $1 = '' OR api_key.team_id = $1 ORDER BY api_key.created_at, api_key.id",
            team?.text ?? "", row: Entry.init)
    }

    private static func scope(of environment: StoreEnvironment?) -> Actor.Scope {
        .environment(environment ?? .production)
    }

    /// Lets a key in.
    ///
    /// - Parameters:
    ///   - issuer: that of the team, if it has none yet.
    ///   - environment: where it opens something; nil for both.
    static func add(
        _ key: PublicKey, as id: String, name: String, for environment: StoreEnvironment?, of team: TeamID,
        issuer: UUID, _ change: CatalogueChange
    ) throws -> Entry {
        try change.require(.secrets, in: scope(of: environment))
        let name = try CatalogueText.line(name, atMost: longestName, field: "name")
        _ = try Teams.require(team, in: change.transaction)
        guard try list(of: team, in: change.transaction).count(where: { $0.revokedAt == nil }) < most else {
            throw CatalogueError(.limitReached, "a team has at most \(most) keys that were not revoked")
        }
        let publicKey = try key.derRepresentation
        try CatalogueAudit.audit(.team(team), "API key \(id) made", change) {
            try change.transaction.execute(
                "UPDATE team SET issuer_id = $2 WHERE team_id = $1 AND issuer_id IS NULL", team,
                issuer.uuidString.lowercased())
            try change.transaction.insert(
                into: "api_key",
                [
                    "id": id, "team_id": team, "name": name, "public_key": publicKey, "environment": environment,
                    "created_at": change.at, "actor": change.actor.text,
                ])
        }
        return try require(id, of: nil, in: change.transaction)
    }

    /// Lets a key in no more. A repetition changes nothing.
    static func revoke(_ id: String, of team: TeamID?, _ change: CatalogueChange) throws -> Entry {
        let known = try require(id, of: team, in: change.transaction)
        try change.require(.secrets, in: known.scope)
        guard known.revokedAt == nil else { return known }
        _ = try CatalogueAudit.audit(.team(known.team), "API key \(id) revoked", change) {
            try change.transaction.update("api_key", ["revoked_at": change.at], where: ["id": id])
        }
        return try require(id, of: team, in: change.transaction)
    }

    private static func require(
        _ id: String, of team: TeamID?, in transaction: any ReadTransaction
    ) throws -> Entry {
        guard let found = try find(id, in: transaction), team == nil || found.team == team else {
            throw CatalogueError(.nameUnknown, "there is no key of this id", field: "keyId")
        }
        return found
    }

    /// Notes that a key was used.
    package static func noteUse(of id: String, at now: Instant, in catalogue: any Database) async throws {
        _ = try await catalogue.write { transaction in
            try transaction.update("api_key", ["used_at": now], where: ["id": id])
        }
    }
}

extension CatalogueEditing {
    /// Every key of the team that is named; of all teams that the actor sees without one.
    package func apiKeys(of team: TeamID?) async throws -> [APIKeys.Entry] {
        let team = try own(team)
        return try await read(for: .secrets) { try APIKeys.list(of: team, in: $0) }
    }

    /// Makes a key. Its private half is told this once, in PEM, and kept nowhere.
    ///
    /// - Parameters:
    ///   - environment: where it opens something; nil for both.
    ///   - team: whose it is; without one the actor's, or the only one there is.
    package func addAPIKey(
        _ name: String, for environment: StoreEnvironment?, of team: TeamID?, _ random: RandomBytes
    ) async throws -> (entry: APIKeys.Entry, privateKey: String) {
        let named = try own(team)
        let key = try PrivateKey.p256()
        let (id, publicKey, issuer) = (try OfferKeys.drawnID(random), try key.publicKey, UUID())
        let entry = try await write(for: .secrets) { change in
            let team = try named ?? onlyTeam(in: change.transaction)
            return try APIKeys.add(
                publicKey, as: id, name: name, for: environment, of: team, issuer: issuer, change)
        }
        return (entry, try key.pemRepresentation())
    }

    /// Lets a key in no more.
    package func revokeAPIKey(_ id: String) async throws -> APIKeys.Entry {
        let team = actor.team
        return try await write(for: .secrets) { try APIKeys.revoke(id, of: team, $0) }
    }

    /// The team that somebody names, if the actor may; the actor's own without one.
    private func own(_ team: TeamID?) throws(CatalogueError) -> TeamID? {
        guard let own = actor.team else { return team }
        guard team == nil || team == own else {
            throw CatalogueError(.teamUnknown, "you have no team \(team?.text ?? "")", field: "teamId")
        }
        return own
    }

    private func onlyTeam(in transaction: any ReadTransaction) throws -> TeamID {
        let teams = try Teams.list(limit: 2, in: transaction)
        guard let team = teams.first, teams.count == 1 else {
            throw CatalogueError(
                .valueMissing,
                teams.isEmpty ? "there is no team yet; it comes with the first app" : "name the team whose key it is",
                field: "teamId")
        }
        return team.id
    }
}
