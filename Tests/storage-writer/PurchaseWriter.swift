import StoreBackend
import StoreModel

/// Records one purchase of 100 credits on a developer's server, spends 30 of them, and says what came of each.
///
/// A server that is asked the same again after a crash gives the same answers.
struct PurchaseWriter: Sendable {
    private let backend: Backend
    private let transaction: VerifiedTransaction
    private let now: Instant

    /// - Parameter number: that of the transaction.
    init(_ database: BackendDatabase, number: Int64) throws {
        let now = Instant(millisecondsSinceEpoch: 1_700_000_000_000)
        let id = try TransactionID(number: number)
        let bundleID = try BundleID(parsing: "com.example.monkeycredits")
        let productID = try ProductID(parsing: "com.example.monkeycredits.credits100")
        transaction = VerifiedTransaction(
            environment: .sandbox, transactionID: id, originalTransactionID: id, bundleID: bundleID,
            productID: productID, kind: .consumable, purchaseDate: now, originalPurchaseDate: now, statedAt: now)
        self.now = now
        backend = Backend(
            database: database, verifier: Vouching(transaction: transaction),
            settings: BackendSettings(bundleIDs: [bundleID]))
    }

    /// Makes the tables and publishes the list; done once for a database.
    func prepare() async throws {
        try await backend.prepare(at: now)
        let credits = Balance(name: "credits", amount: 100)
        let product = ListedProduct(transaction.productID, kind: .consumable, credit: credits)
        _ = try await backend.publish(ProductList(bundleID: transaction.bundleID, products: [product]), at: now)
    }

    func run(_ tell: (String) -> Void) async throws {
        let user = try BackendUser(id: "me")
        let proof = ProofOfPayment(.signedTransaction, [])
        let recorded = try await backend.record(proof, for: user, at: now)
        tell("recorded \(recorded.count)")
        let key = transaction.transactionID.description
        let left = try await backend.spend(30, of: "credits", key: key, for: user, at: now)
        tell("left \(left.amount)")
    }

    /// Takes every proof for one of a certain transaction.
    private struct Vouching: PaymentVerifier {
        let transaction: VerifiedTransaction

        func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
            VerifiedPayment(
                environment: transaction.environment, bundleID: transaction.bundleID, transactions: [transaction])
        }
    }
}
