package import StoreDatabase
package import StoreModel
import StoreSigning

/// A session of the console as lists tell it.
package struct ListedSession: Hashable, Sendable {
    /// Says nothing of what the browser has.
    package let id: String
    /// Whose it is, as people are found; nil for the owner and for bearers of tokens.
    package let person: String?
    package let token: String?
    package let team: TeamID?
    /// The browser, as it calls itself.
    package let client: String?
    package let createdAt: Instant
    package let usedAt: Instant?
    package let expiresAt: Instant
    /// Whether it is the one in which somebody asks.
    package var isOwn = false
}

extension OperatorSessions {
    /// Sessions of a list.
    package static let mostListed = 200
    /// Characters of what a browser calls itself.
    package static let longestClient = 200
    /// How exactly the last use is known.
    package static let useStep = Duration.seconds(5 * 60)
    private static let idBytes = 8

    /// Those that run: of a person, of a team, or all; the newest first.
    ///
    /// - Parameter isOfStore: only those that are of no team.
    package static func list(
        of person: String?, team: TeamID?, isOfStore: Bool = false, own session: String? = nil, at now: Instant,
        in transaction: any ReadTransaction
    ) throws -> [ListedSession] {
        let own = try session.map { try Hexadecimal.encode(Array(name(of: $0).prefix(idBytes))) }
        return try transaction.query(
            """
            SELECT session_hash, person_key, token_name, team_id, client, created_at, used_at, expires_at
            FROM operator_session
            WHERE ended_at IS NULL AND expires_at > $1 AND ($2 = '' OR person_key = $2) AND ($3 = '' OR team_id = $3)
                AND ($4 = 0 OR team_id IS NULL AND token_name IS NULL)
            ORDER BY created_at DESC, session_hash LIMIT $5
            """, now, person ?? "", team?.text ?? "", isOfStore ? 1 : 0, mostListed
        ) { row in
            var cells = row.cells
            let hash = try cells.next(as: [UInt8].self)
            var found = ListedSession(
                id: Hexadecimal.encode(Array(hash.prefix(idBytes))), person: try cells.next(),
                token: try cells.next(), team: try cells.next(), client: try cells.next(),
                createdAt: try cells.next(), usedAt: try cells.next(), expiresAt: try cells.next())
            found.isOwn = found.id == own
            return found
        }
    }

    /// Ends one of them; false if it is not among those of the person or team.
    package static func end(
        id: String, of person: String?, team: TeamID?, at now: Instant, in transaction: any WriteTransaction
    ) throws -> Bool {
        let hashes = try transaction.query(
            """
            SELECT session_hash FROM operator_session
            WHERE ended_at IS NULL AND expires_at > $1 AND ($2 = '' OR person_key = $2) AND ($3 = '' OR team_id = $3)
            """, now, person ?? "", team?.text ?? ""
        ) { try $0.value(0, as: [UInt8].self) }
        guard let hash = hashes.first(where: { Hexadecimal.encode(Array($0.prefix(idBytes))) == id }) else {
            return false
        }
        return try transaction.execute(
            "UPDATE operator_session SET ended_at = coalesce(ended_at, $2) WHERE session_hash = $1", hash, now) == 1
    }

    /// Ends all of a person, but one.
    package static func endAll(
        of person: String, but session: String? = nil, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute(
            """
            UPDATE operator_session SET ended_at = $2
            WHERE person_key = $1 AND ended_at IS NULL AND session_hash <> $3
            """, person, now, session.map { try name(of: $0) } ?? [])
    }

    /// Ends all of whoever has a second factor, but one: those of a person, of the tokens of a member, or of the owner.
    package static func endAll(
        ofSubject subject: String, but session: String, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        try endAll(of: subject, but: session, at: now, in: transaction)
        try transaction.execute(
            """
            UPDATE operator_session SET ended_at = $2
            WHERE ended_at IS NULL AND session_hash <> $3 AND person_key IS NULL AND (
                $1 = 'owner' AND token_name IS NULL
                OR token_name IN (SELECT name FROM operator_token WHERE lower(member) = $1))
            """, subject, now, try name(of: session))
    }

    /// Notes that one was used.
    package static func noteUse(of session: String, at now: Instant, in transaction: any WriteTransaction) throws {
        try transaction.update("operator_session", ["used_at": now], where: ["session_hash": name(of: session)])
    }

    /// Lets somebody act for another team of theirs, or for the store.
    package static func move(
        _ session: String, to team: TeamID?, in transaction: any WriteTransaction
    ) throws {
        try transaction.update("operator_session", ["team_id": team], where: ["session_hash": name(of: session)])
    }

    /// What a session is found by.
    private static func name(of session: String) throws -> [UInt8] { try DigestAlgorithm.sha256.digest(session.utf8) }
}
