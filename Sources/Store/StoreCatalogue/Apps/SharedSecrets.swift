package import StoreDatabase
package import StoreModel
import StoreSigning

/// The passwords that open what receipts say of auto-renewable subscriptions: one of the app, one of the whole account.
package enum SharedSecrets {
    /// The secrets that open the receipts of an app: its own and the one of every app.
    package static func opening(
        receiptsOf bundleID: String, in transaction: any ReadTransaction
    ) throws -> [String] {
        try transaction.query(
            """
            SELECT shared_secret FROM app WHERE bundle_id = $1 AND shared_secret IS NOT NULL
            UNION ALL SELECT secret FROM store_secret WHERE name = 'primary_shared_secret'
            """, bundleID
        ) { try $0.value(0) }
    }
}

// They are shown as often as they are asked for, so the store keeps them as they are.
extension SharedSecrets {
    /// How many random bytes a secret is made of.
    package static let byteCount = 16

    /// The secret of some random bytes: 32 hexadecimal digits.
    package static func secret(of random: [UInt8]) -> String { Hexadecimal.encode(random) }

    /// Gives an app a secret, or takes it away.
    package static func set(_ secret: String?, of app: AppID, in transaction: any WriteTransaction) throws {
        try transaction.execute("UPDATE app SET shared_secret = $2 WHERE app_id = $1", app, secret)
    }

    /// The secret that counts for every app.
    package static func primary(in transaction: any ReadTransaction) throws -> String? {
        try transaction.optional("SELECT secret FROM store_secret WHERE name = 'primary_shared_secret'") {
            try $0.value(0)
        }
    }

    /// Sets the secret that counts for every app, or removes it.
    package static func setPrimary(_ secret: String?, in transaction: any WriteTransaction) throws {
        guard let secret else {
            try transaction.execute("DELETE FROM store_secret WHERE name = 'primary_shared_secret'")
            return
        }
        try transaction.execute(
            """
            INSERT INTO store_secret (name, secret) VALUES ('primary_shared_secret', $1)
            ON CONFLICT (name) DO UPDATE SET secret = excluded.secret
            """, secret)
    }
}
