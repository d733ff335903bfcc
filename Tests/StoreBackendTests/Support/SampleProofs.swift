import StoreBackend
import StoreModel
import StoreSigning
import StoreTestSupport

/// Proofs of payment for one app, and the stores that are trusted with them.
enum SampleProofs {
    static func bundleID(_ text: String = SampleStore.bundle) throws -> BundleID { try BundleID(parsing: text) }

    /// When the purchases were made, and the receipts a minute later.
    static let purchasedAt = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    static let receiptAt = Instant(millisecondsSinceEpoch: 1_800_000_060_000)
    /// When they are verified.
    static let now = Instant(millisecondsSinceEpoch: 1_801_000_000_000)

    /// An environment with its own roots, and with the intermediates of receipts if they are wanted.
    static func pinned(
        _ environment: StoreEnvironment, keys: EnvironmentKeys? = nil, intermediates: Bool = true
    ) throws -> PinnedStore {
        let keys = try keys ?? SampleKeys.of(environment)
        return PinnedStore(
            environment, roots: keys.roots.values.flatMap { $0 }.map(\.derRepresentation),
            intermediates: intermediates ? (keys.intermediates[.receipt] ?? []).map(\.derRepresentation) : [])
    }

    static func transaction(
        _ environment: StoreEnvironment = .sandbox, _ number: Int64 = 1,
        changing change: (inout TransactionPayload) throws -> Void = { _ in }
    ) throws -> TransactionPayload {
        let id = try TransactionID(number: TransactionID.numbers(in: environment).lowerBound + number)
        var payload = try TransactionPayload(
            transactionId: id, originalTransactionId: id, bundleId: bundleID(),
            productId: ProductID(parsing: "com.example.monkey.coins"), type: .consumable, purchaseDate: purchasedAt,
            originalPurchaseDate: purchasedAt, quantity: 2, inAppOwnershipType: .purchased,
            environment: WireEnvironment(environment), signedDate: receiptAt)
        try change(&payload)
        return payload
    }

    /// A payload as the store of an environment signs it, or another one with its own keys.
    static func signed(
        _ payload: TransactionPayload, by keys: EnvironmentKeys? = nil, in environment: StoreEnvironment = .sandbox
    ) throws -> String {
        try (keys ?? SampleKeys.of(environment)).jwsSigner().sign(encoding: payload, at: payload.signedDate)
    }

    static func proof(_ signed: String) -> ProofOfPayment { ProofOfPayment(.signedTransaction, Array(signed.utf8)) }

    /// An app receipt with two purchases.
    static func receipt(
        _ environment: StoreEnvironment = .sandbox, by keys: EnvironmentKeys? = nil,
        changing change: (inout AppReceipt) -> Void = { _ in }
    ) throws -> ProofOfPayment {
        let first = try transaction(environment).transactionId
        let second = try transaction(environment, 2).transactionId
        var receipt = AppReceipt(
            type: ReceiptType(environment), bundleID: SampleStore.bundle, applicationVersion: "1.0",
            creationDate: receiptAt, opaqueValue: [1, 2, 3], deviceHash: [4, 5, 6])
        receipt.purchases = [
            PurchaseReceipt(
                quantity: 2, productID: "com.example.monkey.coins", transactionID: first.description,
                originalTransactionID: first.description, purchaseDate: purchasedAt, originalPurchaseDate: purchasedAt,
                kind: .consumable),
            PurchaseReceipt(
                productID: "com.example.monkey.hat", transactionID: second.description,
                originalTransactionID: second.description, purchaseDate: purchasedAt,
                originalPurchaseDate: purchasedAt, kind: .nonConsumable, cancellationDate: receiptAt),
        ]
        change(&receipt)
        return ProofOfPayment(
            .appReceipt, try (keys ?? SampleKeys.of(environment)).receiptSigner().sign(receipt))
    }

    /// The receipt of one transaction.
    static func transactionReceipt(
        _ environment: StoreEnvironment = .sandbox, by keys: EnvironmentKeys? = nil, transaction number: Int64 = 1,
        of numbered: StoreEnvironment? = nil
    ) throws -> ProofOfPayment {
        let id = try transaction(numbered ?? environment, number).transactionId.description
        let receipt = TransactionReceipt(
            quantity: 2, productID: "com.example.monkey.coins", transactionID: id, originalTransactionID: id,
            purchaseDate: purchasedAt, originalPurchaseDate: purchasedAt, itemID: "1001",
            bundleID: SampleStore.bundle, applicationVersion: "1.0",
            uniqueIdentifier: String(repeating: "ab", count: 20), uniqueVendorIdentifier: "vendor")
        return ProofOfPayment(
            .transactionReceipt, try (keys ?? SampleKeys.of(environment)).transactionReceiptSigner().sign(receipt))
    }

    /// What a verifier says of a proof: its code, or nil where it takes it.
    static func refusal(of proof: ProofOfPayment, by verifier: some PaymentVerifier) async -> BackendError? {
        do {
            _ = try await verifier.verify(proof, at: now)
            return nil
        } catch {
            return error as? BackendError
                ?? BackendError(.invalidValue, "The verifier threw something else than its errors: \(error)")
        }
    }
}
