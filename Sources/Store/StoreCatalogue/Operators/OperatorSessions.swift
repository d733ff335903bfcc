package import StoreDatabase
package import StoreModel
import StoreSigning

/// The sessions of those who look after the store in a browser, and the links that begin them. The store keeps hashes only.
package enum OperatorSessions {
    /// How many random bytes a session or a link is named by.
    package static let byteCount = 32
    /// How long a session lasts.
    package static let life = Duration.seconds(7 * 24 * 60 * 60)
    /// How long a link waits to be opened.
    package static let linkLife = Duration.seconds(60 * 60)
    /// How long ended sessions and used links are kept.
    private static let memory = Duration.seconds(30 * 24 * 60 * 60)

    static let tables: [SQL] = [
        """
        CREATE TABLE operator_link (
            link_hash \(.bytes) NOT NULL PRIMARY KEY, created_at \(.integer) NOT NULL, expires_at \(.integer) NOT NULL,
            used_at \(.integer)
        ) \(.table)
        """,
        // Without a token it is a session of the owner's.
        """
        CREATE TABLE operator_session (
            session_hash \(.bytes) NOT NULL PRIMARY KEY, token_name \(.text) REFERENCES operator_token (name),
            created_at \(.integer) NOT NULL, expires_at \(.integer) NOT NULL, ended_at \(.integer)
        ) \(.table)
        """,
    ]

    /// Somebody in the console.
    package struct Session: Hashable, Sendable {
        /// The owner where it began with a link, the bearer of the token with which it began, or who has typed a password.
        package let actor: Actor
        package let expiresAt: Instant
        /// Who came in by a password, as people are found; nil for all others.
        package var person: String?
        /// Whether the role of the person needs a second factor, and there is none yet.
        package var lacksFactor = false
        /// When it was last noted that it was used; nil where that is not kept.
        package var usedAt: Instant?

        /// Whose second factor is asked for; nil for a token, which is a program's.
        package var factorSubject: String? {
            person ?? (actor.kind == .owner ? SecondFactors.owner : nil)
        }
    }

    /// Makes a link that opens one session of the owner's.
    package static func addLink(_ link: String, at now: Instant, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM operator_link WHERE expires_at < $1", now - memory)
        try transaction.insert(
            into: "operator_link", ["link_hash": hash(link), "created_at": now, "expires_at": now + linkLife])
    }

    /// Uses a link up for somebody who is asked for a code next. Says whether it was good.
    package static func useLink(_ link: String, at now: Instant, in transaction: any WriteTransaction) throws -> Bool {
        try transaction.execute(
            "UPDATE operator_link SET used_at = $2 WHERE link_hash = $1 AND used_at IS NULL AND expires_at > $2",
            hash(link), now) == 1
    }

    /// Begins a session of whoever has the machine of the store.
    ///
    /// - Parameter client: the browser, as it calls itself.
    package static func beginOwner(
        _ session: String, client: String, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        try insert(session, token: nil, client, until: now + life, at: now, transaction)
    }

    /// Begins a session for whoever has a token; it ends with the token.
    package static func begin(
        _ session: String, for token: OperatorTokens.Entry, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        try insert(session, token: token.name, until: min(now + life, token.expiresAt), at: now, transaction)
    }

    /// Begins a session of somebody who has typed a password.
    ///
    /// - Parameter client: the browser, as it calls itself.
    package static func begin(
        _ session: String, for person: String, team: TeamID?, client: String, at now: Instant,
        in transaction: any WriteTransaction
    ) throws {
        try insert(session, token: nil, person: person, team: team, client, until: now + life, at: now, transaction)
    }

    private static func insert(
        _ session: String, token: String?, person: String? = nil, team: TeamID? = nil, _ client: String? = nil,
        until end: Instant, at now: Instant, _ transaction: any WriteTransaction
    ) throws {
        try transaction.execute("DELETE FROM operator_session WHERE expires_at < $1", now - memory)
        try transaction.insert(
            into: "operator_session",
            [
                "session_hash": hash(session), "token_name": token, "created_at": now, "expires_at": end,
                "person_key": person, "team_id": team, "client": client, "used_at": now,
            ])
    }

    /// The session of a name that only its browser knows; nil once it is over, or its token is.
    package static func find(
        _ session: String, at now: Instant, in transaction: any ReadTransaction
    ) throws -> Session? {
        try transaction.optional(
            """
            SELECT operator_session.expires_at, operator_session.token_name IS NULL, operator_session.person_key,
                operator_session.team_id, operator_session.used_at, \(OperatorTokens.Entry.columns)
            FROM operator_session LEFT JOIN operator_token ON operator_token.name = operator_session.token_name
            WHERE operator_session.session_hash = $1 AND operator_session.ended_at IS NULL
                AND operator_session.expires_at > $2
                AND (operator_session.token_name IS NULL
                    OR operator_token.revoked_at IS NULL AND operator_token.expires_at > $2)
            """, hash(session), now
        ) { row in
            var cells = row.cells
            let (end, isWithoutToken) = (try cells.next(as: Instant.self), try cells.next(as: Bool.self))
            let found = Found(
                person: try cells.next(), team: try cells.next(), usedAt: try cells.next(), expiresAt: end)
            guard !isWithoutToken else { return (found, nil) }
            return (found, Actor(try OperatorTokens.Entry(&cells)))
        }.flatMap { (found: Found, actor: Actor?) in try found.session(actor, in: transaction) }
    }

    /// A session as its row has it.
    private struct Found {
        let person: String?
        let team: TeamID?
        let usedAt: Instant?
        let expiresAt: Instant

        /// Nil where the person is not what the session began with any more.
        ///
        /// - Parameter bearer: who has the token with which it began.
        func session(_ bearer: Actor?, in transaction: any ReadTransaction) throws -> Session? {
            guard let person else { return Session(actor: bearer ?? .owner, expiresAt: expiresAt, usedAt: usedAt) }
            guard let own = try People.memberships(of: person, in: transaction).first(where: { $0.team == team })
            else { return nil }
            let lacksFactor =
                try SecondFactors.requiredRoles(in: transaction).contains(own.role)
                && !SecondFactors.isAsked(of: person, in: transaction)
            return Session(
                actor: Actor(person: own.email, role: own.role, team: own.team), expiresAt: expiresAt,
                person: person, lacksFactor: lacksFactor, usedAt: usedAt)
        }
    }

    package static func end(_ session: String, at now: Instant, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            "UPDATE operator_session SET ended_at = coalesce(ended_at, $2) WHERE session_hash = $1", hash(session), now)
    }

    /// Whether anybody ever was in the console.
    package static func wereEver(in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value("SELECT count(*) FROM operator_session", as: Int.self) > 0
    }

    /// What the forms of a session's pages have, and no page of anybody else.
    package static func proof(of session: String) throws -> String {
        Base64.encode(try hash("form " + session), .url)
    }

    private static func hash(_ text: String) throws -> [UInt8] { try DigestAlgorithm.sha256.digest(text.utf8) }
}

/// What those who look after the store do, of one kind.
// Closed: each has its line in the table of who may do what.
package enum OperatorWork: CaseIterable, Sendable {
    /// Apps, products and prices.
    case catalogue
    /// Decisions about what was submitted.
    case review
    /// Members of a team.
    case members
    /// Agreements, bank and tax data.
    case finance
    /// Teams as a whole, and what is for the apps of all teams.
    case teams
    /// Secrets with which servers of developers have receipts of an app verified, and provisioning profiles.
    case secrets
    /// Customers, devices and purchases.
    case customers
}

extension OperatorTokens.Role {
    /// Whether a role may read, and whether it may change, what belongs to some work.
    package func may(_ work: OperatorWork, change isChange: Bool) -> Bool {
        if self == .operator { return true }
        return switch (work, self) {
        case (.catalogue, .owner), (.catalogue, .developer): true
        case (.catalogue, .reviewer), (.catalogue, .support), (.catalogue, .finance): !isChange
        case (.review, .reviewer): true
        case (.review, .owner), (.review, .developer), (.review, .support): !isChange
        case (.members, .owner): true
        case (.members, _): !isChange
        case (.finance, .owner), (.finance, .finance): true
        case (.secrets, .owner), (.secrets, .developer): true
        case (.customers, .support): true
        default: false
        }
    }
}
