package import StoreDatabase
package import StoreModel
import StoreRules
package import StoreSigning

/// A team that would like to sell, and what the store says to it.
package struct TeamApplication: Hashable, Sendable {
    package let id: String
    package let team: TeamID
    package let teamName: String
    /// Who asks, and becomes its owner.
    package let email: String
    package let name: String
    /// What it would like to sell.
    package let plans: String
    /// The text of the agreement that was shown and accepted with it.
    package let agreedVersion: Int
    package let createdAt: Instant
    package let approvedAt: Instant?
    package let refusedAt: Instant?
    /// Why it was refused.
    package let reason: String?
    package let decidedBy: String?

    package var isDecided: Bool { approvedAt != nil || refusedAt != nil }

    fileprivate static let columns: SQL = """
        application_id, team_id, team_name, email, name, plans, agreed_version, created_at, approved_at, refused_at, reason,
        decided_by
        """

    fileprivate init(_ row: Row) throws {
        var cells = row.cells
        (id, team, teamName) = (try cells.next(), try cells.next(), try cells.next())
        (email, name, plans) = (try cells.next(), try cells.next(), try cells.next())
        (agreedVersion, createdAt) = (try cells.next(), try cells.next())
        (approvedAt, refusedAt) = (try cells.next(), try cells.next())
        (reason, decidedBy) = (try cells.next(), try cells.next())
    }
}

/// Applications of teams. Whoever applies gets a link that shows how it stands and, once the store has said yes, lets the first
/// owner set a password.
package enum TeamApplications {
    package static let byteCount = 32
    private static let idBytes = 6
    package static let longestPlans = 2000
    /// Those that wait for a decision.
    package static let mostWaiting = 500
    /// How long one that was decided is kept, and its link is good.
    private static let memory = Duration.seconds(90 * 24 * 60 * 60)

    /// What somebody asks for.
    package struct Draft: Hashable, Sendable {
        package var team: String
        package var teamName: String
        package var email: String
        package var name: String
        package var plans: String
        /// The version of the text that was shown; nil where nobody agreed.
        package var agreedVersion: Int?

        package init(
            team: String, teamName: String, email: String, name: String, plans: String, agreedVersion: Int?
        ) {
            (self.team, self.teamName, self.email) = (team, teamName, email)
            (self.name, self.plans, self.agreedVersion) = (name, plans, agreedVersion)
        }
    }

    /// Keeps an application that waits for a decision.
    package static func add(
        _ draft: Draft, link: String, id: String, at now: Instant, in transaction: any WriteTransaction
    ) throws -> TeamApplication {
        let team = try readTeam(draft.team)
        let email = try readEmail(draft.email)
        guard let version = draft.agreedVersion else {
            throw CatalogueError(.valueMissing, "a team sells only after it has agreed", field: "agreed")
        }
        guard try AgreementText.current(.paid, in: transaction).version == version else {
            throw CatalogueError(.stateWrong, "there is another text of the agreement now; read that", field: "agreed")
        }
        try requireFree(team, in: transaction)
        try transaction.execute(
            "DELETE FROM team_application WHERE coalesce(approved_at, refused_at) < $1", now - memory)
        guard try waiting(limit: mostWaiting, in: transaction).count < mostWaiting else {
            throw CatalogueError(.limitReached, "too many teams wait for a decision; come back later")
        }
        try transaction.insert(
            into: "team_application",
            [
                "application_id": id, "link_hash": hash(link), "team_id": team,
                "team_name": CatalogueText.line(draft.teamName, atMost: Teams.longestName, field: "teamName"),
                "person_key": People.key(of: email), "email": email.text,
                "name": CatalogueText.line(draft.name, atMost: Teams.longestName, field: "name"),
                "plans": CatalogueText.lines(draft.plans, atMost: longestPlans, field: "plans"),
                "agreed_version": version, "created_at": now,
            ])
        return try require(id, in: transaction)
    }

    private static func readTeam(_ text: String) throws(CatalogueError) -> TeamID {
        do throws(InvalidValue) {
            return try TeamID(parsing: text)
        } catch {
            throw CatalogueError(.valueInvalid, "it \(error.rule)", field: "teamId")
        }
    }

    private static func readEmail(_ text: String) throws(CatalogueError) -> EmailAddress {
        do throws(InvalidValue) {
            return try EmailAddress(text)
        } catch {
            throw CatalogueError(.valueInvalid, "it \(error.rule)", field: "email")
        }
    }

    private static func requireFree(_ team: TeamID, in transaction: any ReadTransaction) throws {
        let asked = try transaction.value(
            "SELECT count(*) FROM team_application WHERE team_id = $1 AND approved_at IS NULL AND refused_at IS NULL",
            team, as: Int.self)
        guard try Teams.find(team, in: transaction) == nil, asked == 0, team != Teams.first else {
            throw CatalogueError(.nameTaken, "another team has this id, or has asked for it", field: "teamId")
        }
    }

    package static func require(_ id: String, in transaction: any ReadTransaction) throws -> TeamApplication {
        let found = try transaction.optional(
            "SELECT \(TeamApplication.columns) FROM team_application WHERE application_id = $1", id,
            row: TeamApplication.init)
        guard let found else {
            throw CatalogueError(.nameUnknown, "there is no application of this id", field: "applicationId")
        }
        return found
    }

    /// The application of a link.
    package static func find(link: String, in transaction: any ReadTransaction) throws -> TeamApplication? {
        try transaction.optional(
            "SELECT \(TeamApplication.columns) FROM team_application WHERE link_hash = $1", hash(link),
            row: TeamApplication.init)
    }

    /// Those that wait for a decision, the oldest first.
    package static func waiting(limit: Int, in transaction: any ReadTransaction) throws -> [TeamApplication] {
        try transaction.query(
            """
            SELECT \(TeamApplication.columns) FROM team_application WHERE approved_at IS NULL AND refused_at IS NULL
            ORDER BY created_at, application_id LIMIT $1
            """, limit, row: TeamApplication.init)
    }

    /// All of them, the newest first.
    package static func list(limit: Int, in transaction: any ReadTransaction) throws -> [TeamApplication] {
        try transaction.query(
            """
            SELECT \(TeamApplication.columns) FROM team_application ORDER BY created_at DESC, application_id LIMIT $1
            """, limit, row: TeamApplication.init)
    }

    /// Says yes: the team is enrolled, its agreements are noted, and who asked is its owner.
    static func approve(_ id: String, _ change: CatalogueChange) throws -> TeamApplication {
        let (asked, transaction) = (try requireOpen(id, in: change.transaction), change.transaction)
        try Teams.add(asked.team, name: asked.teamName, change)
        let owner = Actor(person: asked.email, role: .owner, team: asked.team)
        let own = CatalogueChange(owner, request: change.request, at: change.at, in: transaction)
        for kind in [AgreementKind.free, .paid] {
            let version = try kind == .paid ? asked.agreedVersion : AgreementText.current(kind, in: transaction).version
            try Agreements.note(kind, of: asked.team, by: asked.name, text: version, own)
        }
        _ = try Teams.enter(asked.email, name: asked.name, role: .owner, of: asked.team, change)
        try transaction.update(
            "team_application", ["approved_at": change.at, "decided_by": change.actor.text],
            where: ["application_id": id])
        try CatalogueAudit.append(.team(asked.team), "application approved", change)
        return try require(id, in: transaction)
    }

    /// Says no.
    static func refuse(_ id: String, because reason: String, _ change: CatalogueChange) throws -> TeamApplication {
        let asked = try requireOpen(id, in: change.transaction)
        let reason = try CatalogueText.line(reason, atMost: Teams.longestReason, field: "reason")
        try change.transaction.update(
            "team_application", ["refused_at": change.at, "reason": reason, "decided_by": change.actor.text],
            where: ["application_id": id])
        try CatalogueAudit.append(.store, "application of team \(asked.team) refused", change)
        return try require(id, in: change.transaction)
    }

    private static func requireOpen(_ id: String, in transaction: any ReadTransaction) throws -> TeamApplication {
        let found = try require(id, in: transaction)
        guard !found.isDecided else { throw CatalogueError(.tooLate, "the application was decided about already") }
        return found
    }

    /// Whether whoever has the link may come in by it: after a yes, once.
    package static func opens(_ application: TeamApplication, in transaction: any ReadTransaction) throws -> Bool {
        let key = application.email.lowercased()
        return try application.approvedAt != nil
            && Teams.members(of: application.team, in: transaction).contains { $0.email.lowercased() == key }
            && !People.accepted(in: application.team, transaction).contains(key)
    }

    /// Uses the link of an application up, for its first owner.
    package static func enter(
        _ application: TeamApplication, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        try People.accept(
            application.email.lowercased(), team: application.team, at: now, in: transaction)
    }

    private static func hash(_ link: String) throws -> [UInt8] { try DigestAlgorithm.sha256.digest(link.utf8) }

    package static func drawnID(_ random: RandomBytes) throws -> String { Hexadecimal.encode(try random(idBytes)) }
    package static func drawnLink(_ random: RandomBytes) throws -> String { Base64.encode(try random(byteCount), .url) }
}
