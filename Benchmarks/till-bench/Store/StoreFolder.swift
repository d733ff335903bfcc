import CBenchReference
import Foundation
import PostgresTestServer
import StoreCatalogue
import StoreDatabase
import StoreModel
import StorePostgres
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
    /// Where its books are in PostgreSQL; nil in SQLite.
    let address: String?
    /// What serves that address.
    private let cluster: PostgresCluster?

    var path: String { folder.path }
    /// The file of the sandbox.
    var database: String { path + "/\(StoreEnvironment.sandbox.rawValue).sqlite" }

    /// A store in SQLite.
    init(customers: Int) throws {
        (folder, keys) = try Self.make()
        (self.customers, address, cluster) = (customers, nil, nil)
        try open { try await Self.fill(catalogue: $0.catalogue) }
        try fillFile()
        try open { databases in try await Self.fillTokens(databases.sandbox) }
    }

    /// A store in a database of PostgreSQL that is empty.
    init(customers: Int, on cluster: PostgresCluster, database: String) throws {
        (folder, keys) = try Self.make()
        (self.customers, address, self.cluster) = (customers, cluster.address(of: database), cluster)
        try open { databases in
            try await Self.fill(catalogue: databases.catalogue)
            try await databases.sandbox.write { transaction in
                for statement in StoreFiller.statements { try transaction.execute(statement, customers) }
            }
            try await Self.fillTokens(databases.sandbox)
        }
        // As its own upkeep does after a while.
        _ = try FirstThread.wait { try await cluster.run("ANALYZE", in: database) }
    }

    private static func make() throws -> (TemporaryFolder, EnvironmentKeys) {
        let folder = try TemporaryFolder()
        let store = KeyStore(dataDirectory: folder.path)
        for environment in StoreEnvironment.allCases {
            _ = try store.create(environment, organization: "Example Store", at: BenchClock.start)
        }
        return (folder, try store.load(.sandbox))
    }

    /// The same store in a folder of its own.
    func copy() throws -> StoreFolder { try StoreFolder(copying: self) }

    private init(copying other: StoreFolder) throws {
        folder = try TemporaryFolder()
        (customers, keys, address, cluster) = (other.customers, other.keys, nil, nil)
        _ = try ChildProcess.output(of: "cp", ["-a", other.path + "/.", folder.path])
    }

    /// Opens the databases of a folder, or of an address.
    static func databases(in folder: String, _ address: String?) async throws -> StoreDatabases {
        guard let address else { return try await .sqlite(in: folder, .current()) }
        var settings = PostgresSettings(try PostgresAddress(address))
        settings.limits.writers = PostgresPurchaseRow.connections
        return try await .postgres(settings, .current()) { .random(in: .min ... .max) }
    }

    /// Opens the databases for as long as the closure runs.
    func open<Output: Sendable>(_ body: @escaping @Sendable (StoreDatabases) async throws -> Output) throws -> Output {
        try FirstThread.wait { [path, address] in
            let databases = try await Self.databases(in: path, address)
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

    /// Gives some customers so many periods of a subscription each, which makes more than one page of history.
    func addHistories(_ periods: Int = 40) throws {
        try open { databases in
            try await databases.sandbox.write { transaction in
                for statement in StoreFiller.histories {
                    try transaction.execute(statement, periods * StoreFiller.readers)
                }
            }
        }
    }

    /// A token with which the developer's server asks the store for the first hour.
    func serverToken() throws -> String {
        let (entry, pem) = try open { databases in
            try await CatalogueEditing(databases.catalogue, by: .owner, request: nil, now: BenchClock.now)
                .addAPIKey("bench", for: nil, of: nil, RandomBytes())
        }
        let claims = BearerTokenClaims(
            issuerID: entry.issuer, issuedAt: BenchClock.start, expiresAt: BenchClock.start + .seconds(3600),
            audience: BearerToken.audience, bundleID: Self.bundle)
        return try BearerToken.make(
            claims, with: NamedKey(keyID: entry.id, key: PrivateKey(pemRepresentation: pem)))
    }

    static let account = "buyer@example.com"
    /// Another, whose purchases the first one's devices are not told of.
    static let otherAccount = "other@example.com"
    static let password = "correct horse"

    /// Adds two customers who can sign in and have bought nothing.
    func addAccounts() throws {
        for (index, email) in [Self.account, Self.otherAccount].enumerated() {
            try addAccount(email, Int64(customers + 1 + index))
        }
    }

    private func addAccount(_ email: String, _ number: Int64) throws {
        let customer = try NewCustomer(
            email: EmailAddress(email), firstName: "Ann", lastName: "Buyer",
            storefront: StorefrontRecord.storefront(alpha3: "USA") ?? { throw BenchmarkError("no storefront USA") }(),
            passwordHash: PasswordHash(Self.password, scrypt: .standard).text)
        try open { databases in
            try await databases.sandbox.write { transaction in
                let id = try CustomerID(number: number)
                _ = try Customers.create(customer, as: id, of: .tester, at: BenchClock.start, in: transaction)
                try Customers.add(
                    PaymentMethodID(number: number), processor: "test", token: "test_approved", label: "Test card",
                    to: id,
                    at: BenchClock.start, in: transaction)
            }
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
            let app = try AppID(number: 42)
            try Catalogue.addApp(
                app, BundleID(parsing: bundle), name: "Monkey", primaryLanguage: "en-US",
                CatalogueChange(.store, at: BenchClock.start, in: transaction))
            let cause = CatalogueCause(.store, at: BenchClock.start)
            try SharedSecrets.set(sharedSecret, of: app, in: .sandbox, cause.change(in: transaction))
            for number in 1...6 {
                let isLevel = number <= StoreFiller.purchasesPerCustomer
                try put(
                    isLevel ? "level.\(number)" : "coins", isLevel ? .nonConsumable : .consumable, 1000 + number,
                    of: app,
                    transaction)
            }
        }
    }

    private static func put(
        _ name: String, _ kind: ProductKind, _ item: Int, of app: AppID, _ transaction: any WriteTransaction
    ) throws {
        let text = ProductText(title: "Something nice", description: "Something nice for a monkey.")
        let draft = try ProductDraft(
            ProductID(parsing: "\(bundle).\(name)"), kind, referenceName: name, texts: ["en-US": text],
            basePrice: Money(minorUnits: 199, currency: .usd))
        try Catalogue.put(
            draft, of: app, number: { try ItemID(number: Int64(item)) }, isApproved: true,
            CatalogueChange(.store, at: BenchClock.start, in: transaction))
    }

    /// Adds so many products; gives the ids of all that were added.
    func addProducts(_ count: Int) throws -> [String] {
        try open { databases in
            try await databases.catalogue.write { transaction in
                for number in 1...count {
                    try Self.put(
                        "more.\(number)", .consumable, 10_000 + number, of: AppID(number: 42), transaction)
                }
            }
        }
        return (1...count).map { "\(Self.bundle).more.\($0)" }
    }
}
