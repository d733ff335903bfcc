import CommandOptions
import StoreBackend
import StoreModel

/// `till backend verify`
enum BackendVerify {
    private static let file = Argument<String>.required(
        .file(), help: "The proof as an app sends it; - reads standard input.")

    static let command = Command<TillProgram.Action>(
        "verify", "Say what the server would make of a proof of payment.",
        discussion: """
            It is verified as by till backend serve: with the store, or with --offline by the root certificates alone. \
            Nothing is recorded.
            """,
        options: [BackendOptions.bundles] + BackendOptions.verification + [StandardOptions.json], arguments: [file],
        rules: BackendOptions.verificationRules,
        examples: [
            Example(
                "A receipt, asked about in the store of till dev",
                "till backend verify receipt.txt --bundle com.example.magazines --store http://127.0.0.1:8080 "
                    + "--store-sandbox http://127.0.0.1:8081"),
            Example(
                "A signed transaction, by its signature",
                "till backend verify transaction.txt --bundle com.example.magazines --offline --root root.pem"),
        ],
        exitCodes: [
            .badData.when("It is refused; the errors say why."),
            .inputMissing.when("The file, a root or the key cannot be read."),
            .unavailable.when("The store gives no answer."),
        ],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let read = try InputFile.read(arguments[file], limit: ProofOfPayment.longestText)
        let (verifier, _) = try BackendVerification.verifier(arguments)
        do {
            let proof = try ProofOfPayment(reading: read)
            let payment = try await verifier.verify(proof, at: context.now)
            if arguments[StandardOptions.json] { return try context.printJSON(VerifiedReport(proof, payment)) }
            show(payment, of: proof, in: context)
        } catch let error as BackendError {
            throw CommandFailure(CommandFailure.exitCode(of: error.code), "\(error.code.rawValue): \(error.message)")
        }
    }

    private static func show(_ payment: VerifiedPayment, of proof: ProofOfPayment, in context: CommandContext) {
        let form = proof.form.rawValue.replacing("_", with: " ")
        context.print("A genuine \(form) of \(payment.bundleID), \(WireEnvironment(payment.environment))")
        if payment.transactions.isEmpty { context.print("  without a purchase") }
        for transaction in payment.transactions {
            let quantity = transaction.quantity == 1 ? "" : " × \(transaction.quantity)"
            context.print("  \(transaction.transactionID)  \(transaction.productID)\(quantity)\(state(transaction))")
        }
    }

    private static func state(_ transaction: VerifiedTransaction) -> String {
        if let revoked = transaction.revocationDate { return "  taken back \(revoked.rfc3339)" }
        if transaction.isUpgraded { return "  upgraded" }
        return transaction.expiresDate.map { "  until \($0.rfc3339)" } ?? ""
    }
}

/// What `till backend verify --json` says.
private struct VerifiedReport: Encodable {
    struct Transaction: Encodable {
        let transactionId: TransactionID
        let originalTransactionId: TransactionID
        let productId: ProductID
        let kind: ProductKind?
        let quantity: Int
        let purchaseDate: Instant
        let expiresDate: Instant?
        let revocationDate: Instant?
        let isUpgraded: Bool
        let ownership: OwnershipType
        let statedAt: Instant
    }

    let form: ProofOfPayment.Form
    let environment: WireEnvironment
    let bundleId: BundleID
    let transactions: [Transaction]

    init(_ proof: ProofOfPayment, _ payment: VerifiedPayment) {
        form = proof.form
        environment = WireEnvironment(payment.environment)
        bundleId = payment.bundleID
        transactions = payment.transactions.map { transaction in
            Transaction(
                transactionId: transaction.transactionID, originalTransactionId: transaction.originalTransactionID,
                productId: transaction.productID, kind: transaction.kind, quantity: transaction.quantity,
                purchaseDate: transaction.purchaseDate, expiresDate: transaction.expiresDate,
                revocationDate: transaction.revocationDate, isUpgraded: transaction.isUpgraded,
                ownership: transaction.ownership, statedAt: transaction.statedAt)
        }
    }
}
