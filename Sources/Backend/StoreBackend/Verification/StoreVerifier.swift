public import StoreModel
import StoreSigning

/// Verifies proofs by asking the store.
///
/// Receipts go to `verifyReceipt`, production first and the sandbox where that says so: nobody has to know which of the
/// two a receipt is from. Signed transactions are verified by their signature, and then, if there is a key, the store
/// is asked how they stand now. With a key it is asked too what of a receipt was refunded since the receipt was made.
public struct StoreVerifier: PaymentVerifier {
    private let connection: StoreConnection
    private let accepted: AcceptedPurchases
    private let pinned: PinnedVerifier?

    /// - Parameters:
    ///   - connection: where the store is asked. Purchases of the environments that it has an address of are taken.
    ///   - bundleIDs: the apps whose purchases are taken.
    ///   - roots: the roots of signed transactions, for each environment; none if only receipts are taken.
    public init(_ connection: StoreConnection, bundleIDs: Set<BundleID>, roots: [PinnedStore] = []) throws {
        self.connection = connection
        accepted = try AcceptedPurchases(bundleIDs, connection.environments)
        let roots = roots.filter { connection.environments.contains($0.environment) }
        pinned = roots.isEmpty ? nil : try PinnedVerifier(roots, bundleIDs: bundleIDs)
    }

    /// Verifies a proof, and the app and environment in it; throws ``BackendError``.
    public func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
        guard proof.form != .signedTransaction else { return try await verify(signed: proof, at: now) }
        let bundleID = try ownApp(of: proof)
        let (answer, environment) = try await connection.verifyReceipt(proof, of: bundleID)
        var payment = try answer.payment(in: environment, accepted)
        try await markRefunds(in: &payment, at: now)
        return payment
    }

    /// Refuses a receipt that cannot be read or says itself that it is of another app, and a signed transaction that is not
    /// genuine: the store is not asked about them.
    public func check(_ proof: ProofOfPayment, at now: Instant) throws {
        switch proof.form {
        case .signedTransaction: _ = try requirePinned().verify(proof, at: now)
        default: _ = try ownApp(of: proof)
        }
    }

    /// The app that a receipt says itself that it is of, if it says one.
    private func ownApp(of proof: ProofOfPayment) throws -> BundleID? {
        let bundleID: String?
        do {
            bundleID =
                switch proof.form {
                case .appReceipt: try AppReceipt(unverified: proof.bytes).bundleID
                default:
                    try TransactionReceiptVerifier.claimedEntries(of: proof.bytes).first { $0.key == "bid" }?.value
                }
        } catch {
            throw BackendError(.malformedProof, "The receipt cannot be read: \(error).")
        }
        return try bundleID.map(accepted.bundleID)
    }

    private func requirePinned() throws -> PinnedVerifier {
        guard let pinned else {
            throw BackendError(
                .untrustedProof, "Signed transactions are verified with the root certificate of the store: give one.")
        }
        return pinned
    }

    private func verify(signed proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
        let pinned = try requirePinned()
        let payment = try pinned.verify(proof, at: now)
        guard connection.hasKey, let transaction = payment.transactions.first else { return payment }
        let current = try await connection.transaction(
            transaction.transactionID, of: payment.bundleID, in: payment.environment, at: now)
        let answered = try pinned.transaction(current)
        guard answered.transactionId == transaction.transactionID else {
            throw StoreConnection.unavailable("The store answered with another transaction than it was asked for.")
        }
        return VerifiedPayment(
            environment: payment.environment, bundleID: payment.bundleID,
            transactions: [try VerifiedTransaction(answered)])
    }

    /// The most refunds of a customer in an app that are looked through for one receipt; one with more is refused.
    public static let mostRefunds = 1000

    /// Marks what was refunded since a receipt was made, which the receipt itself cannot say.
    private func markRefunds(in payment: inout VerifiedPayment, at now: Instant) async throws {
        guard connection.hasKey, let pinned, let first = payment.transactions.first else { return }
        var places: [TransactionID: Int] = [:]
        for (place, transaction) in payment.transactions.enumerated() { places[transaction.transactionID] = place }
        var (revision, read) = (String?.none, 0)
        while read < Self.mostRefunds {
            let page: PurchaseHistoryPage
            do {
                page = try await connection.refunds(
                    of: first.transactionID, of: payment.bundleID, after: revision, in: payment.environment, at: now)
            } catch let error as BackendError where error.code == .unknownTransaction {
                // Receipts outlive what the interface knows; the receipt itself was found good.
                return
            }
            for signed in page.signedTransactions {
                let refunded = try VerifiedTransaction(pinned.transaction(signed))
                guard let place = places[refunded.transactionID], refunded.revocationDate != nil else { continue }
                payment.transactions[place].revocationDate = refunded.revocationDate
                payment.transactions[place].statedAt = max(
                    refunded.statedAt, payment.transactions[place].statedAt)
            }
            guard page.hasMore else { return }
            revision = page.revision
            // A page without any must not go on for ever.
            read += max(1, page.signedTransactions.count)
        }
        throw BackendError(
            .untrustedProof, "The customer has more than \(Self.mostRefunds) refunds; no further receipt is looked at.")
    }
}
