package import StoreModel

/// Verifies transaction receipts of the iOS 6 form, which only the store that made them can do: they carry the leaf
/// certificate and nothing above it.
package final class TransactionReceiptVerifier: Sendable {
    private let chains: ChainVerifier
    private let intermediates: [Certificate]
    private let recent = RecentChains<VerifiedChain>()

    /// Trusts nothing but these roots, through these intermediates, less what was revoked.
    package init(roots: [Certificate], intermediates: [Certificate], revocations: Revocations = Revocations()) throws {
        chains = try ChainVerifier(roots: roots, requirements: .receipt, revocations: revocations)
        self.intermediates = intermediates
    }

    /// The environment that a receipt claims. It is not signed; the chain under which the receipt verifies decides.
    package static func claimedEnvironment(of receipt: [UInt8]) throws -> StoreEnvironment {
        let name = try PropertyListText(parsing: receipt)["environment"] ?? ""
        return PropertyListText.areSame(name, "Sandbox") ? .sandbox : .production
    }

    /// What a receipt says of its purchase, whether or not it is to be believed.
    package static func claimedEntries(of receipt: [UInt8]) throws -> [(key: String, value: String)] {
        try PropertyListText(parsing: data("purchase-info", of: PropertyListText(parsing: receipt))).entries
    }

    package func verify(_ bytes: [UInt8]) throws -> TransactionReceipt {
        let container = try PropertyListText(parsing: bytes)
        let purchaseInfo = try Self.data("purchase-info", of: container)
        let signature = try TransactionReceiptSignature(decoding: Self.data("signature", of: container))
        let chain = try chain(of: signature.certificate)
        let signed = TransactionReceiptSignature.signedBytes(purchaseInfo)
        guard try chain.chain.leaf.publicKey.isValidSignature(signature.signature, for: signed, digest: .sha1) else {
            throw SigningError(.invalidSignature, "the signature of the receipt does not match its content")
        }
        let receipt = try TransactionReceipt(PropertyListText(parsing: purchaseInfo))
        // The receipt does not say when it was signed, and an old purchase may be signed again today. But no
        // certificate signs a purchase that was made after its own end.
        guard receipt.purchaseDate <= chain.notAfter else {
            throw SigningError(
                .outsideValidity, "the purchase was made after the end of the certificate that signed it")
        }
        return receipt
    }

    private func chain(of leaf: [UInt8]) throws -> VerifiedChain {
        if let known = leaf.withUnsafeBytes({ recent.value(for: $0) }) { return known }
        let chain = try chains.verify(leaf: Certificate(derRepresentation: leaf), others: intermediates)
        recent.remember(chain, for: leaf)
        return chain
    }

    private static func data(_ key: String, of container: PropertyListText) throws -> [UInt8] {
        guard let text = container[key] else {
            throw SigningError(.malformed, "\(key) is missing from the receipt")
        }
        guard let bytes = Base64.decode(text) else {
            throw SigningError(.malformed, "\(key) of the receipt is not Base64")
        }
        return bytes
    }
}
