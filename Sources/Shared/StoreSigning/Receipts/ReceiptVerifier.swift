/// Verifies app receipts and reads what they say.
package final class ReceiptVerifier: Sendable {
    private let chains: ChainVerifier
    private let recent = RecentChains<VerifiedChain>()

    /// Trusts nothing but these roots, less what was revoked.
    package init(roots: [Certificate], revocations: Revocations = Revocations()) throws {
        chains = try ChainVerifier(roots: roots, requirements: .receipt, revocations: revocations)
    }

    /// Verifies the signature of every signer, their chains, and that these were valid when the receipt was made.
    package func verify(_ bytes: [UInt8]) throws -> VerifiedReceipt {
        let container = try SignedContainer(bytes)
        let signed = try container.signers.map { signer in
            let chain = try chain(of: signer, in: container)
            try requireSignature(of: signer, over: container.content, key: chain.chain.leaf.publicKey)
            return chain
        }
        let receipt = try AppReceipt(reading: container.payload)
        for chain in signed { try chain.requireValidity(at: receipt.creationDate) }
        return VerifiedReceipt(receipt: receipt, chain: signed[0])
    }

    private func requireSignature(of signer: SignedContainer.Signer, over content: ArraySlice<UInt8>, key: PublicKey)
        throws
    {
        var signed = content
        if let attributes = signer.signedAttributes {
            let digest = try signer.digest.digest(content)
            try SignedAttributes.require(attributes, nameContentWithDigest: digest)
            signed = attributes[...]
        }
        guard try key.isValidSignature(signer.signature, for: signed, digest: signer.digest) else {
            throw SigningError(.invalidSignature, "the signature of the receipt does not match its content")
        }
    }

    private func chain(of signer: SignedContainer.Signer, in container: SignedContainer) throws -> VerifiedChain {
        let known = signer.identifier.withUnsafeBytes { identifier in
            container.certificates.withUnsafeBytes { recent.value(for: identifier, $0) }
        }
        if let known { return known }
        let certificates = try container.certificateRanges.map {
            try Certificate(derRepresentation: Array(container.certificates[$0]))
        }
        guard let leaf = try certificates.first(where: { try Self.identifier(of: $0) == Array(signer.identifier) })
        else {
            throw SigningError(.untrustedChain, "the receipt does not hold the certificate of its signer")
        }
        let chain = try chains.verify(leaf: leaf, others: certificates)
        recent.remember(chain, for: Array(signer.identifier + container.certificates))
        return chain
    }

    private static func identifier(of certificate: Certificate) throws -> [UInt8] {
        try certificate.issuerBytes + certificate.serialNumberBytes
    }
}
