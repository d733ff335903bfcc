import StoreDatabase
import StoreSigning

/// The passwords that open what receipts say of auto-renewable subscriptions: one of the app, one of the whole account.
package enum SharedSecrets {
    /// Refuses a password that is neither.
    static func require(
        _ password: String?, forBundle bundleID: String, in transaction: any ReadTransaction
    ) throws {
        let secrets = try transaction.query(
            """
            SELECT shared_secret FROM app WHERE bundle_id = $1 AND shared_secret IS NOT NULL
            UNION ALL SELECT secret FROM store_secret WHERE name = 'primary_shared_secret'
            """, bundleID
        ) { try $0.value(0, as: String.self) }
        guard let password else {
            throw ReceiptRefusal(
                .wrongSecret, "password is missing: a receipt with auto-renewable subscriptions needs the shared secret"
            )
        }
        guard !secrets.isEmpty else {
            throw ReceiptRefusal(.wrongSecret, "password cannot match: this app has no shared secret yet")
        }
        guard secrets.contains(where: { SecretComparison.areEqual(Array($0.utf8), Array(password.utf8)) }) else {
            throw ReceiptRefusal(.wrongSecret, "password is not the shared secret of this app nor the primary one")
        }
    }
}
