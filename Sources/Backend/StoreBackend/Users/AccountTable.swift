import StoreModel

/// The tables of accounts and of who is signed in.
struct AccountTable {
    /// An account with what its password is checked against.
    struct Account: Hashable, Sendable {
        let user: BackendUser
        let hash: String
    }

    let connection: any BackendConnection

    init(_ connection: any BackendConnection) {
        self.connection = connection
    }

    func account(named folded: String) throws -> Account? {
        let rows = try connection.run(
            "SELECT id, name, password FROM backend_user WHERE folded_name = $1", [.text(folded)])
        return try rows.first.map { Account(user: try Self.user($0), hash: try $0.requiredText(2)) }
    }

    /// Whether there is an account of an id.
    func hasAccount(_ id: String) throws -> Bool {
        try !connection.run("SELECT 1 FROM backend_user WHERE id = $1", [.text(id)]).isEmpty
    }

    /// False if the name is taken.
    func add(_ user: BackendUser, foldedName: String, hash: String, at now: Instant) throws -> Bool {
        let values: [SQLValue] = [
            .text(user.id), .text(user.name ?? ""), .text(foldedName), .text(hash), SQLValue(now),
        ]
        let rows = try connection.run(
            """
            INSERT INTO backend_user (id, name, folded_name, password, created_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (folded_name) DO NOTHING RETURNING id
            """, values)
        return !rows.isEmpty
    }

    /// False if there is no such account.
    func changePassword(of user: BackendUser, hash: String) throws -> Bool {
        let rows = try connection.run(
            "UPDATE backend_user SET password = $1 WHERE id = $2 RETURNING id", [.text(hash), .text(user.id)])
        try endSessions(of: user)
        return !rows.isEmpty
    }

    /// False if there is no such account.
    func remove(_ user: BackendUser) throws -> Bool {
        let rows = try connection.run("DELETE FROM backend_user WHERE id = $1 RETURNING id", [.text(user.id)])
        try connection.run("DELETE FROM backend_owner WHERE user_id = $1", [.text(user.id)])
        try endSessions(of: user)
        return !rows.isEmpty
    }

    func users(after folded: String, atMost limit: Int) throws -> [BackendUser] {
        try connection.run(
            "SELECT id, name FROM backend_user WHERE folded_name > $1 ORDER BY folded_name LIMIT $2",
            [.text(folded), .integer(Int64(limit))]
        ).map(Self.user)
    }

    // MARK: - Sessions

    func beginSession(of user: BackendUser, token: String, limits: BackendLimits, at now: Instant) throws -> SignedIn {
        let expires = now + .seconds(limits.sessionSeconds)
        try connection.run(
            "DELETE FROM backend_session WHERE user_id = $1 AND expires_at <= $2", [.text(user.id), SQLValue(now)])
        try connection.run(
            """
            DELETE FROM backend_session WHERE user_id = $1 AND token_digest NOT IN (
              SELECT token_digest FROM backend_session WHERE user_id = $1 ORDER BY created_at DESC, token_digest LIMIT $2)
            """, [.text(user.id), .integer(Int64(max(0, limits.sessionsPerUser - 1)))])
        try connection.run(
            "INSERT INTO backend_session (token_digest, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
            [.text(try Token.digest(token)), .text(user.id), SQLValue(now), SQLValue(expires)])
        return SignedIn(user: user, token: token, expires: expires)
    }

    /// Whose it was; nil if it was nobody's.
    func endSession(_ digest: String) throws -> String? {
        try connection.run(
            "DELETE FROM backend_session WHERE token_digest = $1 RETURNING user_id", [.text(digest)]
        ).first?.requiredText(0)
    }

    func user(withDigest digest: String, at now: Instant) throws -> BackendUser? {
        try connection.run(
            """
            SELECT u.id, u.name FROM backend_session s JOIN backend_user u ON u.id = s.user_id
            WHERE s.token_digest = $1 AND s.expires_at > $2
            """, [.text(digest), SQLValue(now)]
        ).first.map(Self.user)
    }

    private func endSessions(of user: BackendUser) throws {
        try connection.run("DELETE FROM backend_session WHERE user_id = $1", [.text(user.id)])
    }

    private static func user(_ row: SQLRow) throws -> BackendUser {
        BackendAccounts.user(id: try row.requiredText(0), name: try row.requiredText(1))
    }
}
