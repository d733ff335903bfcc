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
        let receipt = try AppReceipt(decoding: container.content)
        for chain in signed { try chain.requireValidity(at: receipt.creationDate) }
        return VerifiedReceipt(receipt: receipt, chain: signed[0])
    }

    private func requireSignature(of signer: SignedContainer.Signer, over content: [UInt8], key: PublicKey) throws {
        let digest = try signer.digest.digest(content)
        var signed = digest
        if let attributes = signer.signedAttributes {
            try SignedAttributes.require(attributes, nameContentWithDigest: digest)
            signed = try signer.digest.digest(attributes)
        }
        guard try key.isValidSignature(signer.signature, forDigest: signed, of: signer.digest) else {
            throw SigningError(.invalidSignature, "the signature of the receipt does not match its content")
        }
    }

    private func chain(of signer: SignedContainer.Signer, in container: SignedContainer) throws -> VerifiedChain {
        let key = Array(signer.identifier) + container.certificates
        if let known = key.withUnsafeBytes({ recent.value(for: $0) }) { return known }
        let certificates = try container.certificateRanges.map {
            try Certificate(derRepresentation: Array(container.certificates[$0]))
        }
        guard let leaf = try certificates.first(where: { try Self.identifier(of: $0) == Array(signer.identifier) })
        else {
            throw SigningError(.untrustedChain, "the receipt does not hold the certificate of its signer")
        }
        let chain = try chains.verify(leaf: leaf, others: certificates)
        recent.remember(chain, for: key)
        return chain
    }

    private static func identifier(of certificate: Certificate) throws -> [UInt8] {
        try certificate.issuerBytes + certificate.serialNumberBytes
    }
}
