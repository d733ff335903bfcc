/// Verifies JSON that was signed under a chain.
package final class JWSVerifier: Sendable {
    private struct Known: Sendable {
        let chain: VerifiedChain
        let beginning: HashPrefix
    }

    private let chains: ChainVerifier
    private let recent = RecentChains<Known>()

    /// Trusts nothing but these roots, less what was revoked.
    package init(roots: [Certificate], revocations: Revocations = Revocations()) throws {
        chains = try ChainVerifier(roots: roots, requirements: .jws, revocations: revocations)
    }

    /// Verifies algorithm, chain, signature, and that the chain was valid when the payload was signed.
    package func verify(_ jws: String) throws -> VerifiedJWS {
        var jws = jws
        return try jws.withUTF8 { try verify(UnsafeRawBufferPointer($0)) }
    }

    private func verify(_ bytes: UnsafeRawBufferPointer) throws -> VerifiedJWS {
        let compact = try CompactJWS(bytes)
        let known = try recent.value(for: compact.header) ?? judgeHeader(of: compact)
        try compact.requireSignature(of: known.chain.chain.leaf.publicKey, beginning: known.beginning)
        let payload = try compact.decodedPayload()
        let signedAt = try SigningTime.read(from: payload)
        try known.chain.requireValidity(at: signedAt)
        return VerifiedJWS(payload: payload, chain: known.chain, signedAt: signedAt)
    }

    private func judgeHeader(of compact: CompactJWS) throws -> Known {
        let x5c = try compact.decodedHeader().x5c ?? []
        guard x5c.count == CertificateRole.allCases.count else {
            throw SigningError(.invalidChainLength, "x5c has \(x5c.count) certificates instead of 3")
        }
        // The third is the signer's claim of a root; only our own roots count.
        let certificates = try x5c.prefix(2).map { text in
            guard let der = Base64.decode(text) else {
                throw SigningError(.malformed, "a certificate in x5c is not Base64")
            }
            return try Certificate(derRepresentation: der)
        }
        let chain = try chains.verify(leaf: certificates[0], others: [certificates[1]])
        let known = try Known(chain: chain, beginning: compact.hashedBeginning())
        recent.remember(known, for: Array(compact.header))
        return known
    }
}
