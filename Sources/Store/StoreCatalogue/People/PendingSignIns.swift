package import StoreDatabase
package import StoreModel
import StoreSigning

/// Somebody who has shown a password, a link or a token, and is asked for a code before a session begins.
package struct PendingSignIn: Hashable, Sendable {
    /// Whose second factor it is.
    package let subject: String
    /// Nil for the owner and for a bearer of a token.
    package let person: String?
    package let token: String?
    package let team: TeamID?

    package init(subject: String, person: String?, token: String?, team: TeamID?) {
        (self.subject, self.person, self.token, self.team) = (subject, person, token, team)
    }
}

package enum PendingSignIns {
    /// How long a code is waited for.
    package static let life = Duration.seconds(10 * 60)
    /// Wrong codes after which the password is asked for again.
    package static let mostFailures: Int64 = 5
    private static let memory = Duration.seconds(24 * 60 * 60)

    package static func begin(
        _ name: String, _ pending: PendingSignIn, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute("DELETE FROM pending_sign_in WHERE expires_at < $1", now - memory)
        try transaction.insert(
            into: "pending_sign_in",
            [
                "name_hash": hash(name), "subject": pending.subject, "person_key": pending.person,
                "token_name": pending.token, "team_id": pending.team, "created_at": now, "expires_at": now + life,
                "failures": Int64(0),
            ])
    }

    /// The one of a name that only its browser knows; nil once it is over.
    package static func find(
        _ name: String, at now: Instant, in transaction: any ReadTransaction
    ) throws -> PendingSignIn? {
        try transaction.optional(
            """
            SELECT subject, person_key, token_name, team_id FROM pending_sign_in
            WHERE name_hash = $1 AND ended_at IS NULL AND expires_at > $2 AND failures < $3
            """, hash(name), now, mostFailures
        ) { row in
            var cells = row.cells
            return PendingSignIn(
                subject: try cells.next(), person: try cells.next(), token: try cells.next(), team: try cells.next())
        }
    }

    /// Counts a wrong code.
    package static func fail(_ name: String, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            "UPDATE pending_sign_in SET failures = failures + 1 WHERE name_hash = $1", hash(name))
    }

    /// Uses it up; false if it was already.
    package static func end(_ name: String, at now: Instant, in transaction: any WriteTransaction) throws -> Bool {
        try transaction.execute(
            """
            UPDATE pending_sign_in SET ended_at = $2
            WHERE name_hash = $1 AND ended_at IS NULL AND expires_at > $2 AND failures < $3
            """, hash(name), now, mostFailures) == 1
    }

    private static func hash(_ name: String) throws -> [UInt8] { try DigestAlgorithm.sha256.digest(name.utf8) }
}
