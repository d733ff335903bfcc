import Foundation
import StoreModel
import StoreSigning

@testable import StoreBackend

/// A backend on a database of its own, to which proofs are the transactions themselves.
struct BackendSample: Sendable {
    static let app = BundleID("com.example.magazines")!  // Safe: the text keeps to the rule.
    static let other = BundleID("com.example.other")!  // Safe: the text keeps to the rule.
    static let now = Instant(millisecondsSinceEpoch: 1_780_000_000_000)
    static let credits = ListedProduct(
        "credits", kind: .consumable, credit: Balance(name: "credits", amount: 100))
    static let issue = ListedProduct("issue-1", kind: .nonConsumable, content: "issue-1", includedIn: ["monthly"])
    static let monthly = ListedProduct("monthly", kind: .autoRenewable)
    static let course: ListedProduct = {
        var course = ListedProduct("course", kind: .nonRenewing, content: "course")
        course.period = BillingPeriod("P1M")
        return course
    }()

    let place: BackendPlace
    let backend: Backend
    let folder: String
    let mary: BackendUser
    let john: BackendUser

    var database: BackendDatabase { backend.database }

    static func with<Result>(
        _ dialect: SQLDialect = .sqlite, settings: BackendSettings = BackendSettings(bundleIDs: [app]),
        users: (any UserDirectory)? = nil, _ body: (BackendSample) async throws -> Result
    ) async throws -> Result {
        try await BackendPlace.with(dialect) { place in
            let database = try place.open()
            defer { database.close() }
            let folder = FileManager.default.temporaryDirectory.appending(path: "contents-\(UUID())").path()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let backend = Backend(
                database: database, verifier: ShownTransactions(), settings: settings,
                library: try ContentLibrary(folder: folder), users: users,
                accounts: BackendAccounts(database: database, limits: settings.limits, scrypt: .quick))
            try await backend.prepare(at: now)
            try await backend.publish(
                ProductList(bundleID: app, products: [credits, issue, monthly, course]), at: now)
            return try await body(
                BackendSample(
                    place: place, backend: backend, folder: folder, mary: try BackendUser(id: "mary"),
                    john: try BackendUser(id: "john")))
        }
    }

    /// A transaction of a product.
    static func bought(
        _ product: ListedProduct, _ number: Int64 = 1, quantity: Int = 1, expires: Instant? = nil
    ) -> VerifiedTransaction {
        let id = TransactionID(String(2_000_000_000_000_000 + number))!  // Safe: a decimal number.
        return VerifiedTransaction(
            environment: .sandbox, transactionID: id, originalTransactionID: id, bundleID: app,
            productID: product.productID, kind: product.kind, quantity: quantity, purchaseDate: now,
            originalPurchaseDate: now, expiresDate: expires, statedAt: now)
    }

    @discardableResult
    func record(
        _ transactions: VerifiedTransaction..., for user: BackendUser? = nil, at now: Instant = now
    ) async throws -> [Recorded] {
        try await backend.record(proof(transactions), for: user ?? mary, at: now)
    }

    func proof(_ transactions: [VerifiedTransaction], of app: BundleID = app) throws -> ProofOfPayment {
        let shown = ShownTransactions.Shown(bundleID: app, transactions: transactions)
        return ProofOfPayment(.appReceipt, Array(try JSONEncoder().encode(shown)))
    }

    func credits(of user: BackendUser) async throws -> Int64 {
        try await backend.balances(of: user).first { $0.name == "credits" }?.amount ?? 0
    }

    /// What was done to users, in words.
    func actions(of user: BackendUser? = nil) async throws -> [AuditEntry.Action] {
        try await backend.audit(of: user).map(\.action)
    }

    /// A file with some bytes.
    func file(_ text: String, named name: String = "pages.txt") throws -> String {
        let folder = folder + "/sources-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }
}

/// Takes a list of transactions for a proof of them.
struct ShownTransactions: PaymentVerifier {
    struct Shown: Codable {
        var bundleID: BundleID
        var transactions: [VerifiedTransaction]
    }

    func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
        guard let shown = try? JSONDecoder().decode(Shown.self, from: Data(proof.bytes)) else {
            throw BackendError(.untrustedProof, "The proof was not signed by a trusted store.")
        }
        let environment = shown.transactions.first?.environment ?? .sandbox
        return VerifiedPayment(
            environment: environment, bundleID: shown.bundleID, transactions: shown.transactions)
    }
}

extension ListedProduct {
    init(
        _ text: String, kind: ProductKind, credit: Balance? = nil, content: String? = nil, includedIn: [String]? = nil
    ) {
        // Safe: tests hand in texts that keep to the rule.
        self.init(ProductID(text)!, kind: kind, credit: credit, content: content)
        self.includedIn = includedIn?.compactMap { ProductID($0) }
    }
}

/// The code of the error that a call throws; nil if it throws none of the backend's.
func code(of body: () async throws -> Void) async -> BackendError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? BackendError)?.code
    }
}
