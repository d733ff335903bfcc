package import StoreDatabase
package import StoreModel
import StoreSigning

extension Customers {
    /// How long a way to another password stays open.
    package static let recoveryTime = Duration.seconds(60 * 60)

    /// Opens the way to another password: whoever has the token may set one, once.
    package static func beginRecovery(
        of customer: CustomerID, token: String, at wall: Instant, in transaction: any WriteTransaction
    ) throws {
        // One way at a time, so that asking often opens no more.
        try transaction.execute("DELETE FROM password_recovery WHERE customer_id = $1", customer)
        try transaction.execute(
            "INSERT INTO password_recovery (token_hash, customer_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
            try DigestAlgorithm.sha256.digest(token.utf8), customer, wall, wall + recoveryTime)
    }

    /// Whether a way to another password is open.
    package static func isRecovering(
        _ customer: CustomerID, at wall: Instant, in transaction: any ReadTransaction
    ) throws -> Bool {
        try transaction.value(
            """
            SELECT count(*) FROM password_recovery WHERE customer_id = $1 AND used_at IS NULL AND expires_at > $2
            """, customer, wall, as: Int.self) > 0
    }

    /// Sets another password with the token of a recovery; the devices that were signed in have to sign in again.
    package static func recover(
        token: String, passwordHash: String, at wall: Instant, in transaction: any WriteTransaction
    ) throws -> CustomerID {
        let hash = try DigestAlgorithm.sha256.digest(token.utf8)
        let customer = try transaction.optional(
            """
            UPDATE password_recovery SET used_at = $2
            WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING customer_id
            """, hash, wall
        ) { try $0.value(0, as: CustomerID.self) }
        guard let customer else {
            throw ServiceError(
                .tokenInvalid, "this way to another password is not open, or not any more", parameter: "token")
        }
        try setPassword(passwordHash, of: customer, in: transaction)
        try signOutEverywhere(customer, in: transaction)
        return customer
    }
}
