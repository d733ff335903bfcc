package import StoreDatabase
package import StoreModel
import StoreSigning

/// The passwords that open what receipts say of auto-renewable subscriptions: one of the app, one of the whole account, each in
/// one environment. A server that knows that of the sandbox learns nothing of production by it.
///
/// They are shown as often as they are asked for, so the store keeps them as they are.
package enum SharedSecrets {
    /// How many random bytes a secret is made of.
    package static let byteCount = 16

    /// The secret of some random bytes: 32 hexadecimal digits.
    package static func secret(of random: [UInt8]) -> String { Hexadecimal.encode(random) }

    /// The secrets that open the receipts of an app in an environment: its own and the one of every app.
    package static func opening(
        receiptsOf bundleID: String, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [String] {
        try transaction.query(
            """
            SELECT secret FROM app_secret JOIN app ON app.app_id = app_secret.app_id
            WHERE bundle_id = $1 AND environment = $2
            UNION ALL SELECT secret FROM primary_secret WHERE environment = $2
            """, bundleID, environment
        ) { try $0.value(0) }
    }
}

// MARK: Of an app

extension SharedSecrets {
    /// The secret of an app; nil if it has none.
    package static func find(
        of app: AppID, in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> String? {
        try transaction.optional(
            "SELECT secret FROM app_secret WHERE app_id = $1 AND environment = $2", app, environment
        ) { try $0.value(0) }
    }

    /// The secrets of an environment, of all apps that have one.
    package static func all(
        in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [AppID: String] {
        var secrets: [AppID: String] = [:]
        try transaction.forEachRow(
            "SELECT app_id, secret FROM app_secret WHERE environment = $1", binding: [environment.databaseValue]
        ) { row in
            var cells = row.cells
            secrets[try cells.next()] = try cells.next()
        }
        return secrets
    }

    /// Gives an app a secret, in place of the one that it has, or takes it away.
    package static func set(
        _ secret: String?, of app: AppID, in environment: StoreEnvironment, _ change: CatalogueChange
    ) throws {
        try change.require(.secrets, in: .environment(environment))
        let action = "shared secret of \(environment) \(secret == nil ? "removed" : "made")"
        try CatalogueAudit.audit(.app(app), action, change) {
            guard let secret else {
                try change.transaction.execute(
                    "DELETE FROM app_secret WHERE app_id = $1 AND environment = $2", app, environment)
                return
            }
            try change.transaction.insertOrUpdate(
                "app_secret", ["secret": secret], key: ["app_id": app, "environment": environment])
        }
    }
}

// MARK: Of all apps

extension SharedSecrets {
    /// The secret that counts for every app.
    package static func primary(
        in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> String? {
        try transaction.optional("SELECT secret FROM primary_secret WHERE environment = $1", environment) {
            try $0.value(0)
        }
    }

    /// Sets the secret that counts for every app, or removes it.
    package static func setPrimary(
        _ secret: String?, in environment: StoreEnvironment, _ change: CatalogueChange
    ) throws {
        try change.require(.teams, in: .environment(environment))
        let action = "primary shared secret of \(environment) \(secret == nil ? "removed" : "made")"
        try CatalogueAudit.audit(.store, action, change) {
            guard let secret else {
                try change.transaction.execute("DELETE FROM primary_secret WHERE environment = $1", environment)
                return
            }
            try change.transaction.insertOrUpdate(
                "primary_secret", ["secret": secret], key: ["environment": environment])
        }
    }
}

extension SharedSecrets {
    /// What tells in the audit that a secret is another one than before, and not which.
    static func fingerprint(_ secret: String) throws -> String {
        Hexadecimal.encode(Array(try DigestAlgorithm.sha256.digest(secret.utf8).prefix(4)))
    }

    /// Before them one secret counted in both environments.
    static let tables: [SQL] = [
        """
        CREATE TABLE app_secret (
            app_id \(.integer) NOT NULL REFERENCES app (app_id), environment \(.text) NOT NULL, secret \(.text) NOT NULL,
            PRIMARY KEY (app_id, environment)
        ) \(.keyedTable)
        """,
        "CREATE TABLE primary_secret (environment \(.text) NOT NULL PRIMARY KEY, secret \(.text) NOT NULL) \(.table)",
        """
        INSERT INTO app_secret (app_id, environment, secret)
        SELECT app_id, 'production', shared_secret FROM app WHERE shared_secret IS NOT NULL
        UNION ALL SELECT app_id, 'sandbox', shared_secret FROM app WHERE shared_secret IS NOT NULL
        """,
        """
        INSERT INTO primary_secret (environment, secret)
        SELECT 'production', secret FROM store_secret WHERE name = 'primary_shared_secret'
        UNION ALL SELECT 'sandbox', secret FROM store_secret WHERE name = 'primary_shared_secret'
        """,
        "ALTER TABLE app DROP COLUMN shared_secret",
        "DROP TABLE store_secret",
    ]
}
