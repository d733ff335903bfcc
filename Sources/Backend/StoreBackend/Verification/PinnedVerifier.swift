import Foundation
public import StoreModel
import StoreSigning

/// Verifies proofs by their signatures alone, without asking a store.
///
/// It trusts the root certificates that it is given and no others, and says of each payment which environment it was
/// of. What a store has taken back since the proof was made it cannot know: ``StoreVerifier`` asks.
public struct PinnedVerifier: PaymentVerifier {
    private let signatures: PinnedSignatures
    private let accepted: AcceptedPurchases

    /// - Parameters:
    ///   - stores: the environments that are trusted, each with its roots.
    ///   - bundleIDs: the apps whose purchases are taken.
    public init(_ stores: [PinnedStore], bundleIDs: Set<BundleID>) throws {
        signatures = try PinnedSignatures(stores)
        accepted = try AcceptedPurchases(bundleIDs, signatures.environments)
    }

    /// Verifies a proof, and the app and environment in it; throws ``BackendError``.
    public func verify(_ proof: ProofOfPayment, at now: Instant) throws -> VerifiedPayment {
        switch proof.form {
        case .appReceipt: try verify(receipt: proof.bytes, at: now)
        case .transactionReceipt: try verify(transactionReceipt: proof.bytes)
        case .signedTransaction: try payment(of: transaction(String(decoding: proof.bytes, as: UTF8.self)))
        }
    }

    /// Throws ``BackendError`` for every proof that is refused, because nobody is asked.
    public func check(_ proof: ProofOfPayment, at now: Instant) throws { _ = try verify(proof, at: now) }

    /// The content of a signed transaction, verified; throws ``BackendError``.
    public func transaction(_ signed: String) throws -> TransactionPayload {
        let payload: TransactionPayload = try decode(signed) { $0.environment }
        try accepted.require(payload.bundleId)
        return payload
    }

    /// The content of signed renewal information, verified; throws ``BackendError``. It names no app.
    public func renewalInfo(_ signed: String) throws -> RenewalInfoPayload {
        try decode(signed) { $0.environment }
    }

    private func payment(of payload: TransactionPayload) throws -> VerifiedPayment {
        let transaction = try VerifiedTransaction(payload)
        guard transaction.quantity > 0 else {
            throw BackendError(.malformedProof, "The transaction is of the quantity \(transaction.quantity).")
        }
        return VerifiedPayment(
            environment: transaction.environment, bundleID: transaction.bundleID, transactions: [transaction])
    }

    /// Verifies signed data and decodes it.
    private func decode<Payload: Decodable>(
        _ signed: String, environment: (Payload) -> WireEnvironment
    ) throws -> Payload {
        let claimed = SignedText.claimedEnvironment(of: signed)
        return try accepted.explaining(claimed: claimed) {
            let (content, signers) = try signatures.verify(signedData: signed, claimed: claimed)
            let payload: Payload = try SignedText.decode(content.payload)
            _ = try accepted.environment(environment(payload), signedBy: signers)
            return payload
        }
    }

    private func verify(receipt bytes: [UInt8], at now: Instant) throws -> VerifiedPayment {
        // Two stores are told apart by what the receipt says; with one there is nothing to choose.
        let claimed = (try? AppReceipt(unverified: bytes))?.type.wireEnvironment
        return try accepted.explaining(claimed: claimed) {
            let (receipt, signers) = try signatures.verify(receipt: bytes, claimed: claimed)
            let environment = try accepted.environment(receipt.type.wireEnvironment, signedBy: signers)
            let bundleID = try accepted.bundleID(receipt.bundleID)
            if let end = receipt.expirationDate, end <= now {
                throw BackendError(.expired, "The receipt of a volume purchase ended at \(end.rfc3339).")
            }
            return VerifiedPayment(
                environment: environment, bundleID: bundleID,
                transactions: try receipt.purchases.map {
                    try VerifiedTransaction($0, environment, bundleID, statedAt: receipt.creationDate)
                })
        }
    }

    private func verify(transactionReceipt bytes: [UInt8]) throws -> VerifiedPayment {
        let claimed = try? WireEnvironment(TransactionReceiptVerifier.claimedEnvironment(of: bytes))
        return try accepted.explaining(claimed: claimed) {
            let (receipt, signers) = try signatures.verify(transactionReceipt: bytes)
            // Nothing that is signed says it but the certificates, which belong to one environment alone.
            guard let environment = signers.first, signers.count == 1 else {
                throw BackendError(.untrustedProof, "Which environment the receipt is of cannot be known.")
            }
            let transaction = try VerifiedTransaction(
                receipt, environment, try accepted.bundleID(receipt.bundleID))
            guard transaction.transactionID.environment ?? environment == environment else {
                throw BackendError(
                    .untrustedProof, "The number of the transaction belongs to another environment than its signature.")
            }
            return VerifiedPayment(
                environment: environment, bundleID: transaction.bundleID, transactions: [transaction])
        }
    }
}

/// Reads the text of signed data.
enum SignedText {
    /// The environment that signed data names, which nobody has verified. Notifications name it further inside.
    static func claimedEnvironment(of signed: String) -> WireEnvironment? {
        struct Subject: Decodable {
            let environment: WireEnvironment?
        }
        struct Claim: Decodable {
            let environment: WireEnvironment?
            let data: Subject?
            let summary: Subject?
            let appData: Subject?
        }
        let parts = signed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].utf8.count <= ProofOfPayment.largestSignedTransaction,
            let bytes = Base64.decode(parts[1], .url),
            let claim = try? JSONDecoder().decode(Claim.self, from: Data(bytes))
        else { return nil }
        return claim.environment ?? (claim.data ?? claim.summary ?? claim.appData)?.environment
    }

    /// Decodes what was verified.
    static func decode<Payload: Decodable>(_ payload: [UInt8]) throws -> Payload {
        do {
            return try JSONDecoder().decode(Payload.self, from: Data(payload))
        } catch {
            throw BackendError(
                .malformedProof, "The signed data is genuine, and not of the form that was expected.")
        }
    }
}

extension ReceiptType {
    /// What signed data calls it.
    var wireEnvironment: WireEnvironment {
        environment.map(WireEnvironment.init) ?? WireEnvironment(rawValue: rawValue)
    }
}

extension VerifiedTransaction {
    /// A purchase of an app receipt.
    init(
        _ purchase: PurchaseReceipt, _ environment: StoreEnvironment, _ bundleID: BundleID, statedAt: Instant
    ) throws {
        guard let id = TransactionID(purchase.transactionID),
            let originalID = TransactionID(purchase.originalTransactionID),
            let productID = ProductID(purchase.productID), let quantity = Int(exactly: purchase.quantity), quantity > 0
        else { throw BackendError(.malformedProof, "A purchase of the receipt has an id or quantity that is none.") }
        self.init(
            environment: environment, transactionID: id, originalTransactionID: originalID, bundleID: bundleID,
            productID: productID, kind: purchase.kind.flatMap(ProductKind.init), quantity: quantity,
            purchaseDate: purchase.purchaseDate, originalPurchaseDate: purchase.originalPurchaseDate,
            expiresDate: purchase.expirationDate, revocationDate: purchase.cancellationDate, statedAt: statedAt)
    }

    /// The receipt of a transaction. It does not say when it was made, which was not before the purchase.
    init(_ receipt: TransactionReceipt, _ environment: StoreEnvironment, _ bundleID: BundleID) throws {
        guard let id = TransactionID(receipt.transactionID),
            let originalID = TransactionID(receipt.originalTransactionID),
            let productID = ProductID(receipt.productID), let quantity = Int(exactly: receipt.quantity), quantity > 0
        else { throw BackendError(.malformedProof, "The receipt has an id or quantity that is none.") }
        self.init(
            environment: environment, transactionID: id, originalTransactionID: originalID, bundleID: bundleID,
            productID: productID, quantity: quantity, purchaseDate: receipt.purchaseDate,
            originalPurchaseDate: receipt.originalPurchaseDate, expiresDate: receipt.expirationDate,
            statedAt: receipt.purchaseDate)
    }
}

extension ProductKind {
    /// The kind by its number in receipts; nil for one that is not known.
    fileprivate init?(_ kind: PurchaseReceipt.Kind) {
        switch kind {
        case .nonConsumable: self = .nonConsumable
        case .consumable: self = .consumable
        case .nonRenewing: self = .nonRenewing
        case .autoRenewable: self = .autoRenewable
        default: return nil
        }
    }
}
