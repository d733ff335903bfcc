package import StoreDatabase
package import StoreModel
package import StoreService

/// A store in memory: app 42, `com.example.monkey`, with the shared secret ``secret`` in the sandbox; customer 7; and device 3, where
/// customer 7 is signed in.
package struct SampleStore: Sendable {
    package let databases: StoreDatabases

    package static let secret = "0123456789abcdef0123456789abcdef"
    package static let productionSecret = "89abcdef0123456789abcdef01234567"
    package static let primarySecret = "fedcba9876543210fedcba9876543210"
    package static let bundle = "com.example.monkey"
    package static let deviceIdentifier: [UInt8] = Array(0..<16)
    package static let vendorIdentifier = "00010203-0405-0607-0809-0A0B0C0D0E0F"
    package static let registeredAt = Instant(millisecondsSinceEpoch: 1_795_000_000_000)

    package init() async throws {
        databases = try await .inMemory(.current())
        _ = try await databases.catalogue.write { transaction in
            try transaction.execute(
                """
                INSERT INTO app (app_id, bundle_id, name, primary_language, capabilities_revision, created_at, team_id, is_shelf)
                VALUES (42, $1, 'Monkey', 'en', 1, 0, 'my-team', 0)
                """, Self.bundle)
            for environment in StoreEnvironment.allCases {
                try transaction.execute(
                    "INSERT INTO app_secret (app_id, environment, secret) VALUES (42, $1, $2)", environment,
                    Self.secret(of: environment))
            }
        }
        for environment in StoreEnvironment.allCases {
            try await addCustomer(7, in: environment)
            try await addDevice(3, customer: 7, in: environment)
        }
    }

    package func addCustomer(_ number: Int64, in environment: StoreEnvironment) async throws {
        _ = try await databases[environment].write { transaction in
            try transaction.execute(
                """
                INSERT INTO customer (
                    id, email, email_key, kind, first_name, last_name, storefront, purchases_allowed,
                    interrupts_purchases, clock_id, created_at)
                VALUES ($1, $2, $2, 'tester', 'Ann', 'Monkey', 'USA', 1, 0, 0, 0)
                """, number, "ann\(number)@example.com")
        }
    }

    package func deleteCustomer(_ number: Int64, in environment: StoreEnvironment) async throws {
        _ = try await databases[environment].write { transaction in
            try transaction.execute("UPDATE customer SET deleted_at = 1 WHERE id = $1", number)
        }
    }

    /// A device of the app; nobody is signed in where there is no customer.
    package func addDevice(_ number: Int64, customer: Int64?, in environment: StoreEnvironment) async throws {
        let download = AppTransactionID.numbers(in: environment).lowerBound + number
        _ = try await databases[environment].write { transaction in
            try transaction.execute(
                """
                INSERT INTO device (
                    id, app_id, bundle_id, public_key, key_hash, identifier, vendor_identifier, token_hash,
                    token_expires_at, customer_id, storefront, language, app_version, original_app_version,
                    app_transaction_id, purchases_allowed, is_simulator, registered_at, seen_at)
                VALUES ($1, 42, $2, $3, $3, $4, $5, $3, 0, $6, 'USA', 'en', '2.1', '1.4', $7, 1, 0, $8, $8)
                """, number, Self.bundle, [UInt8(truncatingIfNeeded: number)], Self.deviceIdentifier,
                Self.vendorIdentifier, customer, download, Self.registeredAt)
        }
    }

    package func add(_ transactions: [StoreTransaction], in environment: StoreEnvironment = .sandbox) async throws {
        _ = try await databases[environment].write { transaction in
            for one in transactions { try one.insert(in: transaction) }
        }
    }

    package func finish(_ id: TransactionID, in environment: StoreEnvironment = .sandbox) async throws {
        _ = try await databases[environment].write { transaction in
            try transaction.execute(
                "INSERT INTO transaction_finish (transaction_id, device_id, finished_at) VALUES ($1, 3, 0)", id)
        }
    }

    package func revoke(
        _ id: TransactionID, _ reason: RevocationReason, at instant: Instant,
        in environment: StoreEnvironment = .sandbox
    ) async throws {
        _ = try await databases[environment].write { transaction in
            try transaction.execute(
                "INSERT INTO transaction_revocation (transaction_id, reason, revoked_at) VALUES ($1, $2, $3)", id,
                reason, instant)
        }
    }

    package static func secret(of environment: StoreEnvironment) -> String {
        environment == .sandbox ? secret : productionSecret
    }

    package func setPrimarySecret(in environment: StoreEnvironment = .sandbox) async throws {
        _ = try await databases.catalogue.write { transaction in
            try transaction.execute(
                "INSERT INTO primary_secret (environment, secret) VALUES ($1, $2)", environment, Self.primarySecret)
        }
    }
}
