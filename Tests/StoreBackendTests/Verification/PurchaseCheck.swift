import StoreBackend
import StoreModel

/// Checks what apps send to show that something was paid for.
struct PurchaseCheck {
    let verifier: any PaymentVerifier

    /// Asks a store: `StoreAddresses.apple`, or another one.
    init(
        asking store: StoreAddresses, about app: BundleID, key: StoreKey, sharedSecret: String, roots: [PinnedStore]
    ) throws {
        let connection = StoreConnection(
            store, key: key, sharedSecrets: [.production: sharedSecret, .sandbox: sharedSecret])
        verifier = RememberedVerdicts(try StoreVerifier(connection, bundleIDs: [app], roots: roots))
    }

    /// Asks nobody, and believes these roots.
    init(trusting roots: [PinnedStore], about app: BundleID) throws {
        verifier = try PinnedVerifier(roots, bundleIDs: [app])
    }

    /// The products that a body pays for.
    func products(paidBy body: [UInt8], at now: Instant) async throws -> [ProductID] {
        let payment = try await verifier.verify(ProofOfPayment(reading: body), at: now)
        return payment.inForce(at: now).map(\.productID)
    }
}
