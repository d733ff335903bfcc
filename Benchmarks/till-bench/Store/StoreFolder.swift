import CBenchReference
import Foundation
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning

/// The data directory of a store that has an app, six products, and customers with five purchases each.
final class StoreFolder: Sendable {
    /// How many of the customers' devices have a token that is known here.
    static let clients = 64
    static let bundle = "com.example.monkey"

    private let folder: TemporaryFolder
    let customers: Int
    let keys: EnvironmentKeys

    var path: String { folder.path }
    /// The file of the sandbox.
    var database: String { path + "/\(StoreEnvironment.sandbox.rawValue).sqlite" }

    init(customers: Int) throws {
        folder = try TemporaryFolder()
        self.customers = customers
        let store = KeyStore(dataDirectory: folder.path)
        for environment in StoreEnvironment.allCases {
            _ = try store.create(environment, organization: "Example Store", at: BenchClock.start)
        }
        keys = try store.load(.sandbox)
        try FirstThread.wait { [path = folder.path] in
            let databases = try await StoreDatabases.sqlite(in: path, .current())
            try await Self.fill(catalogue: databases.catalogue)
            await databases.close()
        }
        try fillFile()
        try open { databases in try await Self.fillTokens(databases.sandbox) }
    }

    /// The same store in a folder of its own.
    func copy() throws -> StoreFolder { try StoreFolder(copying: self) }

    private init(copying other: StoreFolder) throws {
        folder = try TemporaryFolder()
        (customers, keys) = (other.customers, other.keys)
        _ = try ChildProcess.output(of: "cp", ["-a", other.path + "/.", folder.path])
    }

    /// Opens the databases for as long as the closure runs.
    func open<Output: Sendable>(_ body: @escaping @Sendable (StoreDatabases) async throws -> Output) throws -> Output {
        try FirstThread.wait { [path] in
            let databases = try await StoreDatabases.sqlite(in: path, .current())
            do {
                let output = try await body(databases)
                await databases.close()
                return output
            } catch {
                await databases.close()
                throw error
            }
        }
    }

    private func fillFile() throws {
        let texts = StoreFiller.statements.map { strdup($0.text(for: .sqlite)) }
        defer { for text in texts { free(text) } }
        let pointers = texts.map { UnsafePointer($0) }
        guard till_sqlite_fill(database, pointers, Int32(pointers.count), Int64(customers)) == 1 else {
            throw BenchmarkError("SQLite does not fill \(database)")
        }
    }

    /// The secret of the device of a client.
    static func token(of client: Int) -> String { "token-of-device-\(client)" }

    /// Gives the first customer a subscription that was renewed so many times.
    func addRenewals(_ count: Int) throws {
        try open { databases in
            _ = try await databases.sandbox.write { try $0.execute(StoreFiller.renewals, count) }
        }
    }

    static let sharedSecret = "0123456789abcdef0123456789abcdef"

    static func fillTokens(_ database: any Database) async throws {
        let hashes = try (1...clients).map { try DigestAlgorithm.sha256.digest(token(of: $0).utf8) }
        try await database.write { transaction in
            for (index, hash) in hashes.enumerated() {
                try transaction.execute("UPDATE device SET token_hash = $2 WHERE id = $1", index + 1, hash)
            }
        }
    }

    static func fill(catalogue: any Database) async throws {
        try await catalogue.write { transaction in
            try transaction.execute(
                """
                INSERT INTO app (app_id, bundle_id, name, primary_language, shared_secret, capabilities_revision,
                    created_at)
                VALUES (42, 'com.example.monkey', 'Monkey', 'en-US', $1, 1, 0)
                """, sharedSecret)
            for number in 1...6 {
                let isLevel = number <= StoreFiller.purchasesPerCustomer
                try transaction.execute(
                    """
                    INSERT INTO product (item_id, app_id, product_id, kind, reference_name, state,
                        is_cleared_for_sale, is_family_shareable, created_at, changed_at)
                    VALUES ($1, 42, $2, $3, $2, 'approved', 1, 0, 0, 0)
                    """, 1000 + number, isLevel ? "com.example.monkey.level.\(number)" : "com.example.monkey.coins",
                    isLevel ? ProductKind.nonConsumable : .consumable)
                try transaction.execute(
                    """
                    INSERT INTO product_text (item_id, language, title, description)
                    VALUES ($1, 'en-US', 'Something nice', 'Something nice for a monkey.')
                    """, 1000 + number)
                try transaction.execute(
                    "INSERT INTO product_price (item_id, storefront, amount, currency) VALUES ($1, 'USA', 199, 'USD')",
                    1000 + number)
            }
        }
    }
}
